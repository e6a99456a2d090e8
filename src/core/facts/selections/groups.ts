/** Collects the members of groups, and gives each group out as one subject when it is complete. */
import type { CompiledGroup } from '../../model/rules/selection.ts';
import type { Subject } from '../state/subject.ts';
import type { SessionState } from '../state/session-state.ts';
import { none, type Selection } from './selection.ts';
import { messageFactOf, selector, sourceReader, typedKey, unreadable } from './source.ts';

/** Groups that are kept at a time, for each connection (or the trace); the oldest goes first. */
const mostGroups = 10_000;
const mostValues = 1_000;
const mostEvents = 200;
/** Values that are kept of all groups of a connection together, and characters of one of them. */
const mostValuesTogether = 100_000;
const longestValue = 10_000;

interface Group {
  key: unknown;
  count: number;
  first: unknown;
  last: unknown;
  times: number[];
  values: Record<string, unknown[]>;
  events: number[];
  /** Some member could not be read. */
  holed: boolean;
  /** There are more values than are kept. */
  cut: boolean;
}

interface Kept {
  groups: Map<string, Group>;
  /** Number of values that they hold together. */
  values: number;
}

/** Values beyond the limit are not reported for the group. */
function isFull({ cut, events }: Group): boolean {
  return cut && events.length >= mostEvents;
}

function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > longestValue;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > longestValue;
}

/** The lists of a group, as conditions name them. */
function listsOf(names: readonly string[]): readonly string[] {
  return ['subject.times', ...names.map((name) => `subject.values.${name}`)];
}

/** @param selection names the value under which the rule finds its own groups */
export function createGroups(group: CompiledGroup, selection: string): Selection {
  const selects = selector(group.of);
  const keys = group.by.map(sourceReader);
  const values = group.values.map(([name, source]) => ({ name, read: sourceReader(source) }));
  /** Unknown facts of an incomplete group, and those with a known beginning: one set for all. */
  const lists = new Set(listsOf(group.values.map(([name]) => name)));
  const untold = new Set(['subject.count', 'subject.first', 'subject.last', ...lists]);
  const messageFact = messageFactOf(group.of.kind)?.slice('subject.'.length);
  /** By connection; undefined stands for the trace. */
  const open = new Map<SessionState | undefined, Kept>();

  function groupFor(kept: Kept, key: readonly unknown[]): Group {
    const { groups } = kept;
    const typed = typedKey(key);
    let found = groups.get(typed);
    if (!found) {
      if (groups.size >= mostGroups) letGoOldest(kept);
      found = {
        key: group.by.length === 1 ? key[0] : key,
        count: 0,
        first: undefined,
        last: undefined,
        times: [],
        values: {},
        events: [],
        holed: false,
        cut: false,
      };
      for (const { name } of values) found.values[name] = [];
      groups.set(typed, found);
    }
    return found;
  }

  /** The group's values are released for others. */
  function letGoOldest(kept: Kept): void {
    const [oldest, { values: held }] = kept.groups.entries().next().value!;
    kept.groups.delete(oldest);
    for (const list of Object.values(held)) kept.values -= list.length;
  }

  function subjectOf(owner: SessionState | undefined, one: Group): Subject {
    const facts: Record<string, unknown> = {
      selection,
      key: one.key,
      count: one.count,
      first: one.first,
      last: one.last,
      times: one.times,
    };
    for (const [name, list] of Object.entries(one.values)) facts[`values.${name}`] = list;
    return {
      kind: 'group',
      ...(owner ? { session: owner } : {}),
      facts,
      events: one.events,
      ...(one.holed || one.cut ? { hidden: untold } : {}),
      ...(one.cut && !one.holed ? { beginning: lists } : {}),
    };
  }

  return {
    take(subject, momentOf) {
      if (!selects(subject)) return none;
      const key: unknown[] = [];
      for (const read of keys) {
        const part = read(subject);
        // Without its key its group is unknown.
        if (part === unreadable || part === undefined) return none;
        key.push(part);
      }
      const owner = group.within === 'session' ? subject.session : undefined;
      let kept = open.get(owner);
      if (kept === undefined) open.set(owner, (kept = { groups: new Map(), values: 0 }));
      const one = groupFor(kept, key);
      if (isFull(one)) return none;
      const message = group.keepsMessages && messageFact !== undefined ? subject.facts[messageFact] : undefined;
      if (one.count === 0) one.first = message;
      one.last = message;
      one.count += 1;
      if (one.events.length < mostEvents)
        for (const seq of subject.events) if (one.events.length < mostEvents) one.events.push(seq);
      if (one.count > mostValues || kept.values >= mostValuesTogether) {
        one.cut = true;
        return none;
      }
      one.times.push(momentOf(subject).t);
      for (const { name, read } of values) {
        const value = read(subject);
        if (value === unreadable || isLong(value)) one.holed = true;
        else if (value !== undefined) {
          one.values[name]!.push(value);
          kept.values += 1;
        }
      }
      return none;
    },
    end(owner) {
      const kept = open.get(owner);
      open.delete(owner);
      return kept ? [...kept.groups.values()].map((one) => subjectOf(owner, one)) : [];
    },
  };
}
