/** Finds the judges of a subject: by its kind, its missing facts, and the rules that select it. */
import type { Subject } from '../facts/state/subject.ts';
import type { CompiledRule } from '../model/rules/rule.ts';
import type { SubjectKind } from '../model/rules/subject-kind.ts';
import { createRuleIndex } from './rule-index.ts';
import type { RuleJudge } from './rule-judge.ts';

type Find = (subject: Subject) => readonly RuleJudge[];

interface Finds {
  /** Judges that select the subject by facts that are known of it. */
  sure: Find;
  /** Judges that would select it by what may come from a gap; each until it has noted one such subject. */
  doubtful: Find | undefined;
}

const none: readonly RuleJudge[] = [];
const nothing: ReadonlySet<string> = new Set();

/**
 * @param onUnselectable receives rules that cannot select subjects with these missing facts
 * @returns the judges that take a subject; those that might take it with complete facts have recorded it
 */
export function createJudgeFinder(
  judges: readonly RuleJudge[],
  onUnselectable?: (rule: CompiledRule, hidden: ReadonlySet<string>) => void,
): Find {
  const byKind = new Map<SubjectKind, RuleJudge[]>();
  for (const judge of judges) {
    const group = byKind.get(judge.rule.kind);
    if (group) group.push(judge);
    else byKind.set(judge.rule.kind, [judge]);
  }
  /** The sets of hidden facts are few, and each is one object: see facts/registry/unrecorded.ts. */
  const known = new WeakMap<ReadonlySet<string>, Map<SubjectKind, Finds>>();
  const spent = new Set<RuleJudge>();

  function findsFor(kind: SubjectKind, hidden: ReadonlySet<string>): Finds | undefined {
    let finds = known.get(hidden);
    if (!finds) known.set(hidden, (finds = new Map()));
    let found = finds.get(kind);
    const group = byKind.get(kind);
    if (!found && group) finds.set(kind, (found = make(group, hidden)));
    return found;
  }

  function make(group: readonly RuleJudge[], hidden: ReadonlySet<string>): Finds {
    const unselectable = group.filter(({ rule }) => selectsBy(rule, hidden));
    for (const { rule } of unselectable) onUnselectable?.(rule, hidden);
    return {
      sure: createRuleIndex(group.filter((judge) => !unselectable.includes(judge))),
      doubtful: unselectable.length === 0 ? undefined : createRuleIndex(unselectable),
    };
  }

  return (subject) => {
    const finds = findsFor(subject.kind, subject.hidden ?? nothing);
    if (!finds) return none;
    for (const judge of finds.doubtful?.(subject) ?? none)
      if (!spent.has(judge) && judge.drop(subject)) spent.add(judge);
    return finds.sure(subject);
  };
}

/** True if the rule selects its subjects by one of the facts. */
function selectsBy({ filter }: CompiledRule, facts: ReadonlySet<string>): boolean {
  return Object.keys(filter).some((name) => facts.has(`subject.${name}`));
}
