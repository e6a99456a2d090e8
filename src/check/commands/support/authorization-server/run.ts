/** `check --role authorization-server`: which flags go with it, and what they come to. */
import { usageError } from '../../../../core/model/errors.ts';
import type { RunReport } from '../../../../core/model/reports/run-report.ts';
import { withDefaults } from '../../../../core/model/defaults.ts';
import type { OutsideOptions } from '../../../check-thread/outside.ts';
import type { AuthorizationServerOptions } from '../../../authorization-server/check-authorization-server.ts';
import type { GivenClient } from '../../../authorization-server/as-client.ts';
import type { LoginFlagValues } from '../flags/login-flags.ts';
import { secretOf } from '../flags/oauth-options.ts';

/** Flags that say something of a server of MCP. */
const foreign = ['oauth', 'test-as', 'foreign-token-env', 'lock', 'watch', 'plan', 'hints'] as const;

export type RoleFlagValues = LoginFlagValues & { profile: string } & Partial<
    Record<Exclude<(typeof foreign)[number], keyof LoginFlagValues>, unknown>
  >;

/**
 * The check of an authorization server in place of that of a server of MCP.
 *
 * @throws McpcError usage for flags that do not go with it
 */
export function authorizationServerRun(flags: RoleFlagValues): (options: OutsideOptions) => Promise<RunReport> {
  const wrong = foreign.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (wrong !== undefined)
    throw usageError(`--${wrong} says something of a server of MCP.`, 'Leave it out with --role authorization-server.');
  if (flags.profile !== 'full')
    throw usageError(
      '--profile quick says something of a server of MCP.',
      'Leave it out with --role authorization-server.',
    );
  return async (options) => {
    if (options.specs !== undefined)
      throw usageError('--role authorization-server judges by one revision.', 'Name one with --spec.');
    const { checkAuthorizationServer } = await import('../../../authorization-server/check-authorization-server.ts');
    const id = flags['client-id'];
    const secret = await secretOf(flags);
    if (id === undefined && secret !== undefined)
      throw usageError('The secret of a client is given, and no client.', 'Give the client with --client-id.');
    const more = withDefaults<Partial<AuthorizationServerOptions>>(
      {},
      {
        client: id === undefined ? undefined : withDefaults<GivenClient>({ id }, { secret }),
        redirectPort: flags['redirect-port'],
        scope: flags.scope,
        resource: flags.resource,
        documents: { origin: originOf(flags['document-origin']), port: flags['document-port'] },
      },
    );
    const secrets = [...options.secrets, ...(secret === undefined ? [] : [secret])];
    return checkAuthorizationServer({ ...options, ...more, secrets });
  };
}

/** @throws McpcError usage for what is no origin */
function originOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw usageError(`--document-origin "${value}" is no address.`, 'Write it as in https://tunnel.example.com.');
  return new URL(value).origin;
}
