/**
 * How the reference client gets a token: discovery, registration, code flow with PKCE, refresh, step-up. It follows the
 * redirects of the authorization server itself, since nobody is asked there.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Json } from '../../src/core/faults/operators.ts';
import { browse } from '../support/browse.ts';
import type { Seams } from './seams.ts';
import { serveDocument } from './document.ts';
import { findServer, parametersOf, readResource, type FoundServer } from './discovery.ts';

export interface LoginOptions {
  url: string;
  seams: Seams;
  revision: string;
  /** Credentials that it was given: client_id, client_secret, issuer. */
  context: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  has: (variant: LoginVariant) => boolean;
}

/** Liberties of registration. */
export type LoginVariant = 'registers-each-time' | 'never-registers' | 'confidential';

export interface Login {
  /** The header that shows the token; undefined while there is none. */
  header(): string | undefined;
  /** The address with the token in it, which no client should use. */
  address(): string;
  /** Gets a token after a refusal; false where there is no more to try. */
  answer(response: Response): Promise<boolean>;
}

interface Registered {
  clientId: string;
  secret: string | undefined;
  method: string;
  issuer: string;
}

const mostStepUps = 2;
const mostRefusals = 3;
const documentId = 'https://client.mcpc.invalid/oauth/client.json';

export function createLogin(options: LoginOptions): Login {
  const { context, has, revision, seams, signal, url } = options;
  const keeps = seams.keeps;
  const redirectUri = keeps('redirect-to-own-machine')
    ? 'http://127.0.0.1:7/callback'
    : 'http://client.example/callback';
  let token: string | undefined;
  let firstToken: string | undefined;
  let refreshToken: string | undefined;
  let registered: Registered | undefined;
  let scopes: string[] = [];
  let stepUps = 0;
  let refusals = 0;
  let repeats = 0;
  let working: Promise<boolean> | undefined;

  async function post(address: string, form: Record<string, string>, client: Registered): Promise<Json> {
    const basic = client.secret !== undefined && client.method !== 'client_secret_post';
    const fields = {
      ...form,
      ...(basic ? {} : { client_id: client.clientId }),
      ...(client.secret !== undefined && !basic ? { client_secret: client.secret } : {}),
    };
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(basic
          ? {
              authorization: `Basic ${Buffer.from(`${encodeURIComponent(client.clientId)}:${encodeURIComponent(client.secret!)}`).toString('base64')}`,
            }
          : {}),
      },
      body: new URLSearchParams(fields),
      signal,
    });
    return (await response.json()) as Json;
  }

  /** The address of the metadata document: below a domain that does not exist, unless something is wrong with the document. */
  async function publish(): Promise<string> {
    if (!keeps('publish-by-https')) return documentId.replace('https:', 'http:');
    const content = {
      ...(keeps('publish-its-own-id') ? {} : { client_id: documentId }),
      ...(keeps('publish-whole-documents') ? { client_name: 'reference-client' } : {}),
      redirect_uris: [redirectUri],
    };
    const duties = ['publish-safely', 'publish-its-own-id', 'publish-whole-documents'] as const;
    return duties.every((duty) => keeps(duty)) ? documentId : serveDocument(content, signal);
  }

  async function register(server: FoundServer): Promise<Registered> {
    const issuer = String(server.issuer);
    const isOwn = registered?.issuer === issuer && !has('registers-each-time');
    if (registered !== undefined && (isOwn || !keeps('register-again'))) return registered;
    if (typeof context.client_id === 'string') {
      if (typeof context.issuer === 'string' && context.issuer !== issuer && keeps('bind-credentials'))
        throw new Error('the credentials are for another issuer');
      const methods = (server.token_endpoint_auth_methods_supported ?? []) as string[];
      return {
        clientId: context.client_id,
        secret: context.client_secret as string | undefined,
        method: methods.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post',
        issuer,
      };
    }
    const takesDocuments = server.client_id_metadata_document_supported === true || !keeps('check-document-support');
    const registers = typeof server.registration_endpoint === 'string';
    const prefers = keeps('prefer-documents') && (keeps('prefer-documents-to-registration') || !registers);
    if (revision >= '2025-11-25' && takesDocuments && prefers)
      return {
        clientId: await publish(),
        secret: undefined,
        method: 'none',
        issuer,
      };
    if (!keeps('register-itself')) return { clientId: 'reference-client', secret: undefined, method: 'none', issuer };
    if (!registers || has('never-registers')) throw new Error('there is no registration');
    const ask = (): Promise<Response> =>
      fetch(String(server.registration_endpoint), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'reference-client',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', ...(keeps('register-refresh') ? ['refresh_token'] : [])],
          response_types: ['code'],
          token_endpoint_auth_method: has('confidential') ? 'client_secret_basic' : 'none',
          ...(keeps('name-application-type')
            ? { application_type: keeps('register-as-native') ? 'native' : 'web' }
            : {}),
        }),
        signal,
      });
    let response = await ask();
    for (let turn = 0; turn < 8 && !response.ok && !keeps('take-refusals'); turn += 1) response = await ask();
    const given = (await response.json()) as Json;
    if (!response.ok) throw new Error(`registration was refused: ${String(given.error)}`);
    return {
      clientId: String(given.client_id),
      secret: given.client_secret as string | undefined,
      method: String(given.token_endpoint_auth_method ?? 'none'),
      issuer,
    };
  }

  function resourceOf(named: unknown): Record<string, string> {
    if (!keeps('name-the-resource')) return {};
    const own = typeof named === 'string' ? named : url;
    if (!keeps('name-the-right-resource')) return { resource: 'https://elsewhere.mcpc.invalid/mcp' };
    if (!keeps('name-the-whole-resource')) return { resource: new URL(own).origin };
    if (!keeps('leave-slashes-out')) return { resource: `${own}/` };
    return { resource: keeps('leave-fragments-out') ? own : `${own}#part` };
  }

  function take(given: Json): boolean {
    if (typeof given.access_token !== 'string') return false;
    token = given.access_token;
    firstToken ??= token;
    refreshToken = (given.refresh_token as string | undefined) ?? refreshToken;
    return true;
  }

  async function authorize(server: FoundServer, wanted: string[], resource: Record<string, string>): Promise<boolean> {
    const methods = server.code_challenge_methods_supported as string[] | undefined;
    if (server.isFound && methods?.includes('S256') !== true && revision >= '2025-11-25' && keeps('check-pkce-support'))
      throw new Error('the authorization server does not support PKCE');
    registered = await register(server);
    const address = new URL(String(server.authorization_endpoint));
    if (!keeps('use-named-endpoints')) address.pathname = '/oauth2/authorize';
    if (!['http:', 'https:'].includes(address.protocol)) throw new Error(`${address.protocol} is not opened`);
    const verifier = randomBytes(32).toString('base64url');
    const state = randomBytes(8).toString('hex');
    const plain = !keeps('challenge-by-s256');
    const challenge = plain ? verifier : createHash('sha256').update(verifier).digest('base64url');
    const parameters: Record<string, string> = {
      response_type: 'code',
      ...(keeps('name-itself') ? { client_id: registered.clientId } : {}),
      redirect_uri: keeps('use-registered-redirects') ? redirectUri : 'http://127.0.0.1:7/elsewhere',
      ...(wanted.length > 0 ? { scope: wanted.join(' ') } : {}),
      ...(keeps('send-state') ? { state } : {}),
      ...(keeps('use-pkce') ? { code_challenge: challenge, code_challenge_method: plain ? 'plain' : 'S256' } : {}),
      ...resource,
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    const isBack = (at: URL): boolean => at.href.startsWith(parameters.redirect_uri!);
    const { address: last, status } = await browse(address.href, isBack);
    const back = isBack(last) ? last.searchParams : new URLSearchParams();
    checkReply(back, server, keeps('send-state') ? state : undefined);
    const code = back.get('code');
    if (code === null) throw new Error(`no code: ${back.get('error') ?? status}`);
    scopes = wanted;
    return take(
      await post(
        String(server.token_endpoint),
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: parameters.redirect_uri!,
          ...(keeps('use-pkce') ? { code_verifier: verifier } : {}),
          ...resource,
        },
        registered,
      ),
    );
  }

  function checkReply(back: URLSearchParams, server: FoundServer, state: string | undefined): void {
    if (state !== undefined && back.get('state') !== state && keeps('check-state')) throw new Error('a foreign state');
    if (revision < '2026-07-28') return;
    const iss = back.get('iss');
    if (iss === null) {
      if (server.authorization_response_iss_parameter_supported === true && keeps('want-announced-issuers'))
        throw new Error('iss is missing');
      if (!keeps('take-absent-issuers')) throw new Error('iss is missing');
      return;
    }
    const slack = (text: string): string => (keeps('compare-issuers-exactly') ? text : text.replace(/\/$/, ''));
    if (slack(iss) !== slack(String(server.issuer)) && keeps('compare-issuers')) throw new Error('a foreign issuer');
  }

  /** The scopes to ask for: those of the challenge, with what was asked for before, else those of the metadata. */
  function wantedScopes(challenged: string | undefined, supported: unknown, offered: unknown, isStepUp: boolean) {
    const offline = ((offered ?? []) as string[]).includes('offline_access') ? ['offline_access'] : [];
    const named = challenged?.split(' ') ?? [];
    if (named.length > 0 && keeps('take-challenged-scopes'))
      return [...new Set([...(isStepUp && keeps('keep-scopes') ? scopes : []), ...named, ...offline])];
    if (named.length > 0) return [];
    return keeps('take-supported-scopes') ? [...((supported ?? []) as string[]), ...offline] : [];
  }

  async function work(challenge: Record<string, string>, status: number): Promise<boolean> {
    const isStepUp = status === 403;
    if (isStepUp && !keeps('step-up')) return false;
    // The same request once more, with the same token.
    if (isStepUp && !keeps('take-scope-errors')) return (repeats += 1) <= 4;
    if (isStepUp) stepUps += 1;
    refusals += 1;
    if (refusals > mostRefusals && keeps('give-up')) return false;
    if (isStepUp && stepUps > mostStepUps && keeps('give-up')) return false;
    if (refusals > 12) return false;
    const resource = await readResource(url, challenge.resource_metadata, seams, signal);
    if (resource !== undefined && resource.resource !== url && !url.startsWith(String(resource.resource)))
      if (keeps('check-the-resource')) throw new Error('the metadata is of another resource');
    const server = await findServer(url, resource, seams, signal);
    const named = resourceOf(keeps('check-the-resource') ? resource?.resource : url);
    const mayRefresh = refreshToken !== undefined || !keeps('refresh-with-tokens-alone');
    if (!isStepUp && mayRefresh && registered?.issuer === server.issuer && token !== undefined) {
      const renewed = await post(
        String(server.token_endpoint),
        { grant_type: 'refresh_token', refresh_token: refreshToken ?? 'none', ...named },
        registered!,
      );
      refreshToken = undefined;
      if (take(renewed)) return true;
      if (!keeps('log-in-again')) return false;
    }
    const wanted = wantedScopes(challenge.scope, resource?.scopes_supported, server.scopes_supported, isStepUp);
    return authorize(server, wanted, named);
  }

  return {
    header: () =>
      token === undefined || !keeps('keep-tokens-out-of-addresses')
        ? undefined
        : `${keeps('show-bearer-tokens') ? 'Bearer' : 'Token'} ${keeps('show-newest-tokens') ? token : firstToken}`,
    address: () =>
      token === undefined || keeps('keep-tokens-out-of-addresses') ? url : `${url}?access_token=${token}`,
    answer(response) {
      const challenge = parametersOf(response.headers.get('www-authenticate') ?? '');
      const scoped = response.status === 403 && challenge.error === 'insufficient_scope';
      if (response.status !== 401 && !scoped) return Promise.resolve(false);
      working ??= work(challenge, response.status)
        .catch(() => false)
        .finally(() => (working = undefined));
      return working;
    },
  };
}
