/** Connections over HTTP: the Streamable one, and HTTP+SSE of 2024-11-05. */
import { setTimeout as pause } from 'node:timers/promises';
import { targetError, type McpcError } from '../../../core/model/errors.ts';
import { marksOf } from '../../../core/model/trace.ts';
import { openHttpConnection } from '../../transport/http/http-exchange.ts';
import { networkOf } from '../../transport/network/network-options.ts';
import { mediaType } from '../../transport/network/http-headers.ts';
import type { ReplyHead } from '../../transport/http/whole-reply.ts';
import { newestStatefulRevision } from '../../../core/spec/revisions.ts';
import { AnsweredOtherwise, NoEndpoint } from '../../target/answered-otherwise.ts';
import { unauthorized } from '../../target/unauthorized.ts';
import type { HttpTarget } from '../../target/target.ts';
import { graceFor } from '../../target/timing.ts';
import type { Channel, ChannelOptions, SentMessage } from './channel.ts';
import { paced, type PacedConnection, type PacedExchange } from './paced.ts';

function connect({ session, sink, limits, rate }: ChannelOptions, target: HttpTarget): PacedConnection {
  const connection = openHttpConnection({
    url: target.url,
    session,
    sink,
    ...(limits ? { limits } : {}),
    ...networkOf(target),
    ...(target.testTokens === undefined ? {} : { testTokens: target.testTokens }),
  });
  return paced(connection, rate);
}

/** A message that is the body of an exchange. */
function sentBy(exchange: PacedExchange): SentMessage {
  return {
    get seq() {
      return exchange.seq;
    },
    exchange,
    ...(exchange.begun === undefined ? {} : { begun: exchange.begun }),
  };
}

export function openHttp(options: ChannelOptions, target: HttpTarget): Channel {
  const connection = connect(options, target);
  const { session, sink, timing } = options;
  const send: Channel['send'] = ({ text, message, headers, deadlineMs = 0, ...marks }) => {
    const exchange = connection.exchange({
      method: 'POST',
      headers,
      body: text,
      ...(message === undefined ? {} : { message }),
      ...marksOf(marks),
      readTimeoutMs: Math.max(timing.startMs, deadlineMs) + timing.answerMs,
    });
    return sentBy(exchange);
  };
  return {
    transport: 'http',
    send,
    sendFramed: () => [],
    closeStdin: () => {},
    exchange: (request) => connection.exchange({ ...request, readTimeoutMs: timing.startMs }),
    async close() {
      sink({ session, from: 'client', kind: 'closed', what: 'connection' });
      await connection.close();
    },
  };
}

