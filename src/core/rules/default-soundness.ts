/**
 * The default selection of a rule: sound requests of the other party. Faulty, cancelled and disturbed requests are no
 * evidence about the judged party, except for rules that name them with `soundness`.
 */
import { soundnesses } from '../facts/jsonrpc/soundness.ts';
import type { FeatureFile, Given, RuleFile } from '../model/rules/rule.ts';
import type { GroupSelection, PairSelection, SubjectChoice } from '../model/rules/selection.ts';
import { allowed, type Filter, type SubjectKind } from '../model/rules/subject-kind.ts';

/** Kinds of subjects that begin with something that one party sends to the other. */
export const kindsAsked: ReadonlySet<SubjectKind> = new Set(['exchange', 'followUp', 'http', 'stream']);

/** Stands for all values. */
const any = 'any';
const words: readonly string[] = [...soundnesses, any];

/**
 * Fault of a rule that sends something wrong, or cancels something, without `soundness`.
 *
 * @returns undefined where nothing is
 */
export function unsaidSoundness({ given, role, stimulus, uses }: RuleFile | FeatureFile): string | undefined {
  if (role !== 'server' || uses !== undefined || stimulus === undefined) return undefined;
  const selects = JSON.stringify(given);
  if (selects.includes('"soundness"') || ![...kindsAsked].some((kind) => selects.includes(`"${kind}":`)))
    return undefined;
  const sends = JSON.stringify(stimulus);
  const what = sends.includes('"deviation":')
    ? 'what is wrong on purpose'
    : sends.includes('"cancel":')
      ? 'a cancellation'
      : undefined;
  return (
    what &&
    `the stimulus sends ${what}: say by "soundness" whether the rule judges that ("deviating", "wrong-headers", "cancelled", "any") or only what is sound ("sound")`
  );
}

/** Reports each value of `soundness` that no request has. */
export function checkSoundness(given: Given, report: (path: string, message: string) => void): void {
  const look = (choice: SubjectChoice, place: string): void => {
    for (const [kind, filter] of Object.entries(choice) as [SubjectKind, Filter][]) {
      for (const value of allowed(filter.soundness ?? any))
        if (!(words as readonly unknown[]).includes(value))
          report(`${place}.${kind}.soundness`, `no request is ${JSON.stringify(value)}. Known: ${words.join(', ')}`);
    }
  };
  if ('group' in given) look(given.group.of, 'given.group.of');
  else if ('pair' in given)
    for (const name of ['first', 'then', 'until'] as const) {
      const choice = given.pair[name];
      if (choice) look(choice, `given.pair.${name}`);
    }
  else look(given, 'given');
}

/** The given with the word where it is missing, and without it where all is asked for. */
export function withSoundness(given: Given, role: RuleFile['role']): Given {
  if ('group' in given) {
    const { of, ...group } = given.group as GroupSelection;
    return { group: { ...group, of: chosen(of, role) } };
  }
  if ('pair' in given) {
    const { first, then, until, ...pair } = given.pair as PairSelection;
    return {
      pair: {
        ...pair,
        first: chosen(first, role),
        then: chosen(then, role),
        ...(until ? { until: chosen(until, role) } : {}),
      },
    };
  }
  return chosen(given, role);
}

function chosen(choice: SubjectChoice, role: RuleFile['role']): SubjectChoice {
  const [[kind, filter]] = Object.entries(choice) as [[SubjectKind, Filter]];
  if (!kindsAsked.has(kind)) return choice;
  const { soundness, ...rest } = filter;
  if (soundness === any) return { [kind]: rest };
  return soundness === undefined && isAsked(kind, filter, role)
    ? { [kind]: { ...filter, soundness: 'sound' } }
    : choice;
}

/** True if the judged party receives the request. */
function isAsked(kind: SubjectKind, { from = 'client' }: Filter, role: RuleFile['role']): boolean {
  return kind === 'http' || kind === 'stream' ? role === 'server' : from !== role;
}
