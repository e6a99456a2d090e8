/**
 * A peer's requests outside the MCP endpoint, and the challenges that lead to them: keeps their events separate from
 * those of the protocol.
 */
import { bearerChallenge, challengesIn } from '../../core/facts/values/challenge.ts';
import type { EventSink, TraceEvent } from '../../core/model/trace.ts';
import type { HttpTarget } from '../target/target.ts';
import type { Timing } from '../target/timing.ts';
import type { OutOfBandReply } from './peer.ts';
import type { SideFetch, SideRequest } from './beside/side-fetch.ts';
import { createTestTokens } from './beside/test-tokens.ts';

export interface OutOfBandRequests {
  /** With test tokens of this connection. */
  readonly target: HttpTarget;
  /** Names of the test tokens. */
  readonly testTokens: ReadonlySet<string>;
  /** Set once a request to the endpoint was answered with 401 or 403. */
  readonly challenge: { metadata: readonly string[] } | undefined;
  /** Records a challenge; true when the event belongs to a request outside the endpoint only. */
  takes(event: TraceEvent): boolean;
  fetch(address: URL, request: Omit<SideRequest, 'timeoutMs'>): Promise<OutOfBandReply>;
  close(): Promise<void>;
}

export function createOutOfBand(
  target: HttpTarget,
  { session, sink, timing }: { session: string; sink: EventSink; timing: Timing },
): OutOfBandRequests {
  let opening: Promise<SideFetch> | undefined;
  /** By exchange, the JSON object of the reply once it is there. */
  const bodies = new Map<string, Record<string, unknown> | undefined>();
  let challenge: { metadata: string[] } | undefined;
  const testTokens = createTestTokens(target);

  function noteChallenge({ http }: TraceEvent): void {
    if (http?.status !== 401 && http?.status !== 403) return;
    const address = bearerChallenge(challengesIn(http.headers))?.parameters.resource_metadata;
    challenge ??= { metadata: [] };
    if (address !== undefined && !challenge.metadata.includes(address)) challenge.metadata.push(address);
  }

  return {
    target: testTokens.target,
    testTokens: testTokens.names,
    get challenge() {
      return challenge;
    },
    takes(event) {
      if (event.exchange === undefined) return false;
      testTokens.observe(event);
      if (!bodies.has(event.exchange)) {
        if (event.kind === 'http-response') noteChallenge(event);
        return false;
      }
      const { message } = event;
      if (
        event.kind === 'message' &&
        event.from === 'server' &&
        typeof message === 'object' &&
        message !== null &&
        !Array.isArray(message)
      )
        bodies.set(event.exchange, message as Record<string, unknown>);
      return true;
    },
    async fetch(address, request) {
      const side = await (opening ??= import('./beside/side-fetch.ts').then(({ createSideFetch }) =>
        createSideFetch(target, session, sink),
      ));
      const reach = side.reach(address);
      if (typeof reach === 'object') return reach;
      const refused = await side.refusal(address);
      if (refused !== undefined) return { refused };
      const exchange = side.send(address, { ...request, timeoutMs: timing.answerMs });
      if (!exchange) return { lost: true };
      bodies.set(exchange.id, undefined);
      const outcome = await exchange.response;
      // A reply that goes on and on is no document.
      if (!('error' in outcome) && /^text\/event-stream/i.test(String(outcome.headers['content-type'])))
        exchange.abort('an event stream instead of a document');
      await exchange.done;
      const content = bodies.get(exchange.id);
      return 'error' in outcome
        ? { lost: true }
        : { status: outcome.status, ...(content === undefined ? {} : { content }) };
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** What a connection tells of its target: the address of the endpoint, and the names of the test tokens that it has. */
export function knownOf(requests: OutOfBandRequests | undefined): {
  endpoint: string | undefined;
  testTokens: ReadonlySet<string>;
} {
  return { endpoint: requests?.target.url, testTokens: requests?.testTokens ?? new Set() };
}
