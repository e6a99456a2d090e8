/**
 * The clients that the test authorization server knows: registered beforehand, by dynamic registration (RFC 7591), or by a
 * metadata document whose address is the client id. Shows by which method each one proves who it is.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { isObject } from '../protocol/json-rpc.ts';
import type { Difference } from './deviations.ts';
import { jsonReply, oauthError, type AuthReply, type AuthRequest } from './exchange.ts';

export const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
export type AuthMethod = (typeof authMethods)[number];

export interface AuthClient {
  clientId: string;
  /** undefined: any of those that its secret or keys allow. */
  method?: AuthMethod | undefined;
  secret?: string | undefined;
  jwks?: JSONWebKeySet | undefined;
  /** `any` where they are not known: its metadata document is taken as given. */
  redirectUris: readonly string[] | 'any';
}

export interface ClientRegistry {
  find(clientId: string): Promise<AuthClient | undefined>;
  register(request: AuthRequest): AuthReply;
  /** The client that a request to the token endpoint comes from, or the refusal that it gets. */
  authenticate(request: AuthRequest, form: ReadonlyMap<string, string>): Promise<AuthClient | AuthReply>;
}

export interface RegistryOptions {
  /** Known beforehand. */
  clients: readonly AuthClient[];
  has(deviation: Difference): boolean;
  /** Allowed audiences of assertions: the issuer, the token endpoint. */
  audiences(): string[];
  /** Fetches a metadata document, under whatever policy its owner has; undefined when there is none. */
  fetchDocument?: ((address: URL) => Promise<unknown>) | undefined;
  /** Addresses of metadata documents are taken as given, and nothing is fetched. */
  trustsDocuments: boolean;
  /** Gets each address that is taken as given. */
  onDocument?: ((address: URL) => void) | undefined;
}

const mostClients = 1000;
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Methods that the server takes, as its metadata names them. */
export function methodsTaken(has: (deviation: Difference) => boolean): readonly AuthMethod[] {
  if (has('auth-basic-only')) return ['client_secret_basic'];
  if (has('auth-post-only')) return ['client_secret_post'];
  if (has('auth-none-only')) return ['none'];
  if (has('auth-assertion-only')) return ['private_key_jwt'];
  return authMethods;
}

