/**
 * The test tokens of one connection. One of them is made on the way: where a token without scopes was refused with 403 and
 * a challenge, it has the scopes that the challenge names.
 */
import { createPrivateKey, randomUUID, sign, type JsonWebKey } from 'node:crypto';
import { bearerChallenge, challengesIn } from '../../../core/facts/values/challenge.ts';
import { testTokenOf } from '../../../core/facts/values/credentials.ts';
import { testTokenIn, testTokenPrefix } from '../../../core/model/made-up-tokens.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import type { HttpTarget, TestTokenSigning } from '../../target/target.ts';

export interface TestTokens {
  /** The target with tokens of this connection alone, so that others do not change them. */
  target: HttpTarget;
  names: ReadonlySet<string>;
  /** Follows the requests that show the token without scopes. */
  observe(event: TraceEvent): void;
}

/** Of a token that is refused for want of scopes, whatever they are. */
const without = 'scope';
const challenged = 'challenged';

export function createTestTokens(target: HttpTarget): TestTokens {
  if (target.testTokens === undefined) return { target, names: new Set(), observe() {} };
  const { testTokenSigning: signing } = target;
  const tokens: Record<string, string> = { ...target.testTokens };
  const names = new Set(Object.keys(tokens).flatMap((name) => testTokenIn(name) ?? []));
  const open = new Set<string>();

  function take(http: TraceEvent['http']): void {
    const challenge = http?.status === 403 ? bearerChallenge(challengesIn(http.headers))?.parameters : undefined;
    if (challenge?.error !== 'insufficient_scope' || (challenge.scope ?? '').trim() === '') return;
    tokens[`${testTokenPrefix}${challenged}`] = signed(signing!, challenge.scope!);
    names.add(challenged);
  }

  return {
    target: { ...target, testTokens: tokens },
    names,
    observe({ exchange, from, http, kind }) {
      if (signing === undefined || exchange === undefined) return;
      if (kind === 'http-request' && from === 'client' && testTokenOf(http?.headers ?? {}) === without) {
        // An earlier challenge says nothing of this request.
        delete tokens[`${testTokenPrefix}${challenged}`];
        names.delete(challenged);
        open.add(exchange);
      } else if (kind === 'http-response' && open.delete(exchange)) take(http);
    },
  };
}

/** RFC 7515, with RS256. */
function signed({ claims, header, key }: TestTokenSigning, scope: string): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encode(header)}.${encode({ ...claims, scope, jti: randomUUID() })}`;
  const privateKey = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
}
