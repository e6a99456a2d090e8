/**
 * Makes subjects over several messages of the subjects that the fold gives out, for the rules that select such: equal
 * selections of several rules are kept once. Independent of rules, without judgement.
 */
import { BoundedMap } from '../../model/bounded.ts';
import type { CompiledSelection, Selector } from '../../model/rules/selection.ts';
import { allows, subjectKinds, type SubjectKind } from '../../model/rules/subject-kind.ts';
import type { Subject } from '../state/subject.ts';
import { createGroups } from './groups.ts';
import { createPairs } from './pairs.ts';
import { none, type Selection } from './selection.ts';

const keptMethods = 1000;

/** The value of the fact `selection` in the subjects of a selection; rules find theirs by it. */
export function selectionKey(selection: CompiledSelection): string {
  return JSON.stringify(selection);
}

/** The subjects that a selection is made of. */
export function selectorsOf(selection: CompiledSelection): Selector[] {
  if (selection.kind === 'group') return [selection.of];
  return [selection.first, selection.then, ...(selection.until ? [selection.until] : [])];
}

export interface Selections extends Selection {
  /** True if there is any selection. */
  readonly any: boolean;
}

/**
 * @param wanted selections of rules; equal ones are taken once
 * @param isDeviation whether that party did something wrong on purpose in the subject
 */
export function createSelections(
  wanted: readonly CompiledSelection[],
  isDeviation: (subject: Subject, by: 'client' | 'server') => boolean,
): Selections {
  const all = [...new Map(wanted.map((one) => [selectionKey(one), one]))].map(([key, one]) => ({
    one,
    at: one.kind === 'group' ? createGroups(one, key) : createPairs(one, key),
  }));
  const byKind = new Map(subjectKinds.map((kind) => [kind, takersOf(kind)]));

  /** The selections that may take subjects of a kind with a method; most methods have none. */
  function takersOf(kind: SubjectKind): (method: unknown) => typeof all {
    const takes = (one: CompiledSelection, method?: { is: unknown }): boolean =>
      selectorsOf(one).some(
        (selector) => selector.kind === kind && (method === undefined || allows(selector.filter, 'method', method.is)),
      );
    const ofKind = all.filter(({ one }) => takes(one));
    const known = new BoundedMap<unknown, typeof all>(keptMethods);
    return (method) => {
      const found = known.get(method);
      if (found !== undefined) return found;
      const made = ofKind.filter(({ one }) => takes(one, { is: method }));
      known.set(method, made);
      return made;
    };
  }

  return {
    any: all.length > 0,
    take(subject, momentOf) {
      let done = none;
      for (const { one, at } of byKind.get(subject.kind)!(subject.facts.method)) {
        if (isDeviation(subject, one.role)) continue;
        const made = at.take(subject, momentOf);
        if (made.length > 0) done = done.length === 0 ? made : [...done, ...made];
      }
      return done;
    },
    end: (owner) =>
      all.flatMap(({ one, at }) => ((one.within === 'trace') === (owner === undefined) ? at.end(owner) : [])),
  };
}
