/**
 * `--test-as`: a test authorization server for a target that trusts it, and the tokens that a check shows: one that is good,
 * and others that differ from it in one thing. It listens on the own machine for as long as the check runs.
 */
import { usageError } from '../../core/model/errors.ts';
import { testTokenPrefix } from '../../core/model/made-up-tokens.ts';
import type { Target } from '../../client/target/target.ts';
import { startAuthorizationServer } from '../../server/authorization/authorization-server.ts';
import { tokenFaults } from '../../server/authorization/token-keys.ts';

export interface TestAuthorization {
  /** The text with addresses in place of {{issuer}}, {{jwks}} and {{audience}}. */
  fill(text: string): string;
  /** The target with a good token in each request, and tokens by name for the steps that show them; and all that is secret of it. */
  guard(target: Target): Promise<{ target: Target; secrets: string[] }>;
  /** What the user should know, in a sentence. */
  says(target: Target): string;
  close(): Promise<void>;
}

const clientId = 'mcpc-test-client';
/** Longer than any check. */
const lifetimeSeconds = 24 * 3600;

/**
 * @param url address of the endpoint, in which {{port}} may stand: tokens are issued for it
 * @param options.port on which the server listens, for a target that was set up before; any when absent
 * @param options.scope of the tokens
 * @throws McpcError usage when the port is taken
 */
export async function startTestAuthorization(
  url: string,
  options: { port?: number | undefined; scope?: string | undefined },
): Promise<TestAuthorization> {
  const server = await startAuthorizationServer({
    resource: url,
    ...(options.port === undefined ? {} : { port: options.port }),
  }).catch((error: unknown) => {
    throw usageError(
      `The test authorization server cannot listen: ${(error as Error).message}.`,
      'Give another port with --test-as-port.',
    );
  });
  const values: Record<string, string> = { issuer: server.issuer, jwks: server.jwksUri, audience: url };
  return {
    fill: (text) => text.replace(/\{\{\s?(issuer|jwks|audience)\s?\}\}/g, (_all, name: string) => values[name]!),
    async guard(target) {
      if (target.kind === 'stdio')
        throw usageError(
          '--test-as needs a server over HTTP.',
          'Name the target with --url, and start it with --serve.',
        );
      if (target.headers.some(([name]) => name.toLowerCase() === 'authorization'))
        throw usageError(
          '--test-as shows tokens of its own, and another one is given.',
          'Leave out --token and the header Authorization, and unset MCPC_TOKEN.',
        );
      const grant = { audience: target.url, clientId, scope: options.scope ?? 'mcpc:use', lifetimeSeconds };
      const issue = async (fault?: (typeof tokenFaults)[number]): Promise<[string, string]> => [
        `${testTokenPrefix}${fault ?? 'good'}`,
        await server.keys.issue(grant, fault),
      ];
      const tokens = await Promise.all([issue(), ...tokenFaults.map(issue)]);
      const good = tokens[0]![1];
      return {
        target: {
          ...target,
          headers: [...target.headers, ['Authorization', `Bearer ${good}`]],
          testTokens: Object.fromEntries(tokens),
          testTokenSigning: await server.keys.signing(grant),
        },
        secrets: tokens.map(([, token]) => token),
      };
    },
    says: (target) =>
      `Test authorization server: issuer ${server.issuer}, keys ${server.jwksUri}, audience ${target.kind === 'stdio' ? url : target.url}. It ends with this run.`,
    close: () => server.close(),
  };
}
