/** Changes between two locks of a server, and their meaning to users who trusted the first. Pure. */
import { append } from '../model/lists.ts';
import { canonical, isObject } from '../model/json.ts';
import { hiddenCharacters } from '../model/hidden-characters.ts';
import { lockedLists, type LockedEntry, type LockedList, type ServerLock } from './lock.ts';
import { schemaChanges, type SchemaChange } from './schema-changes.ts';

type Json = Record<string, unknown>;

/**
 * From the gravest on. `security`: a text that a model reads, or a promise to a client, changed. `breaking`: a working
 * caller may fail, or that is unknown. `additive`: callers keep working. `cosmetic`: only words for people.
 */
export const changeClasses = ['security', 'breaking', 'additive', 'cosmetic'] as const;
export type ChangeClass = (typeof changeClasses)[number];

export interface Change {
  class: ChangeClass;
  /** `tool`, `prompt`, `resource`, `resource template` or `server`. */
  what: string;
  /** Name of the entry; of the server itself the member. */
  name: string;
  /** Place within the definition, a JSON Pointer; empty for the whole. */
  at: string;
  /** A sentence without a full stop. */
  says: string;
  /** Texts to compare word by word. */
  before?: string;
  after?: string;
}

/** @returns the changes from the gravest on; empty for equal locks */
export function compareLocks(before: ServerLock, after: ServerLock): Change[] {
  const changes = [
    ...serverChanges(before, after),
    ...lockedLists.flatMap(({ list, what }) => listChanges(what, before[list], after[list])),
  ];
  return changes
    .map((change, index) => ({ change, index }))
    .sort((one, other) => rank(one.change) - rank(other.change) || one.index - other.index)
    .map(({ change }) => change);
}

function rank(change: Change): number {
  return changeClasses.indexOf(change.class);
}

function serverChanges(before: ServerLock, after: ServerLock): Change[] {
  const changes: Change[] = [];
  const add = (kind: ChangeClass, name: string, at: string, says: string, texts: Partial<Change> = {}): void =>
    void changes.push({ class: kind, what: 'server', name, at, says, ...texts });
  if (before.instructionsText !== after.instructionsText)
    append(changes, textChanges('server', 'instructions', '', before.instructionsText, after.instructionsText));
  if (before.revision !== after.revision)
    add('breaking', 'revision', '', `the revision was ${before.revision}, is ${after.revision}`);
  for (const name of namesOf(before.capabilities, after.capabilities)) {
    const [one, other] = [before.capabilities[name], after.capabilities[name]];
    if (canonical(one) === canonical(other)) continue;
    if (other === undefined) add('breaking', 'capabilities', `/${name}`, `the capability ${name} is gone`);
    else if (one === undefined) add('additive', 'capabilities', `/${name}`, `the capability ${name} is new`);
    else add('breaking', 'capabilities', `/${name}`, `the capability ${name} changed; what that means is not decided`);
  }
  for (const name of namesOf(before.serverInfo, after.serverInfo))
    if (canonical(before.serverInfo[name]) !== canonical(after.serverInfo[name]))
      add('cosmetic', 'serverInfo', `/${name}`, `serverInfo.${name} changed`);
  return changes;
}

function listChanges(what: string, before: LockedList, after: LockedList): Change[] {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const fresh = new Set(Object.keys(after).filter((name) => !Object.hasOwn(before, name)));
  const changes: Change[] = [];
  for (const name of gone) {
    const heir = [...fresh].find((one) => isRenamed(before[name]!, after[one]!));
    if (heir === undefined) {
      changes.push({ class: 'breaking', what, name, at: '', says: `the ${what} is gone` });
      continue;
    }
    fresh.delete(heir);
    const says = `the ${what} is called ${JSON.stringify(heir)} now, with the same schemas`;
    changes.push({ class: 'breaking', what, name, at: '', says });
    append(changes, entryChanges(what, heir, without(before[name]!.definition), without(after[heir]!.definition)));
  }
  for (const name of fresh) {
    const kind = what === 'tool' ? 'security' : 'additive';
    changes.push({ class: kind, what, name, at: '', says: `the ${what} is new` });
    append(changes, hiddenIn(what, name, after[name]!.definition));
  }
  for (const [name, { hash, definition }] of Object.entries(before)) {
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (now !== undefined && now.hash !== hash) append(changes, entryChanges(what, name, definition, now.definition));
  }
  return changes;
}

