/**
 * The way to one server, and what is spoken on it: HTTP/1.1, and HTTP/2 from the moment on when the server has shown
 * that it offers nothing else. Only then a request is repeated: nothing of it had arrived anywhere.
 */
import type { IncomingMessage } from 'node:http';
import type { Party } from '../../../core/model/trace.ts';
import type { Duplex } from 'node:stream';
import { reasonOf } from './http-body.ts';
import { openHttp1, type Http1Options, type WireRequest } from './http1.ts';
import { openHttp2, type Http2Client } from './http2.ts';
import { lossOf, ProxyError, refusalOf } from './tunnel.ts';

/** A request on its way: as much of Node's ClientRequest as HTTP/2 gives, too. */
export interface SentRequest {
  readonly reusedSocket: boolean;
  on(event: 'response', heard: (reply: IncomingMessage) => void): unknown;
  on(event: 'upgrade', heard: (reply: IncomingMessage, socket: Duplex) => void): unknown;
  on(event: 'error', heard: (error: Error) => void): unknown;
  end(body?: Buffer): unknown;
  destroy(): unknown;
}

/** The party that lost a connection. */
interface Lost {
  from: Party;
  what?: 'proxy';
}

export interface Route {
  /** @throws what Node says of a request that cannot be sent */
  send(request: WireRequest): SentRequest;
  /**
   * True if a request that failed before any reply must be repeated, because it was not received: the server had just
   * dropped the kept-alive connection, or it only speaks HTTP/2, which is used from now on.
   */
  sendsAgain(failed: SentRequest, error: Error): boolean;
  /**
   * Report of a failure before any reply: with a proxy a lost connection is, or may be, the proxy's own, and no act of
   * the server.
   */
  failureOf(error: Error): { by: Lost; error: string; code?: string };
  /** The proxy's own refusal in place of a reply of the server. */
  refusal(status: number | undefined): ProxyError | undefined;
  /** The party that lost a connection within a reply: the proxy, if it cannot be distinguished from the server. */
  readonly lostBy: Lost;
  /** The reply came over HTTP/2. */
  isHttp2(reply: unknown): boolean;
  destroy(): void;
}

const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** @throws TypeError for a proxy that is none, Error of OpenSSL for a key that does not fit */
export function openRoute(url: URL, options: Http1Options): Route {
  const http1 = openHttp1(url, options);
  const { proxy, forwarded } = http1;
  let http2: Http2Client | undefined;
  const overHttp2 = new WeakSet<object>();

  return {
    send(request) {
      if (http2 === undefined) return http1.send(request);
      const sent = http2.send(request);
      overHttp2.add(sent);
      sent.on('response', (reply: IncomingMessage) => overHttp2.add(reply));
      return sent as SentRequest;
    },
    sendsAgain(failed, error) {
      if (failed.reusedSocket && lostCodes.has((error as NodeJS.ErrnoException).code ?? '')) return true;
      if (url.protocol !== 'https:' || overHttp2.has(failed) || !offersHttp2Alone(error)) return false;
      http2 ??= openHttp2(url, options, http1);
      return true;
    },
    failureOf(failure) {
      const error =
        proxy === undefined || failure instanceof ProxyError || (!forwarded && isOfTls(failure))
          ? failure
          : lossOf(proxy, failure);
      if (error instanceof ProxyError)
        return { by: { from: 'harness', what: 'proxy' }, error: error.message, code: error.code };
      const { code } = error as NodeJS.ErrnoException;
      return { by: { from: 'server' }, error: reasonOf(error), ...(code === undefined ? {} : { code }) };
    },
    refusal: (status) => (forwarded && status === 407 ? refusalOf(proxy!, status) : undefined),
    lostBy: proxy === undefined ? { from: 'server' } : { from: 'harness', what: 'proxy' },
    isHttp2: (reply) => overHttp2.has(reply as object),
    destroy() {
      http1.destroy();
      http2?.destroy();
    },
  };
}

/** The server refused HTTP/1.1 in the handshake of TLS, or spoke HTTP/2 without having been asked: its first frame is SETTINGS. */
function offersHttp2Alone(error: Error): boolean {
  const { code, rawPacket } = error as NodeJS.ErrnoException & { rawPacket?: Buffer };
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL'))
    return /no application protocol|alert number 120/i.test(`${error.message} ${code}`);
  return (
    code?.startsWith('HPE_') === true &&
    rawPacket !== undefined &&
    rawPacket.length >= 9 &&
    rawPacket[0] === 0 &&
    rawPacket[3] === 4 &&
    rawPacket.readUInt32BE(5) === 0
  );
}

/** The proxy takes no part in the TLS handshake with the server. */
function isOfTls(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    code !== undefined &&
    /^(?:EPROTO|ERR_SSL|ERR_TLS|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|HOSTNAME_MISMATCH|INVALID_CA|HPE_)/.test(
      code,
    )
  );
}
