/** The steps that speak bare HTTP: single exchanges, listening streams, resumption. Nothing on stdio. */
import type { TraceEvent } from '../../../core/model/trace.ts';
import { within } from '../../transport/within.ts';
import { streamHeaders } from '../../peer/correct-headers.ts';
import type { Peer } from '../../peer/peer.ts';
import { responseIn } from '../../peer/response-in.ts';
import { isStateless } from '../support/send-request.ts';
import { callsTool, partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';
import { exchangeOf } from '../support/step-scope.ts';
import { asText } from '../../../core/model/json.ts';
import type { HeaderChanges } from '../../../core/model/request-headers.ts';

export const httpSteps: readonly ObjectStep[] = [
  {
    name: 'awaitStreamEnd',
    says: 'Wait until the reply stream of a request is closed by the server.',
    traits: { waits: true },
    schema: { awaitStreamEnd: partOf('name') },
    run: (step, work) => awaitStreamEnd(asText(step.awaitStreamEnd), work),
  },
  {
    name: 'http',
    says: 'A bare HTTP request with the headers of a correct client and the given changes. Waits for the reply (GET streams: for its headers). Does nothing on stdio.',
    schema: {
      http: {
        type: 'object',
        properties: {
          method: { enum: ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS'] },
          headers: partOf('headers'),
          message: {},
          body: { type: 'string' },
          query: { description: 'Added to the query of the address.', type: 'string' },
          as: partOf('name'),
        },
        required: ['method'],
        additionalProperties: false,
      },
      deviation: partOf('deviation'),
    },
    traits: ({ http }) => ({ callsTools: callsTool((http as Json).message) || callsTool((http as Json).body) }),
    run: sendHttp,
  },
  {
    name: 'openStream',
    says: 'Open a listening stream (GET), if the revision and the transport have one. Waits for its headers.',
    schema: { openStream: partOf('name') },
    traits: { listens: true },
    run: (step, work) => openStream(asText(step.openStream), work),
  },
  {
    name: 'drop',
    says: "Drop a stream, or the reply to a request, from the client's side.",
    schema: { drop: partOf('name') },
    run: (step, { scope }) => exchangeOf(scope, asText(step.drop))?.abort('dropped on purpose'),
  },
  {
    name: 'resume',
    says: 'GET with the last event id seen on a stream or reply, and wait for the answer or the end. Left out when no id was seen.',
    schema: { resume: partOf('name') },
    traits: { takesTime: true },
    run: (step, work) => resume(asText(step.resume), work),
  },
];

async function awaitStreamEnd(name: string, { scope, context }: StepWork): Promise<void> {
  const exchange = exchangeOf(scope, name);
  if (!exchange) return;
  const ms = context.timing.streamEndMs;
  const overdue = await within(exchange.done, ms);
  if (overdue) {
    context.sink({
      session: scope.peer.session,
      from: 'harness',
      kind: 'timeout',
      what: 'stream',
      exchange: exchange.id,
      waitedMs: ms,
    });
    exchange.abort('the stream did not end', 'harness');
  }
}

async function sendHttp(step: Json, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  const { method, headers, message, body, query, as } = step.http as Json;
  const standard: HeaderChanges = method === 'GET' ? streamHeaders : method === 'POST' ? {} : { 'content-type': null };
  const text = typeof body === 'string' ? body : message === undefined ? undefined : JSON.stringify(message);
  const exchange = peer.channel.exchange({
    method: asText(method),
    ...(typeof query === 'string' && peer.endpoint !== undefined ? { path: pathWith(peer.endpoint, query) } : {}),
    headers: peer.headersFor(message, { ...standard, ...(headers as HeaderChanges | undefined) }),
    body: text,
    message,
    ...(typeof step.deviation === 'string' ? { deviation: step.deviation } : {}),
  });
  if (!exchange) return;
  if (typeof as === 'string') scope.exchanges.set(as, exchange);
  await within(exchange.response, context.timing.answerMs);
  if (method === 'POST') await within(exchange.done, context.timing.answerMs);
}

/** So many listening streams in a row without the head of a reply show a habit of the server. */
const mostHeldBack = 2;
/** Which part of the time the head of the reply is waited for then. */
const shareOfHeldBack = 10;

async function openStream(name: string, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  // Over HTTP+SSE the connection is such a stream, and a second one may take its place.
  if (isStateless(peer) || peer.channel.transport === 'sse') return;
  const exchange = peer.channel.exchange({ method: 'GET', headers: peer.headersFor(undefined, streamHeaders) });
  if (!exchange) return;
  scope.exchanges.set(name, exchange);
  // A server may delay the head of the reply until it has an event to send. If it always does, it is not waited for
  // each time.
  const { streamEndMs } = context.timing;
  const heldBack = await within(
    exchange.response,
    context.heldBack.streams < mostHeldBack ? streamEndMs : streamEndMs / shareOfHeldBack,
  );
  if (heldBack) context.heldBack.streams += 1;
  else context.heldBack.streams = 0;
}

/**
 * Opens the listening stream that a client of Streamable HTTP keeps for its session. Without it, whatever a server asks
 * on its own account would wait for its answer until the deadline. Does not wait for the reply: a server may refuse the
 * stream, or delay the head of the reply until it has something to send.
 */
export function listenAlong(peer: Peer): void {
  if (peer.transport !== 'http' || peer.sessionId === undefined || !peer.alive) return;
  peer.channel.exchange({ method: 'GET', headers: peer.headersFor(undefined, streamHeaders) });
}

/**
 * Resumes a lost stream as a client does: by a GET with the id of the last event, and again with growing pauses until
 * the expected message arrives. A server may replay what it has by then and send nothing more there.
 */
async function resume(name: string, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  const { answerMs, lateMs } = context.timing;
  const pending = scope.pending.get(name);
  let dropped = exchangeOf(scope, name);
  const until = performance.now() + (pending ? answerMs : lateMs);
  // Longer than a tool that is asked to work for a second, so that its messages are there when the stream is resumed
  // again.
  for (let timeLimit = lateMs * 1.25; dropped !== undefined; timeLimit *= 2) {
    const last = peer.lastEventId(dropped.id);
    if (last === undefined) return;
    const exchange = peer.channel.exchange({
      method: 'GET',
      headers: peer.headersFor(undefined, { ...streamHeaders, 'last-event-id': last }),
    });
    if (!exchange) return;
    // Dropping the reply ended the wait of the request itself; whether it is answered now shows in the trace.
    const arrived = (event: TraceEvent): boolean =>
      pending
        ? responseIn(event, pending.id) !== undefined
        : event.exchange === exchange.id && event.kind === 'sse-event';
    const left = until - performance.now();
    const isLast = timeLimit * 2 > left;
    let isOver = false;
    void exchange.done.then(() => (isOver = true));
    if (
      (await peer.waiter.wait(arrived, isLast ? Math.max(0, left) : timeLimit, exchange.done)) !== undefined ||
      isLast ||
      isOver
    )
      return;
    exchange.abort('dropped on purpose');
    await exchange.done;
    if (peer.lastEventId(exchange.id) !== undefined) dropped = exchange;
  }
}

/** Path of an address with something more in its query. */
function pathWith(address: string, query: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search === '' ? '?' : `${search}&`}${query}`;
}
