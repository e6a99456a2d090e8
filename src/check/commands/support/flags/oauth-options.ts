/** What the flags of a login come to. Secrets come by environment, file or stdin, never on the command line. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { withDefaults } from '../../../../core/model/defaults.ts';
import { usageError } from '../../../../core/model/errors.ts';
import { testTokenPrefix } from '../../../../core/model/made-up-tokens.ts';
import type { LoginOptions } from '../../../login/login-options.ts';
import type { LoginFlagValues } from './login-flags.ts';
import type { TargetOptions } from './target-flags.ts';

/**
 * How the check logs in, where it is asked to.
 *
 * @throws McpcError usage for flags that do not go together, and for a secret that is not there
 */
export async function loginOf(flags: LoginFlagValues): Promise<LoginOptions | undefined> {
  const given = (
    ['client-id', 'client-secret-env', 'client-secret-file', 'client-secret-stdin', 'redirect-port'] as const
  ).filter((name) => flags[name] !== undefined && flags[name] !== false);
  const { oauth: flow, scope, 'client-id': clientId, 'redirect-port': redirectPort } = flags;
  // The client of a check of the authorization server itself.
  if (flags.role === 'authorization-server') return undefined;
  const foreign = (['resource', 'document-origin', 'document-port'] as const).find((name) => flags[name] !== undefined);
  if (foreign !== undefined)
    throw usageError(
      `--${foreign} is for --role authorization-server.`,
      'Leave it out where a server of MCP is checked.',
    );
  if (flow === undefined) {
    if (given.length > 0)
      throw usageError(`--${given[0]} is for a login.`, 'Add --oauth client-credentials, code or headless.');
    return undefined;
  }
  if (flags['test-as'])
    throw usageError('--oauth and --test-as both bring tokens.', 'Use --test-as alone where the target can trust it.');
  if (given.filter((name) => name.startsWith('client-secret')).length > 1)
    throw usageError('The secret of the client is given twice.', 'Give it once.');
  const clientSecret = await secretOf(flags);
  if (flow === 'client-credentials' && (clientId === undefined || clientSecret === undefined))
    throw usageError(
      '--oauth client-credentials needs a client and its secret.',
      'Give --client-id, and one of --client-secret-env, --client-secret-file and --client-secret-stdin.',
    );
  return withDefaults<LoginOptions>({ flow }, { clientId, clientSecret, scope, redirectPort });
}

/** @throws McpcError usage for a secret that is not there */
export async function secretOf(flags: LoginFlagValues): Promise<string | undefined> {
  const { 'client-secret-env': name, 'client-secret-file': file } = flags;
  if (name !== undefined) return bare(process.env[name], `the environment variable ${name}`);
  if (file !== undefined) return bare(contentOf(file), `the file ${file}`);
  return flags['client-secret-stdin'] ? bare(await text(process.stdin), 'stdin') : undefined;
}

function bare(secret: string | undefined, place: string): string {
  const found = secret?.trim() ?? '';
  if (found === '') throw usageError(`There is no secret in ${place}.`, 'Put the secret of the client there alone.');
  return found;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`The secret of the client cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * The options of the target with the login in them, and with the token of another resource.
 *
 * @throws McpcError usage where there is a token already, and where the other token is missing
 */
export function withLoginOptions<O extends Pick<TargetOptions, 'secrets' | 'target'>>(
  options: O,
  login: LoginOptions | undefined,
  foreignVariable: string | undefined,
): O & { login?: LoginOptions } {
  const { target } = options;
  const hasToken = target.kind !== 'stdio' && target.headers.some(([name]) => name.toLowerCase() === 'authorization');
  if (login !== undefined && target.kind === 'stdio')
    throw usageError('--oauth needs a server over HTTP.', 'Name the target with --url.');
  if (login !== undefined && hasToken)
    throw usageError(
      '--oauth gets a token, and another one is given.',
      'Leave out --token and the header Authorization, and unset MCPC_TOKEN.',
    );
  const secret = login?.clientSecret;
  const withLogin = {
    ...options,
    ...(login === undefined ? {} : { login }),
    secrets: [...options.secrets, ...(secret === undefined ? [] : [secret])],
  };
  if (foreignVariable === undefined) return withLogin;
  if (target.kind === 'stdio' || (login === undefined && !hasToken))
    throw usageError(
      '--foreign-token-env needs a good token as well: beside it the resource is what differs.',
      'Give it with --token, MCPC_TOKEN or --oauth.',
    );
  const foreign = process.env[foreignVariable]?.trim().replace(/^bearer\s+/i, '') ?? '';
  if (!/^[\x21-\x7e]+$/.test(foreign))
    throw usageError(
      `The environment variable ${foreignVariable} holds no token.`,
      'Put an access token of another resource there, and nothing else.',
    );
  const testTokens = { ...target.testTokens, [`${testTokenPrefix}audience-foreign`]: foreign };
  return { ...withLogin, target: { ...target, testTokens }, secrets: [...withLogin.secrets, foreign] };
}
