/**
 * Steps that wait for what a server says unasked after a tool call. Notifications may be late: so they listen until the
 * server has been silent for much longer than its replies take.
 */
import { asObject } from '../../../core/model/json.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import { callsOf, type Consent } from '../../offers/choose-tools.ts';
import type { Listing } from '../../offers/survey.ts';
import type { Peer } from '../../peer/peer.ts';
import { useChosen } from './feature-steps.ts';
import type { Json, ObjectStep, StepWork, WordStep } from '../support/step-kind.ts';

/** Milliseconds of silence at least, and how many times as long as the slowest plain reply. */
const leastSilenceMs = 250;
const silenceOfReplies = 5;
/** Tools that are tried where none is known to announce anything. */
const mostTried = 4;

export const announcingWords: readonly WordStep[] = [
  {
    name: 'settle',
    traits: { waits: true },
    says: 'Wait until the server announces nothing for much longer than its replies take, at most the time for late answers.',
    run: async ({ scope: { peer }, context }) => void (await untilSilent(peer, context.timing.lateMs)),
  },
];

export const announcingSteps: readonly ObjectStep[] = [
  {
    name: 'callWhatAnnounces',
    says: 'Call tools that announce changes (by name or hint) this many times, and wait each time until the server is silent. Without such tools, call a few others once, and again only where an announcement followed.',
    schema: { callWhatAnnounces: { type: 'integer', minimum: 1, maximum: 5 } },
    traits: { callsTools: true, waits: true },
    run: callWhatAnnounces,
  },
];

function namedAnnouncers(listing: Listing, consent: Consent): Json[] {
  return callsOf({ callTool: 'announces', each: mostTried }, listing, consent);
}

function otherCallers(listing: Listing, consent: Consent): Json[] {
  return callsOf({ callTool: 'unremarkable', each: mostTried }, listing, consent);
}

/** The params of the calls that the step makes at most, each once. */
export function announcersOf(listing: Listing, consent: Consent): Json[] {
  const named = namedAnnouncers(listing, consent);
  return named.length > 0 ? named : otherCallers(listing, consent);
}

async function callWhatAnnounces(step: Json, work: StepWork): Promise<void> {
  const { scope, context } = work;
  const listing = await context.listing(scope.peer);
  const named = namedAnnouncers(listing, context);
  const calls = named.length > 0 ? named : otherCallers(listing, context);
  const rounds = Number(step.callWhatAnnounces);
  for (let done = 0; done < rounds && calls.length > 0; done += 1) {
    const heard = await announces(calls, step, work);
    if (named.length === 0 && !heard) return;
  }
}

/** Makes the calls, and returns whether something was announced from their beginning until the server is silent. */
async function announces(calls: Json[], step: Json, work: StepWork): Promise<boolean> {
  const { scope, context } = work;
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const meanwhile = scope.peer.waiter.wait(isAnnouncement, context.timing.answerMs * (calls.length + 1), stopped);
  await useChosen('tools/call', calls, step, work);
  const later = await untilSilent(scope.peer, context.timing.lateMs);
  stop();
  return (await meanwhile) !== undefined || later;
}

/** @returns whether something was announced meanwhile */
async function untilSilent({ slowestMs, waiter }: Peer, mostMs: number): Promise<boolean> {
  const silenceMs = Math.max(leastSilenceMs, silenceOfReplies * slowestMs);
  const end = performance.now() + mostMs;
  for (let heard = false; ; heard = true) {
    const ms = Math.min(silenceMs, end - performance.now());
    if (ms <= 0 || (await waiter.wait(isAnnouncement, ms)) === undefined) return heard;
  }
}

/** A notification that belongs to no request, as those of changes do. */
function isAnnouncement({ kind, from, message }: TraceEvent): boolean {
  const method = kind === 'message' && from === 'server' ? asObject(message)?.method : undefined;
  return typeof method === 'string' && /^notifications\/(?:.*\/list_changed|resources\/updated|message)$/.test(method);
}
