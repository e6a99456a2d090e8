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
  const bySort = new Map<string, Map<unknown, Map<unknown, boolean>>>();
  return (sort, side, method) => {
    let bySide = bySort.get(sort);
    if (!bySide) bySort.set(sort, (bySide = new Map()));
    let byMethod = bySide.get(side);
    if (!byMethod) bySide.set(side, (byMethod = new Map<unknown, boolean>()));
    const before = byMethod.get(method);
    if (before !== undefined) return before;
    const answer = wants(kind, { [sortName]: sort, method, ...(side === undefined ? {} : { [sideName]: side }) });
    if (answer !== undefined && byMethod.size < keptMethods) byMethod.set(method, answer);
    return answer ?? true;
  };
}
