/**
 * Opens a target, and detects the HTTP transport of an address: a POST first, and GET for the stream of HTTP+SSE if the
 * POST is refused, unanswered or answered by that stream (2025-11-25: basic/transports, backwards compatibility).
 */
import { isObject } from '../../core/model/json.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { within } from '../transport/within.ts';
import { AnsweredOtherwise } from '../target/answered-otherwise.ts';
import type { Answer, Peer } from '../peer/peer.ts';
import type { DetectOptions } from './detected.ts';
import type { HttpTarget, Target } from '../target/target.ts';

/** A connection with the answer to its handshake. */
export interface Opened {
  target: Target;
  peer: Peer;
  answer: Answer;
  /** Result of the other transport, if it says something about the address: a sentence. */
  note?: string;
}

/** Milliseconds: an address that has not answered a POST for so long may be one of HTTP+SSE, which takes GET. */
const silentMs = 3_000;
/** Statuses by which servers of HTTP+SSE refuse a POST to the address of the stream. */
const legacyStatuses: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 501]);

type Options = Pick<DetectOptions, 'target' | 'fallback' | 'open'>;

/** @throws AnsweredOtherwise where the stream of HTTP+SSE names an address that is of no use */
export async function openWithFallback(
  options: Options,
  revision: Revision,
  how: { deadlineMs?: number } = {},
): Promise<Opened> {
  const { target } = options;
  // HTTP+SSE is the transport of 2024-11-05, whatever version servers on it negotiate.
  const peer = await options.open(target, 'stateful', revision);
  const asked = peer.handshake(how);
  if (target.kind !== 'http' || !options.fallback) return { target, peer, answer: await asked };
  const isSilent = await within(asked, silentMs);
  const early = isSilent ? await openLegacy(options, target, revision, { ...how, isTrial: true }) : undefined;
  const answer = early === undefined || 'note' in early ? await asked : early.answer;
  const legacy =
    early ?? (!isSilent && mayBeLegacy(answer, peer) ? await openLegacy(options, target, revision, how) : undefined);
  if (legacy === undefined || 'note' in legacy) return { target, peer, answer, ...legacy };
  await peer.close();
  return legacy;
}

function mayBeLegacy(answer: Answer, { heard }: Peer): boolean {
  if (answer.kind !== 'refused') return false;
  return legacyStatuses.has(answer.status) || (answer.status < 300 && heard !== 'messages');
}

/** The target by HTTP+SSE, where it gives a stream and an address to post to. */
async function openLegacy(
  { open }: Options,
  target: HttpTarget,
  revision: Revision,
  { isTrial, ...how }: { deadlineMs?: number; isTrial?: true },
): Promise<Opened | { note: string } | undefined> {
  const legacy: HttpTarget = { ...target, kind: 'sse' };
  try {
    const peer = await open(legacy, 'stateful', revision, isTrial ? { trial: true, startMs: silentMs } : {});
    const answer = await peer.handshake(how);
    if (answer.kind === 'response' && isObject(answer.message.result)) {
      peer.onTrial = false;
      return { target: legacy, peer, answer };
    }
    await peer.close();
  } catch (error) {
    if (error instanceof AnsweredOtherwise && error.spoken.hasEndpoint === true) throw error;
    // No event stream of use there either: the first answer is the one to report.
    if (error instanceof AnsweredOtherwise) return { note: 'GET opens an event stream, but no endpoint event came.' };
  }
  return undefined;
}
