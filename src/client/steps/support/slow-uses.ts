/**
 * Tools, prompts and resources that are slow in every use: two such uses are enough to see it, one in the quick
 * profile, which also limits the time for all of them.
 */
import { asObject, asText } from '../../../core/model/json.ts';
import type { Answer } from '../../peer/peer.ts';
import { isWaitedFor } from '../../offers/choose-tools.ts';
import { toolHint } from '../../offers/hinted.ts';
import type { Listing } from '../../offers/survey.ts';
import { briefTime, withMoreTime } from '../../offers/told-time.ts';
import type { Json } from './step-kind.ts';
import type { Scope, StepContext } from './step-scope.ts';

/** Uses after which something that took long in each of them is left alone. */
const mostSlowUses = 2;

/** Milliseconds after which a use is slow for a user who waits for the whole check. */
const quickMs = 300;

/** Milliseconds that the quick profile has for uses that are slow, all together. */
const quickBudgetMs = 3_000;
/** A use that takes this multiple of an answer without work is slow by itself. */
const outstanding = 2;

/**
 * True if there is time to use it: when much of it is spent, the quick profile uses only items that were quick before.
 */
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
 * Notes how long a use took that was answered. A use is slow if it takes more than half the time for an answer; a tool
 * that the user declares slow is called again.
 * @param plainMs duration of an answer without work
 */
export function noteDuration(
  method: string,
  name: string,
  { ms, plainMs }: { ms: number; plainMs: number },
  listing: Listing,
  { slow, unanswered, skip, timing, quick, spent }: StepContext,
): void {
  const key = `${method} ${name}`;
  const so = slow.get(key) ?? { calls: 0, all: true, longestMs: 0 };
  slow.set(key, so);
  so.calls += 1;
  if (ms > quickMs && ms > outstanding * plainMs) spent.ms += ms;
  so.longestMs = Math.max(so.longestMs, ms);
  so.all &&= ms > (quick ? quickMs : timing.answerMs / 2);
  if (!so.all || so.calls < (quick ? 1 : mostSlowUses) || (!quick && toolHint(listing.hints, name)?.slow === true))
    return;
  unanswered.add(key);
  if (method === 'tools/call')
    skip({
      what: `tool ${name}`,
      why: quick
        ? `it took ${(ms / 1000).toFixed(1)} s: the quick profile calls it no more`
        : `it was slow in each of ${so.calls} calls, ${(ms / 1000).toFixed(1)} s in the last one`,
    });
}

/** True if no use so far was slow for a waiting user. */
export function isBrief(method: string, name: string, slow: StepContext['slow']): boolean {
  return (slow.get(`${method} ${name}`)?.longestMs ?? 0) <= quickMs;
}

/** So many reports of progress show how a tool reports. */
const enoughReports = 3;
/** A tool that worked for this part of the requested time has understood the argument. */
const nearly = 0.8;

/**
 * Calls a tool. A tool that refuses to work for less than a second, or reports too little progress to judge, is called
 * again for a second.
 * @param send sends the call with these params, and returns the awaited answer
 */
export async function callBriefly(
  params: Json,
  step: Json,
  { peer }: Scope,
  context: StepContext,
  send: (params: Json) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const name = asText(params.name);
  const reported = briefTime(context.quick);
  const longer = isAsMade(step) ? await longerCall(params, reported, context, peer) : undefined;
  if (longer === undefined) return send(params);
  const began = performance.now();
  const sent = send(params);
  let reports = 0;
  const count = peer.waiter.wait(
    ({ kind, from, message }) => {
      if (kind === 'message' && from === 'server' && asObject(message)?.method === 'notifications/progress')
        reports += 1;
      return false;
    },
    context.timing.answerMs,
    sent,
  );
  const answer = await sent;
  await count;
  if (answer?.kind !== 'response') return answer;
  const isRefused = 'error' in answer.message || asObject(answer.message.result)?.isError === true;
  context.brief.set(
    name,
    !isRefused && performance.now() - began >= reported * nearly && context.brief.get(name) !== false,
  );
  const isMute = step.progressToken !== undefined && reports < enoughReports;
  return isRefused || isMute ? send(longer) : answer;
}

/** True if the call has exactly the generated arguments of its tool, and no other fault. */
function isAsMade(step: Json): boolean {
  return (
    isWaitedFor(step) &&
    step.deviation === undefined &&
    !('arguments' in step) &&
    step.wrongTypes === undefined &&
    step.nearMisses === undefined
  );
}

async function longerCall(
  params: Json,
  ms: number,
  { listing, ownTools }: StepContext,
  peer: Scope['peer'],
): Promise<Json | undefined> {
  const { tools, hints } = await listing(peer);
  const tool = [...(ownTools.get(peer) ?? []), ...tools].find(({ name }) => name === params.name);
  const given = asObject(params.arguments);
  if (tool === undefined || given === undefined || toolHint(hints, asText(params.name))?.arguments !== undefined)
    return undefined;
  const more = withMoreTime(tool.inputSchema, given, ms);
  return more === undefined ? undefined : { ...params, arguments: more };
}
