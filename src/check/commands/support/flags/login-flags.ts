/** Flags of how a check gets its tokens, other than by being given one. */
import { Flags } from '@oclif/core';
import { usageError } from '../../../../core/model/errors.ts';
import type { TestAuthorization } from '../../../login/test-authorization.ts';
import { numberFlag } from './flag-values.ts';
import type { TargetFlagValues } from './target-flags.ts';

const group = 'AUTHORIZATION';

export const loginFlags = {
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
};

export interface LoginFlagValues {
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