/** HTTP+SSE of 2024-11-05: the stream first, whose `endpoint` event says where to post. */
export async function openLegacy(options: ChannelOptions, target: HttpTarget): Promise<Channel> {
  const connection = connect(options, target);
  const { session, sink, timing, waiter } = options;
  const began = performance.now();
  const stream = connection.exchange({
    method: 'GET',
    headers: [...target.headers, ['Accept', 'text/event-stream']],
    ...(options.trial === true ? { trial: true } : {}),
  });
  // The endpoint is the first thing that a server has to say, so that it follows the opening of the stream at once.
  const overdue = stream.response.then(() =>
    pause(Math.max(timing.answerMs / 2, graceFor(performance.now() - began)), undefined, { ref: false }),
  );
  const endpoint = waiter.wait(
    (event) =>
      (event.kind === 'sse-event' && event.sse?.event === 'endpoint') ||
      event.kind === 'sse-close' ||
      event.kind === 'closed',
    timing.startMs,
    overdue,
  );
  const opened = await Promise.race([stream.response, endpoint.then(() => undefined)]);
  const refused =
    opened !== undefined &&
    ('error' in opened || opened.status >= 300 || mediaType(opened.headers) !== 'text/event-stream');
  const first = refused ? undefined : await endpoint;
  if (first?.kind !== 'sse-event' || first.sse?.data === undefined) {
    if (!refused && first === undefined) {
      sink({
        session,
        from: 'harness',
        kind: 'timeout',
        what: 'stream',
        exchange: stream.id,
        waitedMs: Math.round(performance.now() - began),
        reason: 'no endpoint event',
      });
    }
    stream.abort('no endpoint event came');
    await connection.close();
    const given = await stream.response;
    throw noStream(target, 'error' in given ? given.head : given, 'error' in given ? given.error : undefined);
  }
  const path = await postPathOr(() => connection.close(), target, first.sse.data);
  return {
    transport: 'sse',
    send({ text, message, headers, ...marks }) {
      const exchange = connection.exchange({
        method: 'POST',
        path,
        headers,
        body: text,
        ...(message === undefined ? {} : { message }),
        ...marksOf(marks),
        readTimeoutMs: timing.startMs,
      });
      return sentBy(exchange);
    },
    sendFramed: () => [],
    closeStdin: () => {},
    exchange: (request) =>
      connection.exchange({
        ...request,
        ...(request.method === 'POST' ? { path } : {}),
        readTimeoutMs: timing.startMs,
      }),
    async close() {
      sink({ session, from: 'client', kind: 'closed', what: 'connection' });
      await connection.close();
    },
  };
}

/**
 * Why there is no HTTP+SSE stream to use. A stream without an endpoint is judged if the user says that it is HTTP+SSE.
 */
function noStream(target: HttpTarget, head: ReplyHead | undefined, error: string | undefined): McpcError {
  const type = head === undefined ? '' : mediaType(head.headers);
  const isStream = head !== undefined && head.status < 300 && type === 'text/event-stream';
  const why = isStream
    ? 'no endpoint event came'
    : head === undefined
      ? (error ?? 'it does not answer')
      : `HTTP status ${head.status}, ${type || 'no media type'}`;
  const remedy = 'Check the address, or use --transport http for Streamable HTTP.';
  if (head?.status === 401 || head?.status === 403) return unauthorized(target, head.status);
  const reported = new NoEndpoint(`${target.url} gives no HTTP+SSE event stream: ${why}.`, remedy);
  if (isStream) return otherwise(reported, target, false);
  return head === undefined ? targetError(reported.message, remedy) : reported;
}

/** A server that opens an event stream of no use has answered all the same. */
function otherwise(reported: McpcError, target: HttpTarget, hasEndpoint: boolean): AnsweredOtherwise {
  return new AnsweredOtherwise(reported, { target, era: 'stateful', revision: newestStatefulRevision, hasEndpoint });
}

/** @param close action before the report that posting is impossible */
async function postPathOr(close: () => Promise<void>, target: HttpTarget, endpoint: string): Promise<string> {
  try {
    return postPath(target, endpoint);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where to post: the endpoint resolved against the stream's address, on the same origin only. */
function postPath(target: HttpTarget, endpoint: string): string {
  const base = target.url;
  let url: URL;
  try {
    url = new URL(endpoint, base);
  } catch {
    throw otherwise(
      targetError(`The endpoint event of ${base} holds no address: "${endpoint.slice(0, 200)}".`),
      target,
      true,
    );
  }
  // Posting to other addresses is refused, whatever they are.
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw otherwise(
      targetError(`The endpoint event of ${base} holds no address that can be posted to: "${endpoint.slice(0, 200)}".`),
      target,
      true,
    );
  }
  if (url.origin !== new URL(base).origin) {
    // No requirement forbids that address; clients that keep to the origin, as ours does, lead no conversation there.
    throw otherwise(
      targetError(
        `The endpoint event of ${base} points to another origin, ${url.origin}; nothing is sent there.`,
        'Name an address of the same origin, best as a path alone: SDK clients post to no other.',
      ),
      target,
      true,
    );
  }
  return url.pathname + url.search;
}
