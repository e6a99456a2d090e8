/**
 * Faults of the test authorization server itself. The rules about authorization servers have to fail each; clients need
 * not notice them. Data only.
 */

interface ServerFaultInfo {
  /** A sentence without its full stop. */
  says: string;
  /** Rules that fail by it, by id. */
  breaks: readonly string[];
}

export const serverFaultList = {
  'metadata-absent': {
    says: 'No document names the endpoints',
    breaks: ['authorization/as-metadata-publication'],
  },
  'endpoint-insecure': {
    says: 'The metadata names an endpoint in plain HTTP on another machine',
    breaks: ['authorization/security-https-endpoints'],
  },
  'redirect-by-prefix': {
    says: 'Addresses that begin as the registered redirect URI are redirected to',
    breaks: ['authorization/security-redirect-exact-match', 'authorization/cimd-server-redirect-check'],
  },
  'redirect-anywhere': {
    says: 'Addresses on other hosts than the registered redirect URI are redirected to',
    breaks: ['authorization/security-untrusted-redirects'],
  },
  'unknown-client-redirected': {
    says: 'An error about an unknown client is sent to the address that the request names',
    breaks: ['authorization/security-automatic-redirects'],
  },
  'iss-flag-absent': {
    says: 'Redirects have iss, and the metadata announces none',
    breaks: ['authorization/issuer-advertisement'],
  },
  'iss-lacking': {
    says: 'Redirects have no iss',
    breaks: ['authorization/issuer-response-parameter'],
  },
  'code-reusable': { says: 'A code is good any number of times', breaks: ['authorization/oauth-version-21'] },
  'verifier-unchecked': {
    says: 'A code is given for any code_verifier',
    breaks: ['authorization/oauth-version-21'],
  },
  'challenge-optional': {
    says: 'Codes and tokens are given without a code_challenge',
    breaks: ['authorization/oauth-version-21'],
  },
  'token-long-lived': {
    says: 'Access tokens are good for a year',
    breaks: ['authorization/security-token-lifetime'],
  },
  'refresh-kept': {
    says: 'Refresh tokens are good any number of times, and none replaces them',
    breaks: ['authorization/security-refresh-rotation', 'authorization/security-token-rotation'],
  },
  'userinfo-open': {
    says: 'The userinfo endpoint serves any token',
    breaks: ['authorization/token-own-resources-authorization-server'],
  },
  'document-unfetched': {
    says: 'Any address is taken as a client id, and its document is not asked for',
    breaks: ['authorization/cimd-server-fetch'],
  },
  'document-id-unchecked': {
    says: 'A document may name another client_id than its address',
    breaks: ['authorization/cimd-server-id-check'],
  },
  'document-members-unchecked': {
    says: 'A document may lack its client_name',
    breaks: ['authorization/cimd-server-structure-check'],
  },
  'document-redirects-unchecked': {
    says: 'Addresses that the document does not list are redirected to',
    breaks: ['authorization/cimd-server-redirect-check'],
  },
  'document-uncached': {
    says: 'A document is asked for again, whatever its headers say',
    breaks: ['authorization/cimd-server-caching'],
  },
} as const satisfies Record<string, ServerFaultInfo>;

export type ServerFault = keyof typeof serverFaultList;

export const serverFaults = Object.keys(serverFaultList) as readonly ServerFault[];
