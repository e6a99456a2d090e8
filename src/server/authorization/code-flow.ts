/**
 * The authorization endpoint, which approves at once and shows no page, and the codes that it gives (OAuth 2.1, 4.1, with
 * PKCE by S256, RFC 8707 and RFC 9207).
 */
import { createHash, randomUUID } from 'node:crypto';
import type { AuthClient, ClientRegistry } from './clients.ts';
import type { Difference } from './deviations.ts';
import { jsonReply, onlyOnce, type AuthReply, type AuthRequest } from './exchange.ts';
import { grantable, issuerInRedirect, scopes } from './metadata.ts';

/** The approval. */
export interface Approval {
  clientId: string;
  scope: string;
  /** undefined where the client named none. */
  resource: string | undefined;
}

interface Code extends Approval {
  redirectUri: string;
  /** undefined where there was none, which a lenient server or a fault allows. */
  challenge: string | undefined;
  expiresAt: number;
}

export interface CodeFlow {
  authorize(request: AuthRequest): Promise<AuthReply>;
  /** Takes a code, which is good once; undefined where it is not the client's, or anything of it does not fit. */
  redeem(form: ReadonlyMap<string, string>, client: AuthClient): Approval | undefined;
}

const codeLifetimeMs = 60_000;
const mostCodes = 1000;

export function createCodeFlow({
  asksPerson,
  clients,
  has,
  issuer,
}: {
  asksPerson: boolean;
  clients: ClientRegistry;
  has(deviation: Difference): boolean;
  issuer(): string;
}): CodeFlow {
  const codes = new Map<string, Code>();

  function approve(asked: ReadonlyMap<string, string>): Record<string, string> {
    const [challenge, clientId] = [asked.get('code_challenge'), asked.get('client_id')!];
    if (has('access-denied') || has('iss-in-error')) return { error: 'access_denied' };
    if (asked.get('response_type') !== 'code') return { error: 'unsupported_response_type' };
    const method = has('pkce-plain-only') ? 'plain' : 'S256';
    const isBare = has('lenient') || (challenge === undefined && has('challenge-optional'));
    if (!isBare && (challenge === undefined || asked.get('code_challenge_method') !== method))
      return { error: 'invalid_request', error_description: `A code_challenge by ${method} is missing` };
    const scope = grantedScope(asked.get('scope'), has);
    if (scope === undefined) return { error: 'invalid_scope' };
    const code = `mcpc-code-${randomUUID()}`;
    if (codes.size >= mostCodes) codes.clear();
    codes.set(code, {
      clientId,
      scope,
      challenge,
      resource: asked.get('resource'),
      redirectUri: asked.get('redirect_uri') ?? '',
      expiresAt: Date.now() + codeLifetimeMs,
    });
    return { code };
  }

  return {
    async authorize({ url }) {
      const asked = onlyOnce(url.searchParams);
      const client = asked && (await clients.find(asked.get('client_id') ?? ''));
      const lost = asked?.get('redirect_uri');
      if (asked && client === undefined && lost !== undefined && has('unknown-client-redirected'))
        return redirectTo(lost, { error: 'unauthorized_client', iss: issuer() });
      const known = client?.redirectUris;
      const redirect = asked?.get('redirect_uri') ?? (known === 'any' ? undefined : known?.[0]);
      // Addresses that the client did not register get no redirection.
      if (client === undefined || redirect === undefined || !isRegistered(redirect, client.redirectUris, has))
        return jsonReply(400, { error: 'invalid_request', error_description: 'Unknown client or redirect_uri' });
      if (asksPerson) return { status: 200, headers: { 'content-type': 'text/html' }, body: '<form>Log in</form>' };
      const iss = issuerInRedirect(issuer(), has);
      const state = asked!.get('state');
      return redirectTo(redirect, {
        ...approve(asked!),
        ...(state === undefined ? {} : { state: has('state-foreign') ? `mcpc-${randomUUID()}` : state }),
        ...(iss === undefined ? {} : { iss }),
      });
    },
    redeem(form, client) {
      const [name, verifier] = [form.get('code') ?? '', form.get('code_verifier') ?? ''];
      const code = codes.get(name);
      if (code === undefined) return undefined;
      if (!has('code-reusable')) codes.delete(name);
      const redirectUri = form.get('redirect_uri') ?? code.redirectUri;
      const proof = has('pkce-plain-only') ? verifier : createHash('sha256').update(verifier).digest('base64url');
      const isProven =
        code.challenge === proof ||
        has('verifier-unchecked') ||
        code.challenge === undefined ||
        (has('lenient') && verifier === '');
      const isTheClients = code.clientId === client.clientId && code.redirectUri === redirectUri;
      return isProven && (isTheClients || has('lenient')) && code.expiresAt > Date.now() ? code : undefined;
    },
  };
}

/** The scopes that a request gets: those it names, or the least where it names none; undefined where one is unknown. */
export function grantedScope(asked: string | undefined, has: (deviation: Difference) => boolean): string | undefined {
  if (asked === undefined || asked.trim() === '') return scopes.use;
  const wanted = asked.trim().split(/ +/);
  const known = [...grantable(has), scopes.never];
  if (!has('lenient') && !wanted.every((one) => known.includes(one))) return undefined;
  return wanted.filter((one) => one !== scopes.never).join(' ');
}

function redirectTo(address: string, parameters: Record<string, string>): AuthReply {
  const location = new URL(address);
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
  return { status: 302, headers: { location: location.href, 'cache-control': 'no-store' }, body: '' };
}

/** Exactly, but for the port of a loopback address (RFC 8252, 7.3). */
function isRegistered(
  redirect: string,
  registered: AuthClient['redirectUris'],
  has: (deviation: Difference) => boolean,
): boolean {
  if (!URL.canParse(redirect)) return false;
  if (registered === 'any') return true;
  const begun = registered.some((one) => redirect.startsWith(one));
  if (begun && has('redirect-by-prefix')) return true;
  const isElsewhere = registered.every((one) => new URL(one).host !== new URL(redirect).host);
  if (isElsewhere && has('redirect-anywhere')) return true;
  return registered.some((one) => one === redirect || withoutLoopbackPort(one) === withoutLoopbackPort(redirect));
}

function withoutLoopbackPort(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.protocol !== 'http:' || !['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)) return address;
  url.port = '';
  return url.href;
}
