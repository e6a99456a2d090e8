/**
 * Forwards HTTP exchanges to one origin, with unbuffered streams, and reports copies. Only Host and hop-by-hop headers are
 * replaced, and what a `Turn` changes. In the old HTTP+SSE transport an absolute endpoint address is changed to the proxy,
 * since a client would else bypass it.
 */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { decodersOf, reasonOf } from '../transport/network/http-body.ts';
import { headerMap, headerPairs, mediaType } from '../transport/network/http-headers.ts';
import type { Http1 } from '../transport/network/http1.ts';
import { lossOf, ProxyError, refusalOf } from '../transport/network/tunnel.ts';
import type { RequestHead, Turn } from './authorization/turning.ts';
import { rewriteEndpoint } from './endpoint-rewrite.ts';
import type { Cut, TapSink } from './taps.ts';

export interface RelayOptions {
  way: Http1;
  /** Its origin counts. */
  upstream: URL;
  notify: TapSink;
  /** A name for the next exchange. */
  name(): string;
  /** Authorization of a client that sends none. */
  authorization?: string | undefined;
  /** Called for each refusal for missing credentials. */
  onUnauthorized?: () => void;
  /** The changes of an exchange; without it everything passes unchanged. */
  turn?: ((head: RequestHead) => Turn) | undefined;
}

export interface Passing {
  /** It opens the one stream of a connection over HTTP+SSE. */
  opensConnection: boolean;
  /** The body of the request, where it was held until it was whole. */
  body?: Buffer | undefined;
}

export interface ExchangeRelay {
  pass(request: IncomingMessage, response: ServerResponse, how: Passing): void;
  /** Resolves when everything is reported. */
  settled(): Promise<void>;
}

/** Bytes of a body that has to be whole before it is passed on. */
const mostHeld = 4 * 1024 * 1024;

/** Headers that concern one hop only (RFC 9110, 7.6.1), which each side makes for itself. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function createExchangeRelay(options: RelayOptions): ExchangeRelay {
  const { name, notify, upstream, way } = options;
  const open = new Set<Promise<void>>();

  /** Reports the end of an exchange, once. */
  function endOf(exchange: string): { (cut?: Cut): void; over(): boolean } {
    let resolveDone: () => void = () => {};
    const done = new Promise<void>((resolve) => (resolveDone = resolve));
    open.add(done);
    let ended = false;
    const end = (cut?: Cut): void => {
      if (ended) return;
      ended = true;
      notify({ tap: 'exchange-end', exchange, cut });
      open.delete(done);
      resolveDone();
    };
    return Object.assign(end, { over: () => ended });
  }

  function forward(
    request: IncomingMessage,
    response: ServerResponse,
    { body: held, opensConnection }: Passing,
    turn?: Turn,
  ): void {
    const { method = 'GET', url: path = '/' } = request;
    const exchange = name();
    const pairs = headerPairs(request.rawHeaders);
    const { body = held, ...sent } = turn?.onward(held) ?? { path, headers: pairs, rewritten: {} };
    const noted = { origin: turn?.origin, ...notes(sent.rewritten) };
    notify({ tap: 'request', exchange, method, path, headers: pairs, opensConnection, ...noted });
    const end = endOf(exchange);
    const isOpen = turn?.isPrivate !== true;

    let onward: ClientRequest;
    try {
      onward = way.send({
        method,
        path: sent.path,
        headers: onwardHeaders(sent.headers, upstream.host, options.authorization),
      });
    } catch (error) {
      refuse(response, error as Error);
      end({ by: 'client', reason: (error as Error).message });
      return;
    }
    onward.setNoDelay(true);
    if (held !== undefined) {
      onward.end(body);
      if (isOpen) notify({ tap: 'request-body', exchange, chunk: held });
      notify({ tap: 'request-end', exchange });
    } else {
      request.pipe(onward);
      request.on('data', (chunk: Buffer) => void (isOpen && notify({ tap: 'request-body', exchange, chunk })));
      request.once('end', () => notify({ tap: 'request-end', exchange }));
      request.once('error', () => onward.destroy());
    }

    const fail = (failure: Error): void => {
      if (end.over()) return;
      const error = way.proxy === undefined || failure instanceof ProxyError ? failure : lossOf(way.proxy, failure);
      if (!response.headersSent) refuse(response, error);
      else response.destroy();
      // Actions of a proxy are not actions of the server.
      end({
        by: error instanceof ProxyError ? 'harness' : 'server',
        reason: error instanceof ProxyError ? error.message : reasonOf(error),
      });
    };
    onward.once('response', (reply) => {
      if (way.forwarded && reply.statusCode === 407) return void onward.destroy(refusalOf(way.proxy!, 407));
      if (reply.statusCode === 401) options.onUnauthorized?.();
      const needs = turn?.needs(reply.statusCode ?? 0, headerMap(headerPairs(reply.rawHeaders)));
      if (turn === undefined || needs === undefined)
        return passBack(request, response, reply, { exchange, end, opensConnection });
      turnBack(turn, needs, reply, response, exchange).then(
        () => end(),
        (error: Error) => {
          onward.destroy();
          fail(error);
        },
      );
    });
    onward.once('error', fail);
    response.once('close', () => {
      if (response.writableFinished) return;
      end({ by: 'client', reason: 'the client closed the connection' });
      onward.destroy();
    });
  }

  function passBack(
    request: IncomingMessage,
    response: ServerResponse,
    reply: IncomingMessage,
    { end, exchange, opensConnection }: { end: (cut?: Cut) => void; exchange: string; opensConnection: boolean },
  ): void {
    const replied = headerPairs(reply.rawHeaders);
    const headers = headerMap(replied);
    response.writeHead(reply.statusCode ?? 502, reply.statusMessage, backHeaders(replied));
    response.flushHeaders();
    response.socket?.setNoDelay(true);
    notify({ tap: 'reply', exchange, status: reply.statusCode ?? 0, headers: replied });
    const turned =
      opensConnection && mediaType(headers) === 'text/event-stream' && headers['content-encoding'] === undefined;
    const passing = turned
      ? reply.pipe(rewriteEndpoint(upstream.origin, `http://${request.headers.host ?? ''}`))
      : reply;
    passing.pipe(response);
    reply.on('data', (chunk: Buffer) => notify({ tap: 'reply-body', exchange, chunk }));
    reply.once('end', () => end());
    reply.once('error', (error) => {
      end({ by: 'server', reason: reasonOf(error) });
      response.destroy();
    });
  }

  /** Passes a changed reply: its body is short, or does not matter to the trace. */
  async function turnBack(
    turn: Turn,
    needs: 'whole' | 'head',
    reply: IncomingMessage,
    response: ServerResponse,
    exchange: string,
  ): Promise<void> {
    const status = reply.statusCode ?? 502;
    const whole = needs === 'whole' ? await bodyOf(decodedReply(reply)) : undefined;
    const { body, headers, rewritten } = await turn.back(status, headerPairs(reply.rawHeaders), whole);
    response.writeHead(status, reply.statusMessage, backHeaders(headers));
    notify({ tap: 'reply', exchange, status, headers, ...notes(rewritten) });
    const report = (chunk: Buffer): void => void (turn.isPrivate || notify({ tap: 'reply-body', exchange, chunk }));
    if (body !== undefined) {
      report(body);
      response.end(body);
      return;
    }
    for await (const chunk of reply) {
      report(chunk as Buffer);
      response.write(chunk as Buffer);
    }
    response.end();
  }

  return {
    pass(request, response, how) {
      const { method = 'GET', url: path = '/' } = request;
      const turn = options.turn?.({ method, path, headers: headerPairs(request.rawHeaders) });
      if (turn?.holdsRequest !== true || how.body !== undefined) return forward(request, response, how, turn);
      bodyOf(request).then(
        (body) => forward(request, response, { ...how, body }, turn),
        (error: Error) => refuse(response, error),
      );
    },
    async settled() {
      await Promise.all(open);
    },
  };
}

