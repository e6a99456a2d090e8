/**
 * Routes of HTTP/1.1 requests to a server: direct, over a Unix socket, through a tunnel, or (http addresses) by a proxy
 * with the whole address. Node writes each request as given. It reads no reply.
 */
import { X509Certificate } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { checkServerIdentity, type PeerCertificate, type SecureContext } from 'node:tls';
import { secureContext, type NetworkOptions } from './network-options.ts';
import { hostOf, proxyFor } from './proxy-settings.ts';
import { proxyCredentials, proxyPlace, TunnelAgent } from './tunnel.ts';

export interface WireRequest {
  method: string;
  /** Path with query. */
  path: string;
  /** All of them, in order. */
  headers: readonly (readonly [string, string])[];
}

export interface Http1Options extends NetworkOptions {
  lookup?: LookupFunction;
  /** Most sockets open at once. */
  maxSockets?: number;
  /** After so long an idle socket is dropped; milliseconds. */
  idleMs?: number;
}

export interface Http1 {
  /** The proxy on the way. */
  readonly proxy: URL | undefined;
  /** The proxy sees each request, and not only a tunnel. */
  readonly forwarded: boolean;
  /** The certificates for TLS with the server. */
  readonly context: SecureContext | undefined;
  /** Those for TLS with the proxy: what the client shows is for the server alone. */
  readonly proxyContext: SecureContext | undefined;
  /** @throws what Node says of a request that cannot be sent */
  send(request: WireRequest): ClientRequest;
  destroy(): void;
}

/** @throws TypeError for a proxy that is none, Error of OpenSSL for a key that does not fit */
export function openHttp1(url: URL, options: Http1Options): Http1 {
  const secure = url.protocol === 'https:';
  const hostname = hostOf(url);
  const context = secureContext(options);
  const proxyContext = secureContext(options.ca === undefined ? {} : { ca: options.ca });
  const proxy = options.unixSocket === undefined ? proxyFor(url, options.proxies) : undefined;
  const forwarded = proxy !== undefined && !secure;
  const agentOptions = {
    keepAlive: true,
    ...(options.maxSockets === undefined ? {} : { maxSockets: options.maxSockets }),
    ...(options.idleMs === undefined ? {} : { timeout: options.idleMs }),
  };
  const toProxy = forwarded && proxy.protocol === 'https:';
  const agent = secure
    ? proxy
      ? new TunnelAgent(proxy, proxyContext, agentOptions)
      : new HttpsAgent(agentOptions)
    : toProxy
      ? new HttpsAgent(agentOptions)
      : new HttpAgent(agentOptions);
  const write = secure || toProxy ? httpsRequest : httpRequest;
  const before = forwarded ? `${url.protocol}//${url.host}` : '';
  const credentials = forwarded ? proxyCredentials(proxy) : [];
  const place = forwarded
    ? { protocol: proxy.protocol, ...proxyPlace(proxy, proxyContext) }
    : {
        protocol: url.protocol,
        hostname,
        ...(url.port === '' ? {} : { port: Number(url.port) }),
        ...(options.unixSocket === undefined ? {} : { socketPath: options.unixSocket }),
        ...(options.lookup === undefined || proxy !== undefined ? {} : { lookup: options.lookup }),
        ...(secure ? secureOptions(hostname, options, context, ['http/1.1']) : {}),
      };
  return {
    proxy,
    forwarded,
    context,
    proxyContext,
    send: ({ method, path, headers }) =>
      write({
        ...place,
        agent,
        method,
        path: before + path,
        headers: [...headers, ...credentials].flat() as unknown as RequestOptions['headers'],
      }),
    destroy: () => agent.destroy(),
  };
}

/** TLS options for a server, independent of the protocol over it. */
export function secureOptions(
  hostname: string,
  { insecure }: NetworkOptions,
  context: SecureContext | undefined,
  protocols: string[],
): Record<string, unknown> {
  return {
    ALPNProtocols: protocols,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ...(isIP(hostname) === 6 ? { checkServerIdentity: namesAddress } : {}),
    ...(context === undefined ? {} : { secureContext: context }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}

/** Some releases of Node (22.23) find no IPv6 address in any certificate. */
function namesAddress(address: string, certificate: PeerCertificate): Error | undefined {
  return new X509Certificate(certificate.raw).checkIP(address) === undefined
    ? checkServerIdentity(address, certificate)
    : undefined;
}
