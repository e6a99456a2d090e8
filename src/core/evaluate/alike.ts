/**
 * Counts subjects of which everything is known beforehand: they share one object of facts, all rules have said of such
 * a subject what they say, and have the evidence that they keep. A trace has millions of lines that are plain messages.
 */
import type { CountAlike } from '../facts/core/plugin.ts';
import { selectorsOf } from '../facts/selections/selections.ts';
import type { Subject } from '../facts/core/subject.ts';
import type { Alike, RuleJudge } from './rule-judge.ts';
import type { VerdictTree } from './verdict-tree.ts';

/** @param judges those by whose rules the trees were made */
export function createAlikes(
  treeOf: (subject: Subject) => VerdictTree | undefined,
  judges: readonly RuleJudge[],
): CountAlike {
  /** Groups and pairs are made of each single subject. */
  const selected = new Set(
    judges.flatMap(({ rule }) => (rule.selection ? selectorsOf(rule.selection).map(({ kind }) => kind) : [])),
  );
  const known = new WeakMap<Readonly<Record<string, unknown>>, Alike>();

  function find(subject: Subject): Alike | undefined {
    const found = selected.has(subject.kind) ? undefined : treeOf(subject)?.alike(subject);
    if (found !== undefined) known.set(subject.facts, found);
    return found;
  }

  return (kind, facts, session) => known.get(facts) ?? find({ kind, session, facts, events: [] });
}
