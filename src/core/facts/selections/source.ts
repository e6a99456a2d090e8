/** Reads the keys of a group or the compared values of a pair. */
import type { CompiledSource, Selector } from '../../model/rules/selection.ts';
import { compilePath, mostPathValues } from '../values/json-path.ts';
import type { Subject } from '../state/subject.ts';

/** A key longer than this is kept as its digest. */
const longestKey = 1_000;

/** In place of a value: the trace does not contain it, or the path yields more values than the limit. */
export const unreadable = Symbol('unreadable');

/** Reads a value of a subject; undefined where there is none. */
export function sourceReader({ fact, path }: CompiledSource): (subject: Subject) => unknown {
  const name = fact.slice('subject.'.length);
  const within = path === undefined ? undefined : compilePath(path);
  return (subject) => {
    if (subject.hidden?.has(fact)) return unreadable;
    const whole = subject.facts[name];
    if (within === undefined) return whole;
    const value = within(whole);
    return Array.isArray(value) && value.length > mostPathValues ? unreadable : value;
  };
}

/** Decides if a filter selects a subject, as far as the trace has its facts. */
export function selector({ kind, filter }: Selector): (subject: Subject) => boolean {
  // The method sends away most subjects, and nothing else is read of those.
  const names = Object.keys(filter).toSorted((a, b) => Number(b === 'method') - Number(a === 'method'));
  const tests = names.map((name) => ({
    name,
    full: `subject.${name}`,
    values: new Set([filter[name]].flat()),
  }));
  const takesReplays = 'replay' in filter;
  return (subject) => {
    if (subject.kind !== kind) return false;
    const { facts, hidden } = subject;
    for (const { name, full, values } of tests)
      if ((hidden !== undefined && hidden.has(full)) || !values.has(facts[name])) return false;
    // Repeated messages of a resumed stream are not second messages.
    return takesReplays || facts.replay !== true;
  };
}

/** The message that a subject of the kind is about, for paths without a fact. */
export function messageFactOf(kind: Subject['kind']): string | undefined {
  if (kind === 'message' || kind === 'followUp') return 'subject.message';
  if (kind === 'exchange' || kind === 'task') return 'subject.request';
  return kind === 'http' ? 'subject.replyMessage' : undefined;
}

/** A value as a map can keep it: 1 and "1" differ, and no key is longer than a thousand characters. */
export function typedKey(values: readonly unknown[]): string {
  const [only] = values;
  // The commonest key by far, as it is; all others begin with a character that it must not begin with.
  if (values.length === 1 && typeof only === 'string' && only.length <= longestKey && !only.startsWith(notPlain))
    return only;
  const text = values.map((value) => JSON.stringify(value) ?? 'undefined').join('\n');
  return notPlain + (text.length <= longestKey ? text : digest(text));
}

const notPlain = '\0';

/** Two rounds of FNV-1a over the text with its length: short, and the same in every run. */
function digest(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x1b873593;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) ^ (other >>> 13);
  }
  return `#${text.length}:${(one >>> 0).toString(16)}:${(other >>> 0).toString(16)}:${text.slice(0, 200)}`;
}