const names = ['name', 'uri', 'uriTemplate'];

function without(definition: Json): Json {
  return Object.fromEntries(Object.entries(definition).filter(([member]) => !names.includes(member)));
}

/** True if an entry equals another except for its name: callers send and get the same. */
function isRenamed(before: LockedEntry, after: LockedEntry): boolean {
  const shape = ({ definition }: LockedEntry): string =>
    canonical([definition['inputSchema'], definition['outputSchema'], definition['arguments'], definition['mimeType']]);
  const words = ({ definition }: LockedEntry): string => canonical(without(definition));
  if (shape(before) !== shape(after)) return false;
  // Schemas that say nothing are alike without meaning anything.
  return isTelling(before.definition) || words(before) === words(after);
}

function isTelling({ inputSchema, arguments: given }: Json): boolean {
  const properties = isObject(inputSchema) ? inputSchema['properties'] : given;
  return typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0;
}

function entryChanges(what: string, name: string, before: Json, after: Json): Change[] {
  return namesOf(before, after).flatMap((member): Change[] => {
    const [one, other] = [before[member], after[member]];
    if (canonical(one) === canonical(other)) return [];
    const at = `/${member}`;
    const add = (kind: ChangeClass, says: string): Change[] => [{ class: kind, what, name, at, says }];
    switch (member) {
      case 'description':
        return textChanges(what, name, at, one, other);
      case 'annotations':
        return annotationChanges(what, name, one, other);
      case 'inputSchema':
        return schemaChanges(one, other).flatMap((change) => ofSchema(change, 'input', what, name, at, one, other));
      case 'outputSchema':
        if (one === undefined) return add('breaking', 'an outputSchema is new: results are structured now');
        if (other === undefined) return add('breaking', 'the outputSchema is gone');
        return schemaChanges(one, other).flatMap((change) => ofSchema(change, 'output', what, name, at, one, other));
      case 'arguments':
        return argumentChanges(what, name, one, other);
      case 'mimeType':
        return add('breaking', `the MIME type was ${shown(one)}, is ${shown(other)}`);
      case 'title':
      case 'name':
      case 'icons':
      case 'size':
        return [...add('cosmetic', `${member} changed`), ...hiddenIn(what, name, { [member]: other })];
      default:
        return add('breaking', `${member} changed; what that means is not decided`);
    }
  });
}

function ofSchema(
  change: SchemaChange,
  side: 'input' | 'output',
  what: string,
  name: string,
  at: string,
  before: unknown,
  after: unknown,
): Change[] {
  const place = `${at}${change.at}`;
  if (change.kind === 'text')
    return textChanges(what, name, place, valueAt(before, change.at), valueAt(after, change.at));
  const isBreaking = change.kind === 'undecided' || change.kind === (side === 'input' ? 'narrower' : 'wider');
  // A result that loses a member breaks those who read it.
  const isLoss = side === 'output' && change.loses === true;
  const kind = change.kind === 'note' ? 'cosmetic' : isBreaking || isLoss ? 'breaking' : 'additive';
  return [{ class: kind, what, name, at: place, says: `${side === 'input' ? 'input' : 'output'}: ${change.says}` }];
}

function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const step of pointer.split('/').slice(1)) {
    const member = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, member) ? found[member] : undefined;
  }
  return found;
}

