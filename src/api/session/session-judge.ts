/** Judges the conversation of a session so far. Loaded with the first question for verdicts. */
import { loadPlan, type SelectedPlan } from '../../check/plan.ts';
import { startJudging, type JudgeFeed } from '../../check/judge/judge-feed.ts';
import { assembleReport } from '../../check/assemble-report.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { TraceEvent, TraceHeader } from '../../core/model/trace.ts';
import type { EventStore } from '../../core/trace/event-store.ts';
import { packageVersion } from '../version.ts';
import { selectionOf, type RuleOptions } from '../runs/rule-options.ts';

export interface Conversation {
  readonly header: TraceHeader;
  /** Redacted, in order. */
  readonly store: EventStore;
  readonly count: number;
  /** Calls the listener with each further event. */
  subscribe(listener: (event: TraceEvent) => void): void;
}

/** Rules that were asked for before keep their judge, which sees each event once. */
export function createSessionJudge(conversation: Conversation): (rules: RuleOptions) => Promise<RunReport> {
  const began = performance.now();
  const judges = new Map<string, Promise<{ plan: SelectedPlan; feed: JudgeFeed }>>();

  async function open(rules: RuleOptions): Promise<{ plan: SelectedPlan; feed: JudgeFeed }> {
    const plan = await loadPlan(selectionOf(rules));
    const feed = await startJudging(plan.rules, conversation.header);
    for (const event of conversation.store.all()) feed.push(event);
    conversation.subscribe(feed.push);
    return { plan, feed };
  }

  return async (rules) => {
    const key = JSON.stringify(rules);
    let judge = judges.get(key);
    if (judge === undefined) judges.set(key, (judge = open(rules)));
    const { plan, feed } = await judge;
    return assembleReport({
      header: conversation.header,
      footer: { footer: true, events: conversation.count, complete: true },
      cited: (seqs) => conversation.store.find(seqs),
      judged: await feed.peek(),
      plan,
      toolVersion: packageVersion(),
      trace: null,
      durationMs: performance.now() - began,
    });
  };
}