function notes(rewritten: Record<string, string>): { rewritten?: Record<string, string> } {
  return Object.keys(rewritten).length === 0 ? {} : { rewritten };
}

/** @throws Error for a coding that is not known */
function decodedReply(reply: IncomingMessage): Readable {
  const decoders = decodersOf(reply.headers['content-encoding']);
  if (typeof decoders === 'string') throw new Error(`content-encoding ${decoders} is not supported`);
  let last: Readable = reply;
  for (const decoder of decoders) {
    const from = last;
    from.once('error', (error) => decoder.destroy(error));
    last = from.pipe(decoder);
  }
  return last;
}

/** @throws Error for a body that is longer than may be held */
async function bodyOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > mostHeld) throw new Error(`a body that mcpc has to change is longer than ${mostHeld} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** As the client sent them, but for Host and what concerns the hop; a body of unknown length stays chunked. */
function onwardHeaders(pairs: readonly [string, string][], host: string, authorization?: string): [string, string][] {
  const chunked = pairs.some(
    ([name, value]) => name.toLowerCase() === 'transfer-encoding' && value.toLowerCase().includes('chunked'),
  );
  return [
    ...pairs
      .filter(([name]) => !hopByHop.has(name.toLowerCase()))
      .map(([name, value]): [string, string] => [name, name.toLowerCase() === 'host' ? host : value]),
    ...(authorization === undefined || pairs.some(([name]) => name.toLowerCase() === 'authorization')
      ? []
      : [['Authorization', authorization] as [string, string]]),
    ...(chunked ? [['Transfer-Encoding', 'chunked'] as [string, string]] : []),
  ];
}

function backHeaders(pairs: readonly [string, string][]): string[] {
  return pairs.filter(([name]) => !hopByHop.has(name.toLowerCase())).flat();
}

function refuse(response: ServerResponse, error: Error): void {
  response.writeHead(502, { 'content-type': 'text/plain' }).end(`The upstream cannot be reached: ${reasonOf(error)}\n`);
}
