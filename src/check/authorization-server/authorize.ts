/** Authorization requests, and the redirects that follow them until the redirect URI, a page or a refusal. */
import { createHash, randomBytes } from 'node:crypto';
import { headerOf } from '../login/exchanges.ts';
import type { ProbeExchanges } from './probe-exchanges.ts';

export interface Authorization {
  clientId: string;
  redirectUri: string;
  /** undefined: without a challenge. */
  verifier?: string | undefined;
  responseType?: string;
  scope?: string | undefined;
  resource?: string | undefined;
}

export type Authorized =
  | { kind: 'back'; code?: string; error?: string }
  | { kind: 'page' | 'refused' | 'unclear'; status: number }
  | { kind: 'missing'; why: string };

const mostRedirects = 10;

export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** @param learn gets each value that is secret, before it is recorded */
export async function authorize(
  endpoint: string,
  asked: Authorization,
  exchanges: ProbeExchanges,
  learn: (secret: string) => void,
): Promise<Authorized> {
  if (!URL.canParse(endpoint)) return { kind: 'missing', why: 'the metadata names no authorization_endpoint' };
  let address = addressOf(endpoint, asked, learn);
  const cookies = new Map<string, Map<string, string>>();
  for (let steps = 0; steps < mostRedirects; steps += 1) {
    const jar = cookies.get(address.origin) ?? new Map<string, string>();
    cookies.set(address.origin, jar);
    const sent = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await exchanges.send(address.href, {
      method: 'GET',
      headers: [['Accept', 'text/html, */*'], ...(sent === '' ? [] : ([['Cookie', sent]] as [string, string][]))],
    });
    if ('missing' in reply) return { kind: 'missing', why: reply.missing };
    const { headers, status } = reply;
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name, value = ''] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined) jar.set(name, value);
    }
    const next = status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined;
    if (next === undefined || !URL.canParse(next, address.href)) return { kind: kindOf(status), status };
    address = new URL(next, address);
    if (isAt(address, asked.redirectUri)) return returned(address);
  }
  return { kind: 'unclear', status: 302 };
}

function addressOf(endpoint: string, asked: Authorization, learn: (secret: string) => void): URL {
  const address = new URL(endpoint);
  const state = newVerifier();
  const { clientId, redirectUri, resource, responseType = 'code', scope, verifier } = asked;
  for (const secret of [state, verifier]) if (secret !== undefined) learn(secret);
  for (const [name, value] of Object.entries({
    response_type: responseType,
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(verifier === undefined
      ? {}
      : { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' }),
    state,
    ...(scope === undefined ? {} : { scope }),
    // Refresh tokens need consent (OpenID Connect Core 1.0, 11).
    ...(scope?.split(' ').includes('offline_access') === true ? { prompt: 'consent' } : {}),
    ...(resource === undefined ? {} : { resource }),
  }))
    address.searchParams.set(name, value);
  return address;
}

function kindOf(status: number): 'page' | 'refused' | 'unclear' {
  if (status >= 200 && status < 300) return 'page';
  return status >= 400 && status < 500 ? 'refused' : 'unclear';
}

function isAt(address: URL, redirectUri: string): boolean {
  const { origin, pathname } = new URL(redirectUri);
  return address.origin === origin && address.pathname === pathname;
}

function returned({ searchParams }: URL): Authorized {
  const [code, error] = [searchParams.get('code'), searchParams.get('error')];
  return { kind: 'back', ...(code === null ? {} : { code }), ...(error === null ? {} : { error }) };
}
