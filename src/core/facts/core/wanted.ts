/** Asks whether any rule could take a subject of which some facts are known, once in a while for each sort of message. */
import type { SubjectKind } from '../../model/rules/subject-kind.ts';

/** @returns undefined while nobody can say, as before the revision is known */
export type Wants = (kind: SubjectKind, known: Record<string, unknown>) => boolean | undefined;

/** @param side undefined where that fact is not known */
export type Wanted = (sort: string, side: string | boolean | undefined, method: unknown) => boolean;

const keptMethods = 1000;
/** Rules that have seen enough say so only when they are asked again; what nobody wants, nobody ever will. */
const askedEvery = 4096;

/**
 * @param kind of the subjects
 * @param names of the facts that are known of each: two that come in few values, and its method
 */
export function createWanted(kind: SubjectKind, [sortName, sideName]: readonly [string, string], wants: Wants): Wanted {
  // There are few sorts and sides of a method, so that a walk over them takes less than looking them up.
  const byMethod = new Map<unknown, { sort: string; side: unknown; answer: boolean; asked: number }[]>();
  return (sort, side, method) => {
    const known = byMethod.get(method);
    if (known !== undefined) {
      for (const one of known) {
        if (one.sort !== sort || one.side !== side) continue;
        one.asked += 1;
        if (one.answer && one.asked % askedEvery === 0) one.answer = ask(sort, side, method) ?? true;
        return one.answer;
      }
    }
    const answer = ask(sort, side, method);
    if (answer === undefined) return true;
    const one = { sort, side, answer, asked: 0 };
    if (known !== undefined) known.push(one);
    else if (byMethod.size < keptMethods) byMethod.set(method, [one]);
    return answer;
  };

  function ask(sort: string, side: string | boolean | undefined, method: unknown): boolean | undefined {
    return wants(kind, { [sortName]: sort, method, ...(side === undefined ? {} : { [sideName]: side }) });
  }
}
