/**
 * The probes of codes and tokens: a sound login first, then requests that differ from it in one thing, so that what an
 * authorization server refuses it refuses for that.
 */
import { madeUpClient, madeUpToken, madeUpVerifier } from '../../core/model/made-up-tokens.ts';
import { authorize, newVerifier, type Authorization, type Authorized } from './authorize.ts';
import { listOf, textOf, type ProbeClient, type ServerMetadata } from './as-client.ts';
import type { ProbeExchanges } from './probe-exchanges.ts';
import { grantedText, requestToken } from './token-requests.ts';

export interface LeftOut {
  what: string;
  why: string;
}

export interface ProbeContext {
  metadata: ServerMetadata;
  exchanges: ProbeExchanges;
  scope: string | undefined;
  resource: string | undefined;
  learn(secret: string): void;
}

/** A host below a reserved domain, which does not exist. */
const foreignRedirect = 'https://redirect.mcpc.invalid/callback';

/** The scopes to ask for: those of the user, or what brings a refresh token. */
export function scopesFor(metadata: ServerMetadata, named: string | undefined): string | undefined {
  if (named !== undefined) return named;
  const supported = listOf(metadata, 'scopes_supported');
  const wanted = ['openid', 'offline_access'].filter((one) => supported.includes(one));
  return wanted.length === 0 ? undefined : wanted.join(' ');
}

/** Requests that need no client. */
export async function probeWithoutClient(context: ProbeContext): Promise<void> {
  const { exchanges, metadata } = context;
  await ask(context, {
    clientId: madeUpClient,
    redirectUri: foreignRedirect,
    verifier: newVerifier(),
  });
  const userinfo = textOf(metadata, 'userinfo_endpoint');
  if (userinfo === undefined) return;
  await exchanges.send(userinfo, { method: 'GET', headers: [['Authorization', `Bearer ${madeUpToken}`]] });
}

/** @returns what could not be asked, and why */
export async function probeWithClient(context: ProbeContext, client: ProbeClient): Promise<LeftOut[]> {
  const own = { clientId: client.id, redirectUri: client.redirectUri, scope: context.scope };
  const verifier = newVerifier();
  const first = await ask(context, { ...own, verifier });
  const redirect = new URL(client.redirectUri);
  for (const redirectUri of [`${redirect.origin}${redirect.pathname}/mcpc`, `${redirect.href}?mcpc=1`, foreignRedirect])
    await ask(context, { ...own, redirectUri, verifier: newVerifier() });
  if (first.kind !== 'back') return [{ what: 'codes and tokens', why: whyNoCode(first) }];
  await ask(context, { ...own, responseType: 'mcpc-unknown', verifier: newVerifier() });
  if (first.code === undefined)
    return [{ what: 'codes and tokens', why: `the login was answered by the error ${first.error ?? 'of no name'}` }];
  await redeem(context, client, first.code, verifier);
  await redeem(context, client, first.code, verifier);
  await probeVerifiers(context, client, own);
  return probeRefresh(context, client, own);
}

type Own = Pick<Authorization, 'clientId' | 'redirectUri' | 'scope'>;

/** A code with the verifier of another one; a code without a challenge. */
async function probeVerifiers(context: ProbeContext, client: ProbeClient, own: Own): Promise<void> {
  const second = await ask(context, { ...own, verifier: newVerifier() });
  const code = codeOf(second);
  if (code !== undefined) await redeem(context, client, code, madeUpVerifier);
  if (client.secret !== undefined) return;
  const bare = codeOf(await ask(context, own));
  if (bare !== undefined) await redeem(context, client, bare, undefined);
}

/** Refreshes twice with the same token. */
async function probeRefresh(context: ProbeContext, client: ProbeClient, own: Own): Promise<LeftOut[]> {
  const verifier = newVerifier();
  const code = codeOf(await ask(context, { ...own, verifier }));
  const granted = code === undefined ? undefined : await redeem(context, client, code, verifier);
  const token = grantedText(granted, 'refresh_token');
  if (token === undefined)
    return [{ what: 'refresh tokens', why: 'the authorization server gave none: see if --scope brings one' }];
  for (let times = 0; times < 2; times += 1)
    await requestToken(context.metadata, context.exchanges, client, {
      grant_type: 'refresh_token',
      refresh_token: token,
      resource: context.resource,
    });
  return [];
}

function ask(context: ProbeContext, asked: Authorization): Promise<Authorized> {
  const endpoint = textOf(context.metadata, 'authorization_endpoint') ?? '';
  return authorize(endpoint, { resource: context.resource, ...asked }, context.exchanges, context.learn);
}

function redeem(
  { exchanges, learn, metadata, resource }: ProbeContext,
  client: ProbeClient,
  code: string,
  verifier: string | undefined,
) {
  for (const secret of [code, verifier]) if (secret !== undefined && secret !== madeUpVerifier) learn(secret);
  return requestToken(metadata, exchanges, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
    resource,
  });
}

function codeOf(authorized: Authorized): string | undefined {
  return authorized.kind === 'back' ? authorized.code : undefined;
}

/** In words without a full stop. */
export function whyNoCode(authorized: Exclude<Authorized, { kind: 'back' }>): string {
  switch (authorized.kind) {
    case 'page':
      return 'a login page asks for a person';
    case 'missing':
      return `the authorization endpoint was not reached: ${authorized.why}`;
    default:
      return `the authorization request was answered with status ${authorized.status} and no redirect to the client`;
  }
}