export function createClientRegistry(options: RegistryOptions): ClientRegistry {
  const { audiences, fetchDocument, has, trustsDocuments } = options;
  const known = new Map(options.clients.map((one) => [one.clientId, one]));

  function register({ body }: AuthRequest): AuthReply {
    if (has('registration-refused'))
      return oauthError(403, 'access_denied', 'This server registers no client that it does not know');
    const asked = parsed(body);
    if (!isObject(asked)) return oauthError(400, 'invalid_client_metadata', 'The body is no JSON object');
    const redirectUris = textsIn(asked.redirect_uris);
    if (redirectUris.length === 0 && !textsIn(asked.grant_types).includes('client_credentials'))
      return oauthError(400, 'invalid_redirect_uri', 'redirect_uris names none');
    const taken = methodsTaken(has);
    const wanted = asked.token_endpoint_auth_method ?? 'client_secret_basic';
    const method = taken.find((one) => one === wanted) ?? taken[0]!;
    if (known.size >= mostClients) return oauthError(503, 'temporarily_unavailable', 'Too many clients');
    const client: AuthClient = {
      clientId: `mcpc-client-${randomUUID()}`,
      method,
      ...(method.startsWith('client_secret') ? { secret: `mcpc-secret-${randomUUID()}` } : {}),
      ...(isObject(asked.jwks) ? { jwks: asked.jwks as unknown as JSONWebKeySet } : {}),
      redirectUris,
    };
    known.set(client.clientId, client);
    return jsonReply(201, {
      ...asked,
      client_id: client.clientId,
      client_id_issued_at: Math.floor(Date.now() / 1000),
      token_endpoint_auth_method: method,
      ...(client.secret === undefined ? {} : { client_secret: client.secret, client_secret_expires_at: 0 }),
    });
  }

  async function find(clientId: string): Promise<AuthClient | undefined> {
    const found = known.get(clientId);
    if (has('lenient')) return { ...(found ?? { clientId }), redirectUris: 'any' };
    if (found !== undefined || !isDocumentAddress(clientId)) return found;
    if (trustsDocuments) options.onDocument?.(new URL(clientId));
    if (trustsDocuments || has('document-unfetched')) return { clientId, method: 'none', redirectUris: 'any' };
    if (fetchDocument === undefined) return undefined;
    const document = await fetchDocument(new URL(clientId));
    // The document has to name its own address (draft-ietf-oauth-client-id-metadata-document, 4.1).
    if (!isObject(document) || (document.client_id !== clientId && !has('document-id-unchecked'))) return undefined;
    const isWhole = typeof document.client_name === 'string' && textsIn(document.redirect_uris).length > 0;
    if (!isWhole && !has('document-members-unchecked')) return undefined;
    const client: AuthClient = {
      clientId,
      method: isObject(document.jwks) ? 'private_key_jwt' : 'none',
      ...(isObject(document.jwks) ? { jwks: document.jwks as unknown as JSONWebKeySet } : {}),
      redirectUris: has('document-redirects-unchecked') ? 'any' : textsIn(document.redirect_uris),
    };
    if (known.size < mostClients && !has('document-uncached')) known.set(clientId, client);
    return client;
  }

  async function provesBy(shown: Shown, client: AuthClient): Promise<boolean> {
    switch (shown.method) {
      case 'none':
        return client.secret === undefined && client.jwks === undefined;
      case 'private_key_jwt':
        return client.jwks !== undefined && (await isAssertionOf(client, client.jwks, shown.proof, audiences()));
      default:
        return client.secret !== undefined && isSame(client.secret, shown.proof);
    }
  }

  return {
    find,
    register,
    async authenticate(request, form) {
      const shown = shownBy(request, form);
      const client = shown && (await find(shown.clientId));
      if (has('lenient')) return client ?? { clientId: form.get('client_id') ?? '', redirectUris: 'any' };
      const fits =
        client !== undefined &&
        methodsTaken(has).includes(shown!.method) &&
        (client.method === undefined || client.method === shown!.method) &&
        (await provesBy(shown!, client));
      if (fits) return client;
      return {
        ...oauthError(401, 'invalid_client', 'The client is unknown, or did not prove who it is'),
        headers: { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="mcpc"' },
      };
    },
  };
}

interface Shown {
  clientId: string;
  method: AuthMethod;
  proof: string;
}

/** The client's authentication; undefined without one, or with two (RFC 6749, 2.3). */
function shownBy({ headers }: AuthRequest, form: ReadonlyMap<string, string>): Shown | undefined {
  const basic = /^basic +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const secret = form.get('client_secret');
  const assertion = form.get('client_assertion');
  if ([basic, secret, assertion].filter((one) => one !== undefined).length > 1) return undefined;
  if (basic !== undefined) {
    const [id, ...rest] = Buffer.from(basic, 'base64').toString().split(':');
    return { clientId: formDecoded(id!), method: 'client_secret_basic', proof: formDecoded(rest.join(':')) };
  }
  if (assertion !== undefined) {
    if (form.get('client_assertion_type') !== assertionType) return undefined;
    const subject = subjectOf(assertion);
    return subject === undefined ? undefined : { clientId: subject, method: 'private_key_jwt', proof: assertion };
  }
  const clientId = form.get('client_id');
  if (clientId === undefined) return undefined;
  return secret === undefined
    ? { clientId, method: 'none', proof: '' }
    : { clientId, method: 'client_secret_post', proof: secret };
}

async function isAssertionOf(
  { clientId }: AuthClient,
  jwks: JSONWebKeySet,
  assertion: string,
  audience: string[],
): Promise<boolean> {
  try {
    await jwtVerify(assertion, createLocalJWKSet(jwks), { issuer: clientId, subject: clientId, audience });
    return true;
  } catch {
    return false;
  }
}

function subjectOf(assertion: string): string | undefined {
  const claims = parsed(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
  return isObject(claims) && typeof claims.sub === 'string' ? claims.sub : undefined;
}

/** RFC 6749, 2.3.1: both halves are encoded as in a form. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** An address of a document: https with a path; on the own machine plain HTTP is enough for tests. */
function isDocumentAddress(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false;
  const { hostname, pathname, protocol } = new URL(clientId);
  const isOwnMachine = hostname === 'localhost' || hostname === '127.0.0.1';
  return pathname.length > 1 && (protocol === 'https:' || (protocol === 'http:' && isOwnMachine));
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
