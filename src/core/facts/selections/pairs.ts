/** Waits for the second subject of each pair, and gives the pair out when it came or is not waited for any more. */
import type { CompiledPair, CompiledSource } from '../../model/rules/selection.ts';
import type { Subject } from '../state/subject.ts';
import type { SessionState } from '../state/session-state.ts';
import { none, type Moment, type Selection } from './selection.ts';
import { messageFactOf, selector, sourceReader, typedKey, unreadable } from './source.ts';

/** Pairs that may be open at a time, for each connection (or the trace); the oldest goes first. */
const mostOpen = 10_000;

interface Open {
  key: string;
  first: unknown;
  at: Moment;
  events: readonly number[];
}

/** @param selection names the value under which the rule finds its own pairs */
export function createPairs(pair: CompiledPair, selection: string): Selection {
  const isFirst = selector(pair.first);
  const isThen = selector(pair.then);
  const isUntil = pair.until ? selector(pair.until) : () => false;
  const firstKey = keyReader(pair.match.map(([first]) => first));
  const thenKey = keyReader(pair.match.map(([, then]) => then));
  const firstMessage = pair.keepsMessages ? messageReader(pair.first.kind) : () => undefined;
  const thenMessage = messageReader(pair.then.kind);
  /** In the order in which they were opened, by connection; undefined stands for the trace. */
  const open = new Map<SessionState | undefined, Set<Open>>();
  const byKey = new Map<SessionState | undefined, Map<string, Open[]>>();

  function remember(owner: SessionState | undefined, one: Open): void {
    let all = open.get(owner);
    if (!all) open.set(owner, (all = new Set<Open>()));
    if (all.size >= mostOpen) forget(owner, all.values().next().value!);
    all.add(one);
    let keyed = byKey.get(owner);
    if (!keyed) byKey.set(owner, (keyed = new Map<string, Open[]>()));
    const same = keyed.get(one.key);
    if (same) same.push(one);
    else keyed.set(one.key, [one]);
  }

  function forget(owner: SessionState | undefined, one: Open): void {
    open.get(owner)?.delete(one);
    const keyed = byKey.get(owner);
    const same = keyed?.get(one.key);
    if (!keyed || !same) return;
    // Nearly always the oldest of its key.
    const at = same.indexOf(one);
    if (at !== -1) same.splice(at, 1);
    if (same.length === 0) keyed.delete(one.key);
  }

  function subjectOf(
    owner: SessionState | undefined,
    one: Open,
    ended: 'then' | 'until' | 'end',
    second?: { subject: Subject; at: Moment },
  ): Subject {
    return {
      kind: 'pair',
      ...(owner ? { session: owner } : {}),
      facts: {
        selection,
        first: one.first,
        ended,
        ...(second
          ? {
              then: thenMessage(second.subject),
              elapsedMs: second.at.t - one.at.t,
              between: Math.max(0, second.at.messages - one.at.messages - 1),
            }
          : {}),
      },
      events: second ? [...one.events, ...second.subject.events] : [...one.events],
    };
  }

  return {
    take(subject, momentOf) {
      const owner = pair.within === 'session' ? subject.session : undefined;
      let done = none;
      if (isThen(subject)) {
        const key = thenKey(subject);
        const one = key === undefined ? undefined : byKey.get(owner)?.get(key)?.[0];
        if (one) {
          forget(owner, one);
          done = [subjectOf(owner, one, 'then', { subject, at: momentOf(subject) })];
        }
      }
      if (isUntil(subject)) {
        const left = [...(open.get(owner) ?? [])];
        done = [...done, ...left.map((one) => subjectOf(owner, one, 'until'))];
        open.delete(owner);
        byKey.delete(owner);
      }
      if (isFirst(subject)) {
        const key = firstKey(subject);
        if (key !== undefined)
          remember(owner, { key, first: firstMessage(subject), at: momentOf(subject), events: subject.events });
      }
      return done;
    },
    end(owner) {
      const left = [...(open.get(owner) ?? [])];
      open.delete(owner);
      byKey.delete(owner);
      return left.map((one) => subjectOf(owner, one, 'end'));
    },
  };
}

function messageReader(kind: Subject['kind']): (subject: Subject) => unknown {
  const name = messageFactOf(kind)?.slice('subject.'.length);
  return (subject) => (name === undefined ? undefined : subject.facts[name]);
}

/** The key of a subject; undefined when a part of it is absent, or the trace does not contain it. */
function keyReader(sources: readonly CompiledSource[]): (subject: Subject) => string | undefined {
  const readers = sources.map(sourceReader);
  return (subject) => {
    const values: unknown[] = [];
    for (const read of readers) {
      const one = read(subject);
      if (one === unreadable || one === undefined) return undefined;
      values.push(one);
    }
    return typedKey(values);
  };
}
