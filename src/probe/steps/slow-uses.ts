/** Tools, prompts and resources that take long in every use: two such uses are enough to see it, one in the quick profile. */
import { toolHint } from '../offers/hinted.ts';
import type { Listing } from '../offers/survey.ts';
import type { StepContext } from './step-scope.ts';

/** Uses after which something that took long in each of them is left alone. */
const mostSlowUses = 2;

/** Milliseconds after which a use is slow to somebody who waits for the whole check. */
const quickMs = 300;

/**
 * Notes how long a use took that was answered. Slow is what takes more than half the time that an answer may take;
 * a tool that the user calls slow is called on.
 */
export function noteDuration(method: string, name: string, ms: number, listing: Listing, { slow, unanswered, skip, timing, quick }: StepContext): void {
  const key = `${method} ${name}`;
  const so = slow.get(key) ?? { calls: 0, all: true, longestMs: 0 };
  slow.set(key, so);
  so.calls += 1;
  so.longestMs = Math.max(so.longestMs, ms);
  so.all &&= ms > (quick ? quickMs : timing.answerMs / 2);
  if (!so.all || so.calls < (quick ? 1 : mostSlowUses) || (!quick && toolHint(listing.hints, name)?.slow === true)) return;
  unanswered.add(key);
  if (method === 'tools/call') skip({ what: `tool ${name}`, why: quick ? `it took ${(ms / 1000).toFixed(1)} s: the quick profile calls it no more` : `it was slow in each of ${so.calls} calls, ${(ms / 1000).toFixed(1)} s in the last one` });
}

/** Whether no use so far took what is slow to somebody who waits. */
export function isBrief(method: string, name: string, slow: StepContext['slow']): boolean {
  return (slow.get(`${method} ${name}`)?.longestMs ?? 0) <= quickMs;
}
