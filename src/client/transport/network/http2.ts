/**
 * HTTP/2 requests, for servers that offer nothing else: one session for all of them, opened again when the server ends
 * it. For callers they look like HTTP/1.1 requests. What HTTP/2 has no place for (letter case of names, the headers of
 * one hop) is not sent.
 */
import { EventEmitter } from 'node:events';
import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { PassThrough, type Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { LookupFunction } from 'node:net';
import { headerMap } from './http-headers.ts';
import { secureOptions, type Http1, type WireRequest } from './http1.ts';
import type { NetworkOptions } from './network-options.ts';
import { hostOf } from './proxy-settings.ts';
import { openTunnel } from './tunnel.ts';

/** Headers of one hop (RFC 9113, 8.2.2), and Host, whose place :authority has. */
const ofOneHop = new Set([
  'connection',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** A reply of HTTP/2 with what is read of one of HTTP/1.1. */
export class Http2Reply extends PassThrough {
  complete = false;
  readonly statusCode: number;
  readonly rawHeaders: string[];
  readonly headers: Record<string, string>;

  constructor(status: number, rawHeaders: string[]) {
    super();
    this.statusCode = status;
    this.rawHeaders = rawHeaders;
    const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
      rawHeaders[at * 2]!,
      rawHeaders[at * 2 + 1]!,
    ]);
    this.headers = Object.fromEntries(
      Object.entries(headerMap(pairs)).map(([name, value]) => [name, [value].flat().join(', ')]),
    );
  }
}

/** Events `response` (an Http2Reply) and `error`, as those of Node's ClientRequest. */
export class Http2Request extends EventEmitter {
  /** The session had been used before: what it lost, the server may never have seen. */
  reusedSocket = false;
  #stream: ClientHttp2Stream | undefined;
  #over = false;

  constructor(
    session: Promise<{ session: ClientHttp2Session; fresh: boolean }>,
    headers: OutgoingHttpHeaders,
    ended: Promise<Buffer | undefined>,
    forget: (session: ClientHttp2Session) => void,
  ) {
    super();
    void this.#run(session, headers, ended, forget).catch((error: unknown) => this.#fail(error as Error));
  }

  async #run(
    opening: Promise<{ session: ClientHttp2Session; fresh: boolean }>,
    headers: OutgoingHttpHeaders,
    ended: Promise<Buffer | undefined>,
    forget: (session: ClientHttp2Session) => void,
  ): Promise<void> {
    const body = await ended;
    const { session, fresh } = await opening;
    if (this.#over) return;
    this.reusedSocket = !fresh;
    const stream = session.request(headers, { endStream: body === undefined });
    this.#stream = stream;
    let reply: Http2Reply | undefined;
    let whole = false;
    let failure: Error | undefined;
    stream.on('response', (head: IncomingHttpHeaders & { ':status'?: number }, _flags: number, raw?: string[]) => {
      const pairs = (raw ?? []).flatMap((name, at, all) =>
        at % 2 === 0 && !name.startsWith(':') ? [name, all[at + 1] ?? ''] : [],
      );
      reply = new Http2Reply(head[':status'] ?? 0, pairs);
      stream.pipe(reply, { end: false });
      this.emit('response', reply);
    });
    stream.on('end', () => (whole = true));
    stream.on('error', (error) => (failure = error));
    stream.on('close', () => {
      const code = stream.rstCode ?? 0;
      // A stream that is refused was not looked at, but this session is of no use any more.
      if (code === constants.NGHTTP2_REFUSED_STREAM) forget(session);
      failure ??= whole && code === 0 ? undefined : new Error(`the stream was reset (${nameOf(code)})`);
      if (code === constants.NGHTTP2_REFUSED_STREAM) failure = Object.assign(failure!, { code: 'ECONNRESET' });
      if (reply === undefined) return this.#fail(failure ?? new Error('the stream ended without a reply'));
      if (failure) return void reply.destroy(failure);
      reply.complete = true;
      reply.end();
    });
    if (body !== undefined) stream.end(body);
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.emit('error', error);
  }

  destroy(): void {
    this.#over = true;
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }
}

function nameOf(code: number): string {
  const found = Object.entries(constants).find(
    ([name, value]) =>
      value === code &&
      /^NGHTTP2_(?:NO_ERROR|[A-Z0-9_]*ERROR|REFUSED_STREAM|CANCEL|STREAM_CLOSED|FRAME_SIZE_ERROR|CONNECT_ERROR|ENHANCE_YOUR_CALM|INADEQUATE_SECURITY|HTTP_1_1_REQUIRED)$/.test(
        name,
      ) &&
      !name.startsWith('NGHTTP2_ERR_'),
  );
  return found?.[0].replace('NGHTTP2_', '') ?? String(code);
}

export interface Http2Client {
  /** @throws TypeError for headers that HTTP/2 cannot carry */
  send(request: WireRequest): Http2Request & { end(body?: Buffer): void };
  destroy(): void;
}

/** @param way the proxy and the certificates of the connections before */
export function openHttp2(
  url: URL,
  options: NetworkOptions & { lookup?: LookupFunction },
  way: Pick<Http1, 'proxy' | 'context' | 'proxyContext'>,
): Http2Client {
  let current: Promise<ClientHttp2Session> | undefined;
  const all = new Set<{ destroy(): void }>();
  let closed = false;

  function open(): Promise<ClientHttp2Session> {
    const opening = openSocket().then((socket) => {
      if (socket.alpnProtocol !== 'h2') {
        socket.destroy();
        throw Object.assign(new Error('the server offers neither HTTP/1.1 nor HTTP/2'), {
          code: 'ERR_SSL_NO_APPLICATION_PROTOCOL',
        });
      }
      const session = connect(url.origin, {
        createConnection: () => socket,
        settings: { enablePush: false },
        maxReservedRemoteStreams: 0,
      });
      const forget = (): void => {
        if (current === opening) current = undefined;
      };
      all.add(session);
      session.on('goaway', forget);
      session.on('close', () => {
        forget();
        all.delete(session);
      });
      // Each stream is informed of it.
      session.on('error', forget);
      return session;
    });
    opening.catch(() => {
      if (current === opening) current = undefined;
    });
    return opening;
  }

  async function openSocket(): Promise<TLSSocket> {
    const hostname = hostOf(url);
    const port = url.port === '' ? 443 : Number(url.port);
    const secure = secureOptions(hostname, options, way.context, ['h2']);
    const through = way.proxy === undefined ? undefined : await tunnel(way.proxy, { host: hostname, port });
    const place =
      through !== undefined
        ? { socket: through }
        : options.unixSocket !== undefined
          ? { path: options.unixSocket }
          : { host: hostname, port, ...(options.lookup ? { lookup: options.lookup } : {}) };
    return new Promise((resolve, reject) => {
      const socket = connectTls({ ...place, ...secure });
      all.add(socket);
      socket.once('close', () => {
        all.delete(socket);
        reject(new Error('the connection ended'));
      });
      socket.once('error', reject);
      socket.once('secureConnect', () => resolve(socket));
    });
  }

  function tunnel(proxy: URL, to: { host: string; port: number }): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      const request = openTunnel(proxy, to, way.proxyContext, (error, socket) => {
        all.delete(request);
        if (error) reject(error);
        else resolve(socket!);
      });
      all.add(request);
    });
  }

  return {
    send(request) {
      if (closed) throw new TypeError('the connection is closed');
      const headers = headersOf(url, request);
      const fresh = current === undefined;
      current ??= open();
      const taken = current;
      let end: (body: Buffer | undefined) => void = () => {};
      const ended = new Promise<Buffer | undefined>((resolve) => (end = resolve));
      const forget = (): void => {
        if (current === taken) current = undefined;
      };
      const sent = new Http2Request(
        taken.then((session) => ({ session, fresh })),
        headers,
        ended,
        forget,
      );
      return Object.assign(sent, { end: (body?: Buffer) => end(body) });
    },
    destroy() {
      closed = true;
      for (const one of all) one.destroy();
    },
  };
}

/** @throws TypeError for a header that may stand once only and came twice */
function headersOf(url: URL, { method, path, headers }: WireRequest): OutgoingHttpHeaders {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? url.host;
  const map = headerMap(headers.filter(([name]) => !ofOneHop.has(name.toLowerCase())));
  for (const name of ['authorization', 'content-length', 'content-type', 'user-agent']) {
    if (Array.isArray(map[name])) throw new TypeError(`HTTP/2 carries the header ${name} once only`);
  }
  return { ...map, ':method': method, ':path': path, ':scheme': url.protocol.replace(':', ''), ':authority': host };
}
