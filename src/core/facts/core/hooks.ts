/**
 * Runs the hooks of features in their declared order. A hook that throws ends its feature for the rest of the trace:
 * its facts are missing, which rules that read them report. Everything else continues.
 */
import type { SubjectKind } from '../../model/rules/subject-kind.ts';
import type { TraceEvent } from '../../model/trace.ts';
import type { SessionState } from '../state/session-state.ts';
import type { Definitions, Facts, Feature, Given, Hooks, Surroundings } from './plugin.ts';
import { FactError } from './reading.ts';
import type { Subject } from '../state/subject.ts';

/** A feature that threw, and the event at which it did. */
export interface Fault {
  feature: string;
  reason: string;
}

const nothing: readonly never[] = [];

/** A feature, and whether it has thrown. */
interface Owner {
  name: string;
  /** Names of its facts, by kind of subject. */
  declared: ReadonlyMap<string, ReadonlySet<string>>;
  broken: boolean;
}

/** A hook of a feature. */
interface Bound<F> {
  owner: Owner;
  call: F;
}

/** Output of hooks for one subject; lists are created lazily. */
export class Made {
  readonly kind: SubjectKind;
  readonly facts: Facts | undefined;
  readonly events: number[] | undefined;
  subjects: readonly Subject[] = nothing;
  /** By fact: the events that it rests on. */
  cites: Record<string, readonly number[]> | undefined;

  /**
   * @param facts of the new subject; undefined if not needed
   * @param events further evidence of the subject; undefined if not needed
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

/** Hooks of one name, in order. No hook takes more than two values. */
export type Bounds<A, B> = readonly Bound<(first: A, second: B) => Given | undefined>[];

/** Hooks that supply facts and subjects; `beside` takes events instead. */
type GivingHook = Exclude<keyof Hooks, 'beside'>;
type Taken<K extends GivingHook> = Parameters<NonNullable<Hooks[K]>>;

export interface HookRunner {
  of<K extends GivingHook>(name: K): Bounds<Taken<K>[0], Taken<K>[1]>;
  /** Calls hooks, and gives the subjects that are complete. @param seq of the event, for faults */
  gather<A, B>(hooks: Bounds<A, B>, seq: number, first: A, second: B): readonly Subject[];
  /** The same for a subject that is being made, to which what they give is added. */
  collect<A, B>(hooks: Bounds<A, B>, made: Made, seq: number, first: A, second: B): void;
  /** Asks hooks until one takes the event for itself; undefined where none does. */
  taken(event: TraceEvent, session: SessionState): readonly Subject[] | undefined;
  readonly faults: readonly Fault[];
}

/** @throws Error where the declared order has a circle, or names a feature that there is not */
export function createHookRunner(features: readonly Feature[], surroundings: Surroundings): HookRunner {
  const faults: Fault[] = [];
  const running = inOrder(features).flatMap(({ name, facts = {}, create }) => {
    const declared = new Map(
      Object.entries(facts).map(([kind, definitions]) => [kind, new Set(Object.keys(definitions as Definitions))]),
    );
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

  function add(owner: Owner, made: Made, { facts, events, cites, subjects }: Given): void {
    if (facts !== undefined) join(owner, made, facts);
    if (events !== undefined) for (const seq of events) made.events?.push(seq);
    if (cites !== undefined) made.cites = { ...made.cites, ...cites };
    if (subjects !== undefined) for (const subject of subjects) made.add(subject);
  }

  function bind<K extends keyof Hooks>(name: K): Bound<NonNullable<Hooks[K]>>[] {
    return running.flatMap(({ owner, hooks }) => {
      const call = hooks[name];
      return call ? [{ owner, call: call.bind(hooks) as NonNullable<Hooks[K]> }] : [];
    });
  }

  const others = bind('beside');
  return {
    of: (name) => bind(name) as never,
    gather(hooks, seq, first, second) {
      let gathered: readonly Subject[] = nothing;
      for (const { owner, call } of hooks) {
        if (owner.broken) continue;
        try {
          const subjects = call(first, second)?.subjects ?? nothing;
          if (subjects.length > 0) gathered = gathered.length === 0 ? subjects : [...gathered, ...subjects];
        } catch (error) {
          ends(owner, seq, error);
        }
      }
      return gathered;
    },
    collect(hooks, made, seq, first, second) {
      for (const { owner, call } of hooks) {
        if (owner.broken) continue;
        try {
          const more = call(first, second);
          if (more !== undefined) add(owner, made, more);
        } catch (error) {
          ends(owner, seq, error);
        }
      }
    },
    taken(event, session) {
      for (const { owner, call } of others) {
        if (owner.broken) continue;
        try {
          const subjects = call(event, session);
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

/** Each feature follows those in its `after`; otherwise in the order of the list. */
export function inOrder(features: readonly Feature[]): Feature[] {
  const byName = new Map(features.map((one) => [one.name, one]));
  const done = new Set<Feature>();
  const open = new Set<Feature>();
  const visit = (feature: Feature): void => {
    if (done.has(feature)) return;
    if (open.has(feature))
      throw new Error(
        `the order of the features is a circle: ${[...open, feature].map(({ name }) => name).join(' after ')}`,
      );
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
