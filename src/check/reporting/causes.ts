/**
 * Failures that have one cause: rules that find fault with the same property of the same message are one finding. The
 * most specific rule names it, and the others are in its `also`.
 */
import { inOrder, type Cause } from '../../core/evaluate/outcome-cases.ts';
import type { RuleOutcome } from '../../core/evaluate/rule-tally.ts';
import type { ReportVerdict } from '../../core/model/reports/run-report.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { leavesOf } from '../../core/rules/shared-definitions.ts';

export interface Judgement {
  verdict: ReportVerdict;
  outcome: RuleOutcome;
}

/** The events that may be blamed: those of all causes. */
export function causeEvents(judgements: readonly Judgement[]): Set<number> {
  return new Set(
    judgements.flatMap(({ verdict, outcome }) =>
      verdict.status === 'fail' ? outcome.causes.flatMap(({ events }) => [...events]) : [],
    ),
  );
}

/**
 * The verdicts with the events to blame and with what belongs together. A rule is folded only where each of its
 * failures is one of rules that count at least as much; nothing that only it shows is ever hidden.
 *
 * @param events those of causes, by their seqs
 */
export function withCauses(judgements: readonly Judgement[], events: ReadonlyMap<number, TraceEvent>): ReportVerdict[] {
  const failed = judgements.filter(({ verdict }) => verdict.status === 'fail');
  const keys = new Map(failed.map((one) => [one, keysOf(one, events)]));
  /** By key: the rule that names the cause. */
  const owners = new Map<string, string>();
  const folded = new Map<string, string>();
  const also = new Map<string, string[]>();
  for (const one of failed.toSorted(byWeight)) {
    const own = keys.get(one);
    const owner = own !== undefined && own.every((key) => owners.has(key)) ? owners.get(own[0]!) : undefined;
    const { rule } = one.verdict;
    if (owner === undefined) for (const key of own ?? []) owners.set(key, owners.get(key) ?? rule);
    else {
      folded.set(rule, owner);
      also.set(owner, [...(also.get(owner) ?? []), rule]);
    }
  }
  return judgements.map(({ verdict, outcome }) => {
    if (verdict.status !== 'fail') return verdict;
    const evidence = verdict.evidence.map((one, at) => {
      const place = placeOf(outcome.causes[at], outcome.rule.role, events);
      // A long case shows only some of its events, but always the wrong one.
      const reported =
        place.event === undefined || one.events.includes(place.event)
          ? one.events
          : inOrder([...one.events, place.event]);
      return { ...one, events: reported, ...place };
    });
    const cause = folded.get(verdict.rule);
    const others = also.get(verdict.rule);
    return {
      ...verdict,
      evidence,
      ...(others === undefined ? {} : { also: others.toSorted() }),
      ...(cause === undefined ? {} : { cause }),
    };
  });
}

/** Identifies a cause, separately for each extension; undefined if some failure has no known place. */
function keysOf({ verdict, outcome }: Judgement, events: ReadonlyMap<number, TraceEvent>): string[] | undefined {
  if (outcome.failed > outcome.causes.length) return undefined;
  const keys = outcome.causes.flatMap((cause) => {
    const event = blamed(cause, outcome.rule.role, events);
    return cause.members.map((member) =>
      event === undefined ? undefined : `${event} ${member} ${verdict.extension ?? ''}`,
    );
  });
  return keys.length === 0 || keys.includes(undefined) ? undefined : (keys as string[]);
}

function placeOf(
  cause: Cause | undefined,
  role: CompiledRule['role'],
  events: ReadonlyMap<number, TraceEvent>,
): { event?: number; member?: string } {
  const event = cause && blamed(cause, role, events);
  const member = cause?.place;
  return { event, ...(member === undefined || member === '' ? {} : { member }) };
}

/** The last message of the side that is judged; without one the last thing that it did, or that was done to it. */
function blamed(
  { events: seqs }: Cause,
  role: CompiledRule['role'],
  events: ReadonlyMap<number, TraceEvent>,
): number | undefined {
  const known = seqs.flatMap((seq) => events.get(seq) ?? []);
  const own = known.filter(({ from }) => from === role);
  return (own.findLast(({ kind }) => kind === 'message') ?? own.at(-1) ?? known.at(-1))?.seq;
}

const severities = ['error', 'warning', 'info'];

/**
 * The most severe rule comes first, then the most specific: a rule for one method before one for all, a plain condition
 * before the shape of a whole message.
 */
function byWeight(a: Judgement, b: Judgement): number {
  const severity = (one: Judgement): number => severities.indexOf(one.verdict.severity);
  return (
    severity(a) - severity(b) ||
    breadthOf(a.outcome.rule) - breadthOf(b.outcome.rule) ||
    (a.verdict.rule < b.verdict.rule ? -1 : 1)
  );
}

const wholeShapes = new Set(['matchesSchema', 'everyMatchesSchema']);

/** The smaller, the more exactly the rule says what is wrong. */
function breadthOf(rule: CompiledRule): number {
  const shapes = leavesOf(rule.expect, '').some(({ leaf }) => wholeShapes.has(leaf.operator)) ? 100 : 0;
  const method = 'method' in rule.filter || 'rpcMethod' in rule.filter || 'repliesTo' in rule.filter ? 0 : 50;
  return shapes + method - Object.keys(rule.filter).length;
}
