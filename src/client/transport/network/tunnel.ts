/**
 * Ways through a proxy: the tunnel that CONNECT opens, as an agent of Node for https addresses. A fault of the proxy is
 * never reported as an answer of the server. Node writes the request and reads the reply, so that a proxy that floods
 * meets Node's limit on headers; there is one deadline for the whole of it.
 *
 * The packages for this do not fit. http-proxy-agent rewrites a request and joins repeated headers. https-proxy-agent
 * passes the proxy's refusal on as the server's reply, collects it without a limit, and keeps its socket when the
 * request is aborted.
 */
import { request as httpRequest, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { reasonOf } from './http-body.ts';
import { hostOf } from './proxy-settings.ts';

/** Longest wait for a proxy to open a tunnel. */
const connectMs = 30_000;

/**
 * `PROXY_AUTH`: it requires (other) credentials. `PROXY_REFUSED`: it opens no tunnel. `PROXY_LOST`: it does not exist,
 * or has gone.
 */
export type ProxyCode = 'PROXY_AUTH' | 'PROXY_REFUSED' | 'PROXY_LOST';

/** The proxy failed, not the server behind it. */
export class ProxyError extends Error {
  readonly code: ProxyCode;

  constructor(code: ProxyCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProxyError';
    this.code = code;
  }
}

/** A proxy as it may be shown: without user and password. */
export function shownProxy(proxy: URL): string {
  return `the proxy ${proxy.protocol}//${proxy.host}`;
}

/** The error for a status with which a proxy refuses. */
export function refusalOf(proxy: URL, status: number): ProxyError {
  if (status === 407)
    return new ProxyError(
      'PROXY_AUTH',
      `${shownProxy(proxy)} wants ${proxy.username === '' ? '' : 'other '}credentials (status 407)`,
    );
  return new ProxyError('PROXY_REFUSED', `${shownProxy(proxy)} opens no way to the server (status ${status})`);
}

export function lossOf(proxy: URL, error: Error): ProxyError {
  return new ProxyError('PROXY_LOST', `${shownProxy(proxy)} gave no connection: ${reasonOf(error)}`, error);
}

/** Name and value of the header that shows a proxy its credentials. */
export function proxyCredentials(proxy: URL): [string, string][] {
  if (proxy.username === '' && proxy.password === '') return [];
  const words = [proxy.username, proxy.password].map(unescaped).join(':');
  return [['Proxy-Authorization', `Basic ${Buffer.from(words).toString('base64')}`]];
}

/** A percent sign that begins no escape stands for itself. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Connection settings of a proxy. */
export function proxyPlace(proxy: URL, context: SecureContext | undefined): Record<string, unknown> {
  const host = hostOf(proxy);
  return {
    host,
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
    ...(proxy.protocol === 'https:' && context !== undefined ? { secureContext: context } : {}),
  };
}

/**
 * Asks a proxy for a tunnel to a host and port.
 * @param done gets the socket, or a ProxyError; once
 * @returns the request, which may be destroyed before its result
 */
export function openTunnel(
  proxy: URL,
  to: { host: string; port: number },
  context: SecureContext | undefined,
  done: (error: ProxyError | null, socket?: Duplex) => void,
): ClientRequest {
  const authority = `${isIPv6(to.host) ? `[${to.host}]` : to.host}:${to.port}`;
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send({
    ...proxyPlace(proxy, context),
    agent: false,
    method: 'CONNECT',
    path: authority,
    headers: [['Host', authority], ...proxyCredentials(proxy)].flat() as unknown as Record<string, string>,
  });
  const timer = setTimeout(() => request.destroy(new Error(`no tunnel within ${connectMs} ms`)), connectMs);
  let settled = false;
  const settle = (error: ProxyError | null, socket?: Duplex): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    done(error, socket);
  };
  request.once('connect', (reply, socket: Duplex, head: Buffer) => {
    const status = reply.statusCode ?? 0;
    if (status < 200 || status > 299) {
      socket.destroy();
      settle(refusalOf(proxy, status));
      return;
    }
    if (head.length > 0) socket.unshift(head);
    settle(null, socket);
  });
  request.on('error', (error) => settle(lossOf(proxy, error)));
  request.once('close', () => settle(lossOf(proxy, new Error('the connection ended'))));
  request.end();
  return request;
}

type CreateConnection = (options: object, done?: (error: Error | null, socket?: Duplex) => void) => Socket;

/** An agent of Node whose connections to https addresses are tunnels. */
export class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;
  readonly #context: SecureContext | undefined;
  readonly #pending = new Set<ClientRequest>();

  constructor(proxy: URL, context: SecureContext | undefined, options: ConstructorParameters<typeof HttpsAgent>[0]) {
    super(options);
    this.#proxy = proxy;
    this.#context = context;
  }

  override createConnection(
    options: { host?: string; port?: number },
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const request = openTunnel(
      this.#proxy,
      { host: options.host ?? '', port: Number(options.port) },
      this.#context,
      (error, socket) => {
        this.#pending.delete(request);
        if (error !== null) return done(error);
        // The agent of Node makes TLS of a connection that it is given.
        const secure = (
          HttpsAgent.prototype as unknown as { createConnection: CreateConnection }
        ).createConnection.call(this, { ...options, socket });
        done(null, secure);
      },
    );
    this.#pending.add(request);
  }

  /** Also gives up the tunnels that are not open yet. */
  override destroy(): void {
    for (const request of this.#pending) request.destroy();
    super.destroy();
  }
}
