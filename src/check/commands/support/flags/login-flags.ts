/** Flags of how a check gets its tokens, other than by being given one. */
import { Flags } from '@oclif/core';
import { usageError } from '../../../../core/model/errors.ts';
import { loginFlows, type LoginFlow } from '../../../login/login-options.ts';
import type { TestAuthorization } from '../../../login/test-authorization.ts';
import { numberFlag } from './flag-values.ts';
import type { TargetFlagValues, TargetOptions } from './target-flags.ts';

const group = 'AUTHORIZATION';

export const loginFlags = {
  role: Flags.option({
    summary:
      'Who is checked: the MCP server at --url, or the authorization server there. Of an authorization server the metadata, codes, tokens and redirects are judged; it registers a client, or --client-id names one.',
    helpGroup: group,
    options: ['server', 'authorization-server'] as const,
    default: 'server' as const,
  })(),
  oauth: Flags.option({
    summary:
      'Log in first, at the authorization server that the target names: by a client and its secret, by a browser that opens the address that mcpc prints, or by following the redirects of a server that asks no user. See docs/authorization.md.',
    helpGroup: group,
    options: loginFlows,
  })(),
  'client-id': Flags.string({
    summary: 'Client at the authorization server. Without it code and headless have one registered.',
    helpGroup: group,
    helpValue: 'ID',
  }),
  'client-secret-env': Flags.string({
    summary: 'Environment variable that holds the secret of the client.',
    helpGroup: group,
    helpValue: 'NAME',
  }),
  'client-secret-file': Flags.string({
    summary: 'File that holds the secret of the client.',
    helpGroup: group,
    helpValue: 'FILE',
  }),
  'client-secret-stdin': Flags.boolean({ summary: 'Read the secret of the client from stdin.', helpGroup: group }),
  'redirect-port': numberFlag('redirect-port', {
    summary: 'Port of the redirect URI http://127.0.0.1:PORT/callback, where the client is registered with one.',
    helpGroup: group,
    helpValue: 'PORT',
    min: 1,
    max: 65_535,
    whole: true,
  }),
  'foreign-token-env': Flags.string({
    summary:
      'Environment variable that holds a token that is good for another resource: the target has to refuse it. Needs a good token too.',
    helpGroup: group,
    helpValue: 'NAME',
  }),
  'test-as': Flags.boolean({
    summary:
      'Start a test authorization server that the target is set up to trust, and show the target tokens that differ from a good one in one thing (audience, key, signature, expiry). {{issuer}}, {{jwks}} and {{audience}} in --serve and --env become its addresses. See docs/authorization.md.',
    helpGroup: group,
  }),
  'test-as-port': numberFlag('test-as-port', {
    summary: 'Port of the test authorization server, for a target that runs already. [default: any that is free]',
    helpGroup: group,
    helpValue: 'PORT',
    min: 1,
    max: 65_535,
    whole: true,
  }),
  scope: Flags.string({
    summary: 'Scopes of the tokens that mcpc asks for or issues itself, with blanks between.',
    helpGroup: group,
    helpValue: '"SCOPE SCOPE"',
  }),
  'document-origin': Flags.string({
    summary:
      'With --role authorization-server: origin under which the authorization server reaches the metadata documents that mcpc serves, such as that of a tunnel. [default: the own machine]',
    helpGroup: group,
    helpValue: 'ORIGIN',
  }),
  'document-port': numberFlag('document-port', {
    summary: 'Port on which mcpc serves them. [default: any that is free]',
    helpGroup: group,
    helpValue: 'PORT',
    min: 1,
    max: 65_535,
    whole: true,
  }),
  resource: Flags.string({
    summary: 'With --role authorization-server: identifier of the resource that tokens are asked for.',
    helpGroup: group,
    helpValue: 'URL',
  }),
};

export interface LoginFlagValues {
  role: 'server' | 'authorization-server';
  resource?: string | undefined;
  'document-origin'?: string | undefined;
  'document-port'?: number | undefined;
  oauth?: LoginFlow | undefined;
  'client-id'?: string | undefined;
  'client-secret-env'?: string | undefined;
  'client-secret-file'?: string | undefined;
  'client-secret-stdin': boolean;
  'redirect-port'?: number | undefined;
  'foreign-token-env'?: string | undefined;
  'test-as': boolean;
  'test-as-port'?: number | undefined;
  scope?: string | undefined;
}

/**
 * Starts the test authorization server where it is asked for; it is to be closed.
 *
 * @throws McpcError usage for flags that do not go together
 */
export async function testAuthorizationOf(
  flags: LoginFlagValues & Pick<TargetFlagValues, 'url'>,
): Promise<TestAuthorization | undefined> {
  if (!flags['test-as']) {
    if (flags['test-as-port'] !== undefined)
      throw usageError('--test-as-port is the port of --test-as.', 'Add --test-as, or leave it out.');
    return undefined;
  }
  if (flags.url === undefined)
    throw usageError('--test-as needs the address of the endpoint.', 'Name the target with --url.');
  const { startTestAuthorization } = await import('../../../login/test-authorization.ts');
  return startTestAuthorization(flags.url, { port: flags['test-as-port'], scope: flags.scope });
}

/** The target with the tokens of the test authorization server, which no report shows. */
export async function guarded(given: TargetOptions, login: TestAuthorization): Promise<TargetOptions> {
  const { target, secrets } = await login.guard(given.target);
  return { ...given, target, secrets: [...given.secrets, ...secrets] };
}

/** The flags of what is started, with the addresses of the test authorization server in them. */
export function withFilled<T extends { serve?: string | undefined; env?: string[] | undefined }>(
  flags: T,
  { fill }: TestAuthorization,
): T {
  const { serve, env } = flags;
  return {
    ...flags,
    ...(serve === undefined ? {} : { serve: fill(serve) }),
    ...(env === undefined ? {} : { env: env.map(fill) }),
  };
}
