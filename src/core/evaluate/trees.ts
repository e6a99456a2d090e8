/** Finds the tree of verdicts for a subject: by its kind, by what the trace does not tell of it, and by the rules that select it. */
import { settled } from '../facts/core/reading.ts';
import type { Subject } from '../facts/core/subject.ts';
import type { CompiledRule } from '../model/rules/rule.ts';
import type { SubjectKind } from '../model/rules/subject-kind.ts';
import { firstWalks } from './conditions/leaf-code.ts';
import type { LeafTests } from './conditions/leaf.ts';
import { createRuleIndex } from './rule-index.ts';
import type { RuleJudge } from './rule-judge.ts';
import { createVerdictTree, type VerdictTree } from './verdict-tree.ts';

type Find = (subject: Subject) => VerdictTree;

const nothing: ReadonlySet<string> = new Set();

/** For judges that want to be asked about each subject: no tree. */
function each(judges: readonly RuleJudge[]): VerdictTree {
  return {
    judges,
    alike: () => undefined,
    take(subject) {
      // Decided later, by what is known now.
      const now = { ...subject, facts: settled(subject.facts) };
      for (const judge of judges) judge.take(now);
    },
  };
}

/**
 * @param tests those of leaves, for trees; without them each judge takes each of its subjects itself
 * @param walks subjects before a tree is compiled
 * @param onUnselectable told of rules that take none of the subjects of which these facts are not told
 * @returns undefined for subjects of a kind that no rule is about
 */
export function createTrees(
  judges: readonly RuleJudge[],
  tests: LeafTests | undefined,
  walks = firstWalks,
  onUnselectable?: (rule: CompiledRule, hidden: ReadonlySet<string>) => void,
): (subject: Subject) => VerdictTree | undefined {
  const byKind = new Map<SubjectKind, RuleJudge[]>();
  for (const judge of judges) {
    const group = byKind.get(judge.rule.kind);
    if (group) group.push(judge);
    else byKind.set(judge.rule.kind, [judge]);
  }
  const whole = new Map<SubjectKind, Find>();
  /** The sets of hidden facts are few, and each is one object: see facts/unrecorded.ts. */
  const partial = new WeakMap<ReadonlySet<string>, Map<SubjectKind, Find>>();
  /** Of the same sets and kinds: gives the rules that select a subject by what is hidden, as long as they have dropped nothing. */
  const doubting = new WeakMap<Find, (subject: Subject) => RuleJudge[]>();

  function make(among: readonly RuleJudge[], hidden: ReadonlySet<string>): Find {
    return createRuleIndex(
      among,
      (list, same) => (tests ? createVerdictTree(list, { same, hidden }, tests, walks) : each(list)),
      walks,
    );
  }

  function partialFor(hidden: ReadonlySet<string>): Map<SubjectKind, Find> {
    let finds = partial.get(hidden);
    if (!finds) partial.set(hidden, (finds = new Map<SubjectKind, Find>()));
    return finds;
  }

  return (subject) => {
    const { kind, hidden } = subject;
    const finds = hidden === undefined ? whole : partialFor(hidden);
    let find = finds.get(kind);
    if (!find) {
      const group = byKind.get(kind);
      if (!group) return undefined;
      // What a rule selects by must be known.
      find =
        hidden === undefined
          ? make(group, nothing)
          : make(
              group.filter(({ rule }) => !selectsBy(rule, hidden)),
              hidden,
            );
      if (hidden !== undefined) {
        const unselectable = group.filter(({ rule }) => selectsBy(rule, hidden));
        for (const { rule } of unselectable) onUnselectable?.(rule, hidden);
        if (unselectable.length > 0)
          doubting.set(
            find,
            createRuleIndex(unselectable, (list) => [...list], walks),
          );
      }
      finds.set(kind, find);
    }
    const doubtful = doubting.get(find);
    if (doubtful !== undefined) dropBy(doubtful(subject), subject);
    return find(subject);
  };
}

/** A subject that rules would select by what may come from a gap: whoever drops it is asked no more. */
function dropBy(judges: RuleJudge[], subject: Subject): void {
  for (let at = judges.length - 1; at >= 0; at -= 1) if (judges[at]!.drop(subject)) judges.splice(at, 1);
}

/** Whether the rule selects its subjects by one of the facts. */
export function selectsBy({ filter }: CompiledRule, facts: ReadonlySet<string>): boolean {
  return Object.keys(filter).some((name) => facts.has(`subject.${name}`));
}
