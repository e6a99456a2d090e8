/** Test tokens that stand for themselves: what a server in a test makes of their names is up to it. */
import { testTokenPrefix } from '../../src/core/model/made-up-tokens.ts';
import { tokenFaults } from '../../src/server/authorization/token-keys.ts';

/** By name; the good one among them. */
export const namedTestTokens: Readonly<Record<string, string>> = Object.fromEntries(
  ['good', 'challenged', ...tokenFaults].map((name) => [`${testTokenPrefix}${name}`, `${testTokenPrefix}${name}`]),
);
