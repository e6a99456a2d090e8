/** Credentials and tokens that a client gets beforehand so that it can log in. All of it is made up. */
import type { SituationGuard } from '../../core/model/rules/situation.ts';
import {
  assertionAlgorithm,
  createAssertionKeys,
  enterpriseGrant,
  identityProvider,
  signAssertion,
  workloadGrant,
  type AssertionGrant,
} from '../../server/authorization/assertion-grants.ts';
import type { AuthorizationServer } from '../../server/authorization/authorization-server.ts';
import type { AuthClient } from '../../server/authorization/clients.ts';

export interface Credentials {
  /** Clients that the authorization server knows. */
  clients: AuthClient[];
  /** The grant of an extension, at the authorization server. */
  assertions?: AssertionGrant;
  /** An identity provider has to run as well: its clients and its grant. */
  provider?: { clients: AuthClient[]; assertions: AssertionGrant };
  /** Credentials for the client, in the words of the official suite, once the servers run. */
  context(server: AuthorizationServer, provider: AuthorizationServer | undefined): Promise<Record<string, unknown>>;
}

const clientId = 'mcpc-known-client';
const clientSecret = 'mcpc-known-client-secret';
const providerClientId = 'mcpc-known-client-of-the-provider';
const workload = { issuer: 'https://workloads.mcpc.invalid', subject: 'mcpc-workload' };
const lifetimeSeconds = 300;

/** @param servers give the issuers, once they run */
export async function createCredentials(
  { client, extension }: SituationGuard,
  servers: { issuer(): string; provider(): string },
): Promise<Credentials> {
  if (client === undefined) return { clients: [], context: () => Promise.resolve({}) };
  const method = client.authenticates;
  const keys = extension !== undefined || method === 'private_key_jwt' ? await createAssertionKeys() : undefined;
  const hasSecret = method !== 'none' && method !== 'private_key_jwt';
  const known: AuthClient = {
    clientId,
    ...(method === undefined ? {} : { method }),
    ...(hasSecret ? { secret: clientSecret } : {}),
    ...(method === 'private_key_jwt' ? { jwks: keys!.jwks } : {}),
    redirectUris: 'any',
  };
  const own = (issuer: string): Record<string, unknown> => ({
    client_id: clientId,
    ...(hasSecret ? { client_secret: clientSecret } : {}),
    ...(method === 'private_key_jwt' ? { private_key_pem: keys!.pem, signing_algorithm: assertionAlgorithm } : {}),
    ...(client.namesIssuer === true ? { issuer } : {}),
  });
  if (extension === 'workload')
    return {
      clients: [known],
      assertions: workloadGrant(keys!, servers.issuer),
      async context({ issuer }) {
        const sign = (audience: string, seconds: number): Promise<string> =>
          signAssertion(keys!, { ...workload, audience }, seconds);
        return {
          ...own(issuer),
          valid_jwt: await sign(issuer, lifetimeSeconds),
          wrong_audience_jwt: await sign('https://other.mcpc.invalid', lifetimeSeconds),
          expired_jwt: await sign(issuer, -lifetimeSeconds),
        };
      },
    };
  if (extension === 'enterprise')
    return {
      clients: [known],
      assertions: enterpriseGrant(keys!, servers.issuer, servers.provider),
      provider: {
        clients: [{ clientId: providerClientId, method: 'none', redirectUris: 'any' }],
        assertions: identityProvider({
          keys: keys!,
          issuer: servers.provider,
          clientId: providerClientId,
          behind: clientId,
        }),
      },
      async context({ issuer }, provider) {
        const at = provider!.issuer;
        const claims = { issuer: at, subject: 'someone@mcpc.invalid', audience: providerClientId };
        return {
          ...own(issuer),
          idp_client_id: providerClientId,
          idp_id_token: await signAssertion(keys!, claims, lifetimeSeconds),
          idp_issuer: at,
          idp_token_endpoint: `${provider!.origin}/token`,
        };
      },
    };
  return { clients: [known], context: ({ issuer }) => Promise.resolve(own(issuer)) };
}