/** Values of hints that a server is taken to give where it gives none (2025-03-26: schema, ToolAnnotations). */
const hints: Readonly<Record<string, { absent: boolean; safe: boolean }>> = {
  readOnlyHint: { absent: false, safe: true },
  destructiveHint: { absent: true, safe: false },
  idempotentHint: { absent: false, safe: true },
  openWorldHint: { absent: true, safe: false },
};

function annotationChanges(what: string, name: string, before: unknown, after: unknown): Change[] {
  const [one, other] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  return namesOf(one, other).flatMap((hint): Change[] => {
    if (canonical(one[hint]) === canonical(other[hint])) return [];
    const says = `${hint} was ${shown(one[hint])}, is ${shown(other[hint])}`;
    const known = Object.hasOwn(hints, hint) ? hints[hint] : undefined;
    const meant = (given: unknown): unknown => given ?? known?.absent;
    const promisesLess = known !== undefined && meant(one[hint]) === known.safe && meant(other[hint]) !== known.safe;
    const kind = promisesLess ? 'security' : hint === 'title' ? 'cosmetic' : 'additive';
    return [{ class: kind, what, name, at: `/annotations/${hint}`, says }];
  });
}

function argumentChanges(what: string, name: string, before: unknown, after: unknown): Change[] {
  const [one, other] = [argumentsOf(before), argumentsOf(after)];
  return [...new Set([...one.keys(), ...other.keys()])].sort().flatMap((argument): Change[] => {
    const at = `/arguments/${argument}`;
    const [was, is] = [one.get(argument), other.get(argument)];
    const add = (kind: ChangeClass, says: string): Change[] => [{ class: kind, what, name, at, says }];
    if (was === undefined)
      return is!['required'] === true
        ? add('breaking', `the required argument ${argument} is new`)
        : add('additive', `the optional argument ${argument} is new`);
    if (is === undefined) return add('breaking', `the argument ${argument} is gone`);
    return namesOf(was, is).flatMap((member): Change[] => {
      if (canonical(was[member]) === canonical(is[member])) return [];
      if (member === 'description') return textChanges(what, name, `${at}/description`, was[member], is[member]);
      if (member !== 'required') return add('cosmetic', `${member} of the argument ${argument} changed`);
      return is['required'] === true
        ? add('breaking', `the argument ${argument} is required now`)
        : add('additive', `the argument ${argument} is no longer required`);
    });
  });
}

function argumentsOf(value: unknown): Map<string, Json> {
  const all = Array.isArray(value) ? value.filter(isObject) : [];
  return new Map(all.map((one) => [String(one['name'] as string), one]));
}

/** Words that a model reads: any change of them may be an instruction. */
function textChanges(what: string, name: string, at: string, before: unknown, after: unknown): Change[] {
  const word = at.endsWith('description') ? 'the description' : 'the text';
  const says = before === undefined ? `${word} is new` : after === undefined ? `${word} is gone` : `${word} changed`;
  return [
    {
      class: 'security',
      what,
      name,
      at,
      says,
      ...(typeof before === 'string' ? { before } : {}),
      ...(typeof after === 'string' ? { after } : {}),
    },
    ...hiddenIn(what, name, { [at]: after }),
  ];
}

function hiddenIn(what: string, name: string, definition: Json): Change[] {
  const found: Change[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value === 'string') {
      const hidden = hiddenCharacters(value, 3);
      if (hidden.length === 0) return;
      const reported = hidden.map(({ code, kind }) => `${code} (${kind})`).join(', ');
      found.push({ class: 'security', what, name, at, says: `it holds hidden characters: ${reported}` });
    } else if (Array.isArray(value)) value.forEach((one, index) => look(one, `${at}/${index}`));
    else if (isObject(value)) for (const [member, one] of Object.entries(value)) look(one, `${at}/${member}`);
  };
  for (const [member, value] of Object.entries(definition))
    look(value, member.startsWith('/') || member === '' ? member : `/${member}`);
  return found;
}

function namesOf(one: Json, other: Json): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : canonical(value);
}
