/** The example clients of the official repository, the scenario that each is for, and the checks that its own test names. */

export interface Pair {
  client: string;
  scenario: string;
  /** The revision of both runs; the default of each scenario when absent. */
  at?: string;
  /** The scenario is not for that revision. */
  force?: true;
  /** Checks that have to fail; undefined where only the results are compared. */
  fails?: readonly string[];
}

const stateless = '2026-07-28';
const stateful = '2025-11-25';

function broken(client: string, scenario: string, fails: string, more: Pick<Pair, 'at' | 'force'> = {}): Pair {
  return { client, scenario, fails: fails === '' ? [] : fails.split(' '), ...more };
}

const login = (client: string, scenario: string, fails: string, more?: Pick<Pair, 'at' | 'force'>): Pair =>
  broken(`auth-test${client === '' ? '' : `-${client}`}`, `auth/${scenario}`, fails, more);

export const singlePairs: readonly Pair[] = [
  broken('test-broken', 'initialize', 'mcp-client-initialization'),
  broken('test1', 'initialize', ''),
  { client: 'elicitation-defaults-test', scenario: 'elicitation-sep1034-client-defaults' },
  broken('sse-retry-test', 'sse-retry', ''),
  login('bad-prm', 'metadata-default', 'prm-priority-order'),
  login('ignore-scope', 'scope-from-www-authenticate', 'scope-from-www-authenticate'),
  login('partial-scopes', 'scope-from-scopes-supported', 'scope-from-scopes-supported'),
  login('partial-scopes', 'scope-omitted-when-undefined', 'scope-omitted-when-undefined'),
  login('ignore-403', 'scope-step-up', 'scope-step-up-escalation'),
  login('ignore-403', 'scope-step-up', 'scope-step-up-escalation sep-2350-scope-union-on-reauth', { at: stateless }),
  login('echo-scope', 'scope-step-up', 'sep-2350-scope-union-on-reauth', { at: stateless }),
  login('echo-scope', 'scope-step-up', '', { at: stateful }),
  login('no-cimd', 'basic-cimd', 'cimd-client-id-used'),
  login('no-retry-limit', 'scope-retry-limit', 'scope-retry-limit'),
  login(
    'reuse-credentials',
    'authorization-server-migration',
    'sep-2352-reregister-on-as-change sep-2352-no-reuse-on-as-change sep-2352-no-cross-as-credential-reuse',
    { at: stateful, force: true },
  ),
  {
    client: 'everything-client',
    scenario: 'auth/authorization-server-migration',
    at: stateful,
    force: true,
    fails: [],
  },
  { client: 'everything-client', scenario: 'auth/iss-supported', at: stateful, force: true, fails: [] },
  { client: 'everything-client', scenario: 'auth/iss-not-advertised', at: stateful, force: true, fails: [] },
  { client: 'everything-client', scenario: 'auth/offline-access-scope', at: stateful, force: true, fails: [] },
  { client: 'everything-client', scenario: 'auth/offline-access-not-supported', at: stateful, force: true, fails: [] },
  login('attempts-dcr', 'pre-registration', 'pre-registration-auth'),
  login('no-application-type', 'metadata-default', 'sep-837-application-type-present', { at: stateless }),
  login('no-application-type', 'metadata-default', '', { at: stateful }),
  login(
    'no-pkce',
    'metadata-default',
    'pkce-code-challenge-sent pkce-s256-method-used pkce-code-verifier-sent pkce-verifier-matches-challenge',
  ),
  login('', 'iss-supported-missing', 'sep-2468-client-reject-missing-iss'),
  login('', 'iss-wrong-issuer', 'sep-2468-client-compare-iss-supported'),
  login('', 'iss-unexpected', 'sep-2468-client-compare-iss-unadvertised'),
  login('iss-normalize', 'iss-normalized', 'sep-2468-client-no-normalization'),
  login('', 'metadata-issuer-mismatch', 'sep-2468-client-validate-metadata-issuer'),
  login('dpop-no-nonce', 'dpop', ''),
  login('dpop-bearer', 'dpop', 'sep-1932-client-dpop-auth-scheme'),
  login('dpop-replay', 'dpop', 'sep-1932-client-fresh-proof'),
  login('dpop-no-token-proof', 'dpop', 'sep-1932-client-token-request-proof sep-1932-client-fresh-proof'),
  login('dpop-no-as-nonce', 'dpop-nonce', 'sep-1932-client-as-nonce'),
  login('dpop-no-rs-nonce', 'dpop-nonce', 'sep-1932-client-rs-nonce'),
  login('wif-wrong-audience', 'wif-jwt-bearer', 'wif-assertion-audience'),
  login('wif-no-assertion', 'wif-jwt-bearer', 'wif-assertion-missing'),
  login('wif-expired-assertion', 'wif-jwt-bearer', 'wif-assertion-expired'),
  { client: 'auth-test-wif-scope-rejected', scenario: 'auth/wif-jwt-bearer' },
  login('wif-grant-fallback', 'wif-jwt-bearer', 'wif-grant-fallback'),
  login('wif-retry', 'wif-jwt-bearer', 'wif-no-retry'),
];
