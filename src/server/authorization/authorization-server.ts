/**
 * A test authorization server: correct by default, or with deviations by name (deviations.ts). It listens on the own
 * machine, approves everything at once, gives tokens that are valid nowhere else, and reports each exchange to its
 * owner.
 */
import { boundedText } from '../../core/trace/byte-collector.ts';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AssertionGrant } from './assertion-grants.ts';
import { createClientRegistry, type AuthClient } from './clients.ts';
import { createCodeFlow } from './code-flow.ts';
import type { Difference } from './deviations.ts';
import { jsonReply, type AuthExchange, type AuthReply, type AuthRequest } from './exchange.ts';
import { issuerPath, serverDocuments, takesDocuments } from './metadata.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { createTokenKeys, type TokenKeys } from './token-keys.ts';

export interface AuthorizationServerOptions {
  /** Name by which it is reached; `localhost` makes another origin of the same machine. [default: 127.0.0.1] */
  host?: '127.0.0.1' | 'localhost';
  port?: number;
  deviations?: readonly Difference[];
  /** Clients that are known beforehand. */
  clients?: readonly AuthClient[];
  /** Audience of tokens whose client names no resource. */
  resource: string;
  fetchDocument?: (address: URL) => Promise<unknown>;
  /** A login page comes in place of the approval. [default: false] */
  asksPerson?: boolean;
  /** Addresses of metadata documents are taken as given, and nothing is fetched. [default: false] */
  trustsDocuments?: boolean;
  /** Gets each such address. */
  onDocument?: (address: URL) => void;
  /** An extension by which tokens are given for assertions alone. */
  assertions?: AssertionGrant | undefined;
  /** Gets each exchange once its reply is written. */
  onExchange?: (exchange: AuthExchange) => void;
}

export interface AuthorizationServer {
  readonly origin: string;
  /** As tokens and metadata name it, unless a deviation has the metadata differ. */
  readonly issuer: string;
  readonly jwksUri: string;
  readonly keys: TokenKeys;
  has(deviation: Difference): boolean;
  /** Answers a request that came elsewhere; `onExchange` does not get it. */
  handle(request: AuthRequest): Promise<AuthReply>;
  close(): Promise<void>;
}

const maxBodyBytes = 64 * 1024;

export async function startAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const deviations = new Set(options.deviations);
  const has = (deviation: Difference): boolean => deviations.has(deviation);
  let handle: ((request: AuthRequest) => Promise<AuthReply>) | undefined;

  const server = createServer((incoming, response) => {
    response.on('error', () => {});
    answer(incoming).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.destroy(),
    );
  });

  async function answer(incoming: IncomingMessage): Promise<AuthReply> {
    const body = await boundedText(incoming, maxBodyBytes);
    if (body === undefined) return jsonReply(413, { error: 'invalid_request' });
    const request: AuthRequest = {
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '/', origin),
      headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat()[0]])),
      body,
    };
    const reply = await handle!(request);
    options.onExchange?.({ request, reply });
    return reply;
  }

  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}${issuerPath(has)}`;
  const keys = await createTokenKeys(issuer);
  handle = createRoutes({ origin, issuer, keys, has, options });
  return {
    origin,
    issuer,
    jwksUri: `${origin}/jwks`,
    keys,
    has,
    handle,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Parts {
  origin: string;
  issuer: string;
  keys: TokenKeys;
  has(deviation: Difference): boolean;
  options: AuthorizationServerOptions;
}

function createRoutes({ origin, issuer, keys, has, options }: Parts): (request: AuthRequest) => Promise<AuthReply> {
  const documents = serverDocuments(origin, has, options.assertions?.grants);
  const clients = createClientRegistry({
    clients: options.clients ?? [],
    has,
    audiences: () => [issuer, `${origin}/token`],
    fetchDocument: takesDocuments(has) ? options.fetchDocument : undefined,
    trustsDocuments: options.trustsDocuments === true && takesDocuments(has),
    onDocument: options.onDocument,
  });
  const codes = createCodeFlow({ clients, has, issuer: () => issuer, asksPerson: options.asksPerson === true });
  const { assertions } = options;
  const token = createTokenEndpoint({ clients, codes, keys, has, defaultResource: () => options.resource, assertions });
  async function userinfo({ headers }: AuthRequest): Promise<AuthReply> {
    const shown = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const found = has('userinfo-open') ? { clientId: 'anybody' } : await keys.verify(shown, options.resource);
    if (found !== undefined) return jsonReply(200, { sub: found.clientId });
    return jsonReply(401, { error: 'invalid_token' }, { 'www-authenticate': 'Bearer error="invalid_token"' });
  }
  const registers = !has('registration-absent') && !has('metadata-documents');
  const routes: Record<string, { verb: string; reply(request: AuthRequest): Promise<AuthReply> | AuthReply }> = {
    '/authorize': { verb: 'GET', reply: codes.authorize },
    '/token': { verb: 'POST', reply: token },
    '/userinfo': { verb: 'GET', reply: userinfo },
    '/jwks': { verb: 'GET', reply: () => jsonReply(200, keys.jwks) },
    ...(registers ? { '/register': { verb: 'POST', reply: clients.register } } : {}),
  };
  return async (request) => {
    const { method, url } = request;
    const document = documents.get(url.pathname);
    const route = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
    const verb = document === undefined ? route?.verb : 'GET';
    if (verb === undefined) return jsonReply(404, { error: 'not_found' });
    if (method !== verb) return jsonReply(405, { error: 'method_not_allowed' }, { allow: verb });
    return document === undefined ? route!.reply(request) : jsonReply(200, document);
  };
}
