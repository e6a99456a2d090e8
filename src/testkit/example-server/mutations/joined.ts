/**
 * Several changes of behaviour in one server. Most seams pass a value on, so that each change acts in turn; of the
 * others a server can have one change only.
 */
import type { About, Behaviour, BehaviourChange } from '../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../server/protocol/json-rpc.ts';

type Nested = 'tasks' | 'stdio' | 'http' | 'guard' | 'sse';
const nested: readonly Nested[] = ['tasks', 'stdio', 'http', 'guard', 'sse'];

// oxlint-disable-next-line typescript/no-explicit-any -- seams of whatever form; each joining function below knows its own
type Seam = any;
type Join = (first: Seam, second: Seam) => Seam;

const both: Join =
  (first, second) =>
  (...given: unknown[]) => {
    first(...given);
    second(...given);
  };
/** The second works on what the first made of the value, as long as there is one. */
const passOn: Join =
  (first, second) =>
  (value: unknown, ...rest: unknown[]) => {
    const made = first(value, ...rest);
    return made === undefined ? undefined : second(made, ...rest);
  };
const firstAnswer: Join =
  (first, second) =>
  (...given: unknown[]) =>
    first(...given) ?? second(...given);
const either: Join =
  (first, second) =>
  (...given: unknown[]) =>
    Boolean(first(...given)) || Boolean(second(...given));

/** The second changes what the first left, as long as that is still what it takes it for. */
const outgoing: Join =
  (first: Behaviour['outgoing'], second: Behaviour['outgoing']): Behaviour['outgoing'] =>
  (message, about) =>
    first(message, about).flatMap((one) => {
      const kind = kindOf(one, about);
      try {
        return kind === undefined ? [one] : second(one, { ...about, kind });
      } catch {
        // The first left nothing of what the second wants to change. Its rule does not fail then, and it is looked at alone.
        return [one];
      }
    });

function kindOf(message: JsonObject, about: About): About['kind'] | undefined {
  if ('method' in message) return about.kind === 'request' || about.kind === 'notification' ? about.kind : undefined;
  if (isObject(message.result)) return 'result';
  return isObject(message.error) ? 'error' : undefined;
}

/** Combination of two changes of one seam. A seam that is not listed supports one change. */
const joins: Readonly<Record<string, Join>> = {
  outgoing,
  incoming: either,
  capabilities: passOn,
  onConnected: both,
  onInitializing: both,
  onInitialized: both,
  onListening: both,
  'http.hear':
    (first: Behaviour['http']['hear'], second: Behaviour['http']['hear']): Behaviour['http']['hear'] =>
    (view) =>
      second({ ...view, headers: first(view) }),
  'http.gate': firstAnswer,
  'http.reply': passOn,
  'http.head': passOn,
};

/** Each seam of the change, with its replacement; without neglected duties. */
function seamsOf(change: BehaviourChange): [name: string, seam: Seam][] {
  return Object.entries(change).flatMap(([name, seam]): [string, Seam][] => {
    if (name === 'neglects') return [];
    return nested.includes(name as Nested)
      ? Object.entries(seam as object).map(([part, one]) => [`${name}.${part}`, one])
      : [[name, seam]];
  });
}

/** True if one server can have both changes. */
export function canBeJoined(one: BehaviourChange, other: BehaviourChange): boolean {
  const taken = new Set(seamsOf(other).map(([name]) => name));
  return seamsOf(one).every(([name]) => !taken.has(name) || name in joins);
}

/** One change that does what all of them do, in their order. @throws Error when they cannot be joined */
export function joined(changes: readonly BehaviourChange[]): BehaviourChange {
  const seams = new Map<string, Seam>();
  for (const [name, seam] of changes.flatMap(seamsOf)) {
    const before = seams.get(name);
    const join = joins[name];
    if (before !== undefined && join === undefined) throw new Error(`Two changes of ${name} cannot be joined.`);
    seams.set(name, before === undefined ? seam : join!(before, seam));
  }
  const change: Record<string, unknown> = { neglects: [...new Set(changes.flatMap(({ neglects = [] }) => neglects))] };
  for (const [name, seam] of seams) {
    const [outer, inner] = name.split('.') as [string, string?];
    if (inner === undefined) change[outer] = seam;
    else change[outer] = { ...(change[outer] as object | undefined), [inner]: seam };
  }
  return change as BehaviourChange;
}
