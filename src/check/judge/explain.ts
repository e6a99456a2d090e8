/** The use case `rules explain`: what one rule makes of one trace, subject by subject and leaf by leaf. */
import type { LeafResult } from '../../core/evaluate/conditions/engine.ts';
import { excerpt } from '../../core/evaluate/conditions/engine.ts';
import type { Account } from '../../core/evaluate/engine-judge.ts';
import { usageError } from '../../core/model/errors.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import type { FeatureStatus, Status } from '../../core/model/reports/verdict.ts';
import { openTrace, withRevision, type WireChoice } from '../capture/open-capture.ts';
import { startJudging } from './judge-feed.ts';

export interface ExplainedLeaf {
  fact: string;
  path?: string;
  /** With `not ` before it below a `not`. */
  operator: string;
  option: unknown;
  /** The value, or the beginning of its JSON text (`cut`) where that is long; absent where there is none. */
  actual?: unknown;
  cut?: true;
  /** The trace does not contain it. */
  recorded?: false;
  holds: boolean;
}

export interface ExplainedSubject {
  session?: string;
  /** Numbers of the events that it is made of. */
  events: number[];
  outcome: Account['outcome'];
  /** Why it was not judged, or what went wrong. */
  because?: string;
  conditions: { name: string; holds: boolean; leaves: ExplainedLeaf[] }[];
}

export interface Explanation {
  rule: string;
  title: string;
  /** Revision and transport judged by; no revision when none was negotiated or asked for. */
  revision: string | null;
  transport: string;
  /** Subjects that the rule selects. */
  given: unknown;
  status: Status | FeatureStatus;
  reason?: string;
  selected: number;
  judged: number;
  failed: number;
  /** Facts that the rule selects by and the trace does not contain, for some or all subjects. */
  unrecorded: string[];
  /** Connections, where the rule says whom it binds. */
  connections: ExplainedSubject[];
  subjects: ExplainedSubject[];
  /** Subjects and connections beyond the limit. */
  more: number;
}

export interface ExplainOptions {
  capture: WireChoice;
  /** Maximum number of shown failures, and of other subjects. */
  limit: number;
}

const longestValue = 2000;

/** @throws McpcError usage for a file that cannot be read, and for one in which no known revision is negotiated or asked for */
export function explainRule(rule: CompiledRule, file: string, options: ExplainOptions): Promise<Explanation> {
  return explain(rule, file, options);
}

/** @param named the revision of the user, in whose terms a trace is read once more that negotiated none, as "judge" does */
async function explain(
  rule: CompiledRule,
  file: string,
  { capture, limit }: ExplainOptions,
  named?: string,
): Promise<Explanation> {
  const trace = await openTrace(file, capture);
  const connections: ExplainedSubject[] = [];
  const subjects: ExplainedSubject[] = [];
  const unrecorded = new Set<string>();
  let more = 0;
  let failures = 0;
  const feed = await startJudging([rule], withRevision(trace.header, named), {
    role: rule.role,
    evaluator: 'engine',
    onUnselectable: ({ filter }, hidden) => {
      for (const name of Object.keys(filter)) if (hidden.has(`subject.${name}`)) unrecorded.add(`subject.${name}`);
    },
    onAccount: (account) => {
      const { outcome } = account;
      const into = outcome === 'binds' || outcome === 'does-not-bind' ? connections : subjects;
      // Failures are what is looked for, however late they come.
      const failure = outcome === 'fail' || outcome === 'error';
      if ((failure ? failures : into.length - (into === subjects ? failures : 0)) >= limit) {
        more += 1;
        return;
      }
      if (failure) failures += 1;
      into.push(explained(account));
    },
  });
  for await (const event of trace.events) {
    feed.push(event);
    await feed.settled();
  }
  const { revision, outcomes, features } = await feed.finish();
  if (revision === undefined && named === undefined && capture.revision !== undefined)
    return explain(rule, file, { capture, limit }, capture.revision);
  if (revision === undefined)
    throw usageError(
      `${file}: no connection in the trace negotiates a revision, or asks for a known one, so there are no rules to judge it by.`,
      'Name the revision that was spoken, for example --spec 2025-06-18.',
    );
  const { transport } = trace.header;
  const base = {
    unrecorded: [...unrecorded],
    rule: rule.id,
    title: rule.title,
    revision,
    transport,
    given: rule.selection ?? { [rule.kind]: rule.filter },
    connections,
    subjects,
    more,
  };
  const outcome = outcomes[0] ?? features[0];
  if (!outcome)
    return {
      ...base,
      status: 'not-applicable',
      reason: `the requirement is not one of revision ${revision}`,
      selected: 0,
      judged: 0,
      failed: 0,
    };
  const { status, reason, selected, judged, failed } = outcome;
  return { ...base, status, ...(reason === undefined ? {} : { reason }), selected, judged, failed };
}

function explained({ subject, outcome, because, conditions }: Account): ExplainedSubject {
  const { session, events, hidden } = subject;
  return {
    ...(session === undefined ? {} : { session: session.name }),
    events: [...events],
    outcome,
    because,
    conditions: conditions.map(({ name, holds, leaves }) => ({
      name,
      holds,
      leaves: leaves.map((leaf) => explainedLeaf(leaf, hidden?.has(leaf.fact) === true)),
    })),
  };
}

function explainedLeaf({ fact, path, operator, option, actual, holds }: LeafResult, hidden: boolean): ExplainedLeaf {
  const place = { fact, path, operator, option };
  if (hidden) return { ...place, recorded: false, holds };
  if (actual === undefined) return { ...place, holds };
  const long = (JSON.stringify(actual)?.length ?? 0) > longestValue;
  return { ...place, ...(long ? { actual: excerpt(actual), cut: true as const } : { actual }), holds };
}
