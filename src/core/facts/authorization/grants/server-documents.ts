/** Contents of the documents of authorization servers that a client found in an attempt. */
import { withoutEndSlashes } from '../../../model/end-slashes.ts';
import { presenceOf } from '../metadata-exchange.ts';
import type { Attempt } from './attempt.ts';
import { keyOf, textsOf } from './requests.ts';
import { documentsOf, issuersOf } from './searches.ts';

export interface ServerDocument {
  form: 'oauth' | 'openid';
  host: string;
  /** It is the host of the resource. */
  ownHost: boolean;
  issuer: unknown;
  /** Against the issuer for which it was fetched: `same`, `slash` (it differs by one at the end), `other`, `unknown`. */
  fit: string;
  /** Names code_challenge_methods_supported. */
  pkce: boolean;
  methods: string[];
  /** Takes addresses of metadata documents. */
  documents: boolean;
  /** Has a registration endpoint. */
  registers: boolean;
  /** Announces iss in redirects. */
  iss: boolean;
  scopes: string[];
  endpoints: Record<'authorization' | 'token' | 'registration', string | undefined>;
}

export function serverDocuments(attempt: Attempt): ServerDocument[] {
  const issuers = issuersOf(attempt);
  return documentsOf(attempt).flatMap((one) => {
    const { content = {}, host, kind, subject } = one;
    if ((kind !== 'oauth' && kind !== 'openid') || presenceOf(one) !== 'found') return [];
    const wanted = issuers.find((issuer) => keyOf(issuer) === subject);
    return [
      {
        form: kind,
        host,
        ownHost: host === attempt.resource.host,
        issuer: content.issuer,
        fit: issuerFit(content.issuer, wanted),
        pkce: content.code_challenge_methods_supported !== undefined,
        methods: textsOf(content.code_challenge_methods_supported),
        documents: content.client_id_metadata_document_supported === true,
        registers: typeof content.registration_endpoint === 'string',
        iss: content.authorization_response_iss_parameter_supported === true,
        scopes: textsOf(content.scopes_supported),
        endpoints: {
          authorization: keyOf(content.authorization_endpoint),
          token: keyOf(content.token_endpoint),
          registration: keyOf(content.registration_endpoint),
        },
      },
    ];
  });
}

function issuerFit(issuer: unknown, wanted: string | undefined): string {
  if (wanted === undefined || typeof issuer !== 'string') return 'unknown';
  if (issuer === wanted) return 'same';
  return withoutEndSlashes(issuer) === withoutEndSlashes(wanted) ? 'slash' : 'other';
}
