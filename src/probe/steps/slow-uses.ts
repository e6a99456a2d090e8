/**
 * Tools, prompts and resources that take long in every use: two such uses are enough to see it, one in the quick profile,
 * which also takes no more than so much time for all of them.
 */
import { toolHint } from '../offers/hinted.ts';
import type { Listing } from '../offers/survey.ts';
import type { StepContext } from './step-scope.ts';

/** Uses after which something that took long in each of them is left alone. */
const mostSlowUses = 2;

/** Milliseconds after which a use is slow to somebody who waits for the whole check. */
const quickMs = 300;

/** Milliseconds that the quick profile has for uses that are slow, all together. */
const quickBudgetMs = 3_000;
/** What takes so many times as long as an answer that costs the server no work is slow by itself. */
const outstanding = 2;

/** Whether there is time to use it: the quick profile, when much of it is spent, uses only what was soon over before. */
export function isAffordable(method: string, name: string, { quick, spent, slow }: StepContext): boolean {
  return !quick || spent.ms < quickBudgetMs || (slow.has(`${method} ${name}`) && isBrief(method, name, slow));
}

/** Says that a tool was left alone for want of time. */
export function skipForTime(name: string, { skip }: StepContext): void {
  skip({ what: `tool ${name}`, why: `others took long: the quick profile has ${quickBudgetMs / 1000} s for that` });
}

/** Notes a use that was not answered in time. */
export function noteTimeout({ spent, timing }: StepContext): void {
  spent.ms += timing.answerMs;
}

/**
 * Notes how long a use took that was answered. Slow is what takes more than half the time that an answer may take;
 * a tool that the user calls slow is called on.
 * @param plainMs what an answer takes that costs the server no work
 */
export function noteDuration(method: string, name: string, { ms, plainMs }: { ms: number; plainMs: number }, listing: Listing, { slow, unanswered, skip, timing, quick, spent }: StepContext): void {
  const key = `${method} ${name}`;
  const so = slow.get(key) ?? { calls: 0, all: true, longestMs: 0 };
  slow.set(key, so);
  so.calls += 1;
  if (ms > quickMs && ms > outstanding * plainMs) spent.ms += ms;
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
