/** Asks whether any rule could take a subject of which some facts are known, once for each sort of message. */
import type { SubjectKind } from '../../model/rules/subject-kind.ts';

/** @returns undefined while nobody can say, as before the revision is known */
export type Wants = (kind: SubjectKind, known: Record<string, unknown>) => boolean | undefined;

/** @param side undefined where that fact is not known */
export type Wanted = (sort: string, side: string | boolean | undefined, method: unknown) => boolean;

const keptMethods = 1000;

/**
 * @param kind of the subjects
 * @param names of the facts that are known of each: two that come in few values, and its method
 */
export function createWanted(kind: SubjectKind, [sortName, sideName]: readonly [string, string], wants: Wants): Wanted {
  // There are few sorts and sides of a method, so that a walk over them takes less than looking them up.
  const byMethod = new Map<unknown, { sort: string; side: unknown; answer: boolean }[]>();
  return (sort, side, method) => {
    const known = byMethod.get(method);
    if (known !== undefined) for (const one of known) if (one.sort === sort && one.side === side) return one.answer;
    const answer = wants(kind, { [sortName]: sort, method, ...(side === undefined ? {} : { [sideName]: side }) });
    if (answer === undefined) return true;
    if (known !== undefined) known.push({ sort, side, answer });
    else if (byMethod.size < keptMethods) byMethod.set(method, [{ sort, side, answer }]);
    return answer;
  };
}
