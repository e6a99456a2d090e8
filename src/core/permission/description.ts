/** True if the description of a tool says that it changes something. Pure; it knows English and the table of verbs. */
import { damagingNouns, damagingVerbs } from './verb-table.ts';

/** Characters of a description that are looked at. */
const longest = 4000;

const irregular: Record<string, string> = {
  buy: 'bought',
  make: 'made',
  pay: 'paid',
  put: 'put',
  reset: 'reset',
  run: 'run',
  sell: 'sold',
  send: 'sent',
  set: 'set',
  overwrite: 'overwritten',
  write: 'written',
  withdraw: 'withdrawn',
  drop: 'dropped',
  submit: 'submitted',
  stop: 'stopped',
  commit: 'committed',
  cancel: 'cancelled',
};

/** Everyday words that are in the table for names, and say nothing in a sentence. */
const everyday = new Set([
  'activate',
  'apply',
  'attach',
  'clear',
  'clean',
  'configure',
  'empty',
  'enable',
  'finish',
  'follow',
  'hide',
  'import',
  'join',
  'leave',
  'make',
  'mark',
  'perform',
  'put',
  'share',
  'start',
  'stop',
  'store',
  'touch',
  'subscribe',
  'share',
  'register',
  'return',
  'accept',
  'pause',
  'resume',
  'shell',
  'invoke',
  'login',
  'save',
  'eject',
  'edit',
  'del',
  'rm',
  'mv',
  'exec',
  'eval',
  'evaluate',
  'execute',
]);

const strong = [...damagingVerbs].filter((verb) => !everyday.has(verb));
const thirdPersons = new Set(strong.map(thirdPerson));
const pastForms = new Set(strong.map((verb) => irregular[verb] ?? pastOf(verb)));
/** These begin a sentence or a clause as verbs; elsewhere they may be nouns. */
const atStart = new Set([...damagingVerbs, ...damagingNouns].flatMap((verb) => [verb, thirdPerson(verb)]));
/** Behind "and" these are more of a list: "its updates and commits". */
const plurals = new Set([...damagingNouns].map(thirdPerson));
/** Too common as nouns, adjectives or in commands to the reader (`Open …`, `Use …`) to be evidence at a start. */
const isUninformative = new Set([
  'open',
  'opens',
  'log',
  'logs',
  'type',
  'types',
  'process',
  'processes',
  'note',
  'notes',
  'empty',
  'issue',
  'issues',
  'report',
  'reports',
  'load',
  'loads',
  'scale',
  'format',
  'formats',
  'request',
  'requests',
  'watch',
  'like',
  'likes',
  'index',
  'current',
  'perform',
  'performs',
  'snapshot',
  'text',
  'order',
  'close',
  'run',
  'runs',
  'execute',
  'executes',
  'evaluate',
  'evaluates',
  'make',
  'makes',
  'call',
  'calls',
  'set',
  'sets',
  'tag',
  'tags',
  'alert',
  'alerts',
  'book',
  'books',
  'message',
  'messages',
  'email',
  'emails',
  'complete',
  'share',
  'follow',
  'start',
  'record',
  'records',
  'tip',
  'tips',
  'import',
  'imports',
  'change',
  'changes',
  'download',
  'downloads',
  'branch',
  'backup',
  'command',
  'commands',
  'build',
  'builds',
]);

const negations = new Set([
  'not',
  'no',
  'never',
  'without',
  'nothing',
  'neither',
  'nor',
  'cannot',
  'doesn',
  'don',
  'won',
  'isn',
  'aren',
  'instead',
  'before',
  'after',
  'read',
  'readonly',
]);
const auxiliaries = new Set(['is', 'are', 'be', 'being', 'gets']);
const joints = new Set(['and', 'then', 'also', 'will', 'automatically', 'or', 'optionally', 'may']);

/** The word by which a description says that something is changed; undefined when none does. */
export function changeIn(description: string): string | undefined {
  for (const sentence of description
    .slice(0, longest)
    .toLowerCase()
    .split(/[.!?;:\n\r•]+/)) {
    const words = sentence.split(/[^a-z]+/).filter((word) => word !== '');
    const found = words.find((word, at) => changes(words, word, at));
    if (found !== undefined) return found;
  }
  return undefined;
}

function changes(words: readonly string[], word: string, at: number): boolean {
  const denied = words.slice(Math.max(0, at - 5), at).some((one) => negations.has(one));
  if (denied) return false;
  if (thirdPersons.has(word)) return true;
  const before = words[at - 1];
  if (pastForms.has(word) && before !== undefined && auxiliaries.has(before)) return true;
  if (isUninformative.has(word) || !atStart.has(word)) return false;
  return at === 0 || (joints.has(before!) && !plurals.has(word));
}

function thirdPerson(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

function pastOf(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}
