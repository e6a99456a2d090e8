/**
 * Runs the hooks of features in their declared order. A hook that throws ends its feature for the rest of the trace: its
 * facts are told no more, which rules that read them say; everything else goes on.
 */
import type { SubjectKind } from '../../model/rules/subject-kind.ts';
import type { TraceEvent } from '../../model/trace.ts';
import type { SessionState } from '../session/session-state.ts';
import type { Definitions, Facts, Feature, Given, Hooks, Surroundings } from './plugin.ts';
import { FactError } from './reading.ts';
import type { Subject } from './subject.ts';

/** A feature that threw, and the event at which it did. */
export interface Fault {
  feature: string;
  reason: string;
}

const nothing: readonly never[] = [];

/** What hooks give for one subject. There are millions: no list before there is something in it. */
export class Made {
  readonly kind: SubjectKind;
  readonly facts: Facts | undefined;
  readonly events: number[] | undefined;
  subjects: readonly Subject[] = nothing;

  /**
   * @param facts of the subject that is being made; undefined where nobody wants it
   * @param events that the subject rests on besides; undefined where nobody asks
   */
  constructor(kind: SubjectKind, facts: Facts | undefined, events?: number[]) {
    this.kind = kind;
    this.facts = facts;
    this.events = events;
  }

  add(subject: Subject): void {
    if (this.subjects === nothing) this.subjects = [subject];
    else (this.subjects as Subject[]).push(subject);
  }
}

interface Owner {
  name: string;
  declared: ReadonlyMap<string, ReadonlySet<string>>;
  broken: boolean;
}

export interface Bound<F> {
  owner: Owner;
  hooks: Hooks;
  call: F;
}

export interface HookRunner {
  /** The hooks of one name, in order. */
  of<K extends keyof Hooks>(name: K): readonly Bound<NonNullable<Hooks[K]>>[];
  /** Calls hooks with up to two arguments, and gives the subjects that are complete. @param seq of the event, for faults */
  gather<A, B>(bound: readonly Bound<(first: A, second: B) => Given | undefined>[], seq: number, first: A, second: B): readonly Subject[];
  /** The same for a subject that is being made, to which what they give is added. */
  collect<A, B>(bound: readonly Bound<(first: A, second: B) => Given | undefined>[], made: Made, seq: number, first: A, second: B): void;
  /** Asks hooks until one takes the event for itself; undefined where none does. */
  taken(bound: readonly Bound<NonNullable<Hooks['beside']>>[], event: TraceEvent, session: SessionState): readonly Subject[] | undefined;
  readonly faults: readonly Fault[];
}

/** @throws Error where the declared order has a circle, or names a feature that there is not */
export function createHookRunner(features: readonly Feature[], surroundings: Surroundings): HookRunner {
  const faults: Fault[] = [];
  const running = inOrder(features).flatMap(({ name, facts = {}, create }) => {
    const declared = new Map(Object.entries(facts).map(([kind, definitions]) => [kind, new Set(Object.keys(definitions as Definitions))]));
    return create ? [{ owner: { name, declared, broken: false }, hooks: create(surroundings) }] : [];
  });

  function join({ name, declared }: Owner, { kind, facts }: Made, more: Facts): void {
    if (facts === undefined) return;
    const own = declared.get(kind);
    for (const fact in more) {
      if (!own?.has(fact)) throw new Error(`${fact} is no fact that ${name} declares for ${kind} subjects`);
      facts[fact] = more[fact];
    }
  }

  function ends(owner: Owner, seq: number, error: unknown): void {
    owner.broken = true;
    faults.push({ feature: owner.name, reason: new FactError(owner.name, `at event ${seq}`, error).message });
  }

  return {
    of: (name) =>
      running.flatMap(({ owner, hooks }) => {
        const call = hooks[name];
        return call ? [{ owner, hooks, call }] : [];
      }),
    gather(bound, seq, first, second) {
      let all: readonly Subject[] = nothing;
      for (let at = 0; at < bound.length; at += 1) {
        const { owner, hooks, call } = bound[at]!;
        if (owner.broken) continue;
        try {
          const subjects = call.call(hooks, first, second)?.subjects;
          if (subjects !== undefined && subjects.length > 0) all = all.length === 0 ? subjects : [...all, ...subjects];
        } catch (error) {
          ends(owner, seq, error);
        }
      }
      return all;
    },
    collect(bound, made, seq, first, second) {
      for (let at = 0; at < bound.length; at += 1) {
        const { owner, hooks, call } = bound[at]!;
        if (owner.broken) continue;
        try {
          const given = call.call(hooks, first, second);
          if (given === undefined) continue;
          if (given.facts !== undefined) join(owner, made, given.facts);
          if (given.events !== undefined) for (const seq of given.events) made.events?.push(seq);
          if (given.subjects !== undefined) for (const subject of given.subjects) made.add(subject);
        } catch (error) {
          ends(owner, seq, error);
        }
      }
    },
    taken(bound, event, session) {
      for (const { owner, hooks, call } of bound) {
        if (owner.broken) continue;
        try {
          const subjects = call.call(hooks, event, session);
          if (subjects !== undefined) return subjects;
        } catch (error) {
          ends(owner, event.seq, error);
        }
      }
      return undefined;
    },
    faults,
  };
}

/** Each feature behind those that it names in `after`; apart from that in the order of the list. */
export function inOrder(features: readonly Feature[]): Feature[] {
  const byName = new Map(features.map((one) => [one.name, one]));
  const done = new Set<Feature>();
  const open = new Set<Feature>();
  const visit = (feature: Feature): void => {
    if (done.has(feature)) return;
    if (open.has(feature)) throw new Error(`the order of the features is a circle: ${[...open, feature].map(({ name }) => name).join(' after ')}`);
    open.add(feature);
    for (const name of feature.after ?? []) {
      const before = byName.get(name);
      if (!before) throw new Error(`the feature ${feature.name} comes after ${name}, which is no feature`);
      visit(before);
    }
    open.delete(feature);
    done.add(feature);
  };
  for (const feature of features) visit(feature);
  return [...done];
}
