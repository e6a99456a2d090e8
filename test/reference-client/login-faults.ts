/** Faults of the login: what the reference client leaves out while it gets and shows a token, and the rule that fails then. */
import type { DutyFault } from './faults.ts';
import type { LoginDuty } from './seams.ts';

/** Without a login the requests behind it have nothing to show; rules of other areas are decided in other starts. */
function left(rule: string, duty: LoginDuty, alsoBreaks: string[] = []): DutyFault {
  return {
    rule: `authorization/${rule}`,
    name: duty,
    options: { neglects: [duty] },
    ...(alsoBreaks.length === 0 ? {} : { alsoBreaks: alsoBreaks.map((one) => `authorization/${one}`) }),
    transports: ['http'],
  };
}

export const loginFaults: readonly DutyFault[] = [
  left('pkce-use', 'use-pkce'),
  left('pkce-s256-method', 'challenge-by-s256'),
  left('resource-both-requests', 'name-the-resource'),
  left('resource-server-identity', 'name-the-right-resource'),
  left('resource-canonical-uri', 'leave-fragments-out'),
  left('resource-specificity', 'name-the-whole-resource'),
  left('token-query-absence', 'keep-tokens-out-of-addresses', ['token-bearer-header']),
  left('token-bearer-header', 'show-bearer-tokens'),
  left('token-every-request', 'show-tokens-always'),
  left('resource-trailing-slash', 'leave-slashes-out'),
  left('step-up-client-reaction', 'take-scope-errors', ['step-up-user-client']),
  left('legacy-client-default-paths', 'use-default-paths'),
  left('security-redirect-uris', 'redirect-to-own-machine'),
  left('security-state-parameter', 'send-state'),
  { ...left('security-state-parameter', 'check-state'), name: 'check-state' },
  left('prm-client-use', 'read-resource-metadata'),
  left('as-metadata-root-issuer-order', 'ask-oauth-first', ['as-metadata-path-issuer-order']),
  left('as-metadata-path-issuer-order', 'ask-oauth-first', ['as-metadata-root-issuer-order']),
  left('prm-client-mechanisms', 'follow-the-challenge', ['prm-client-challenge-parsing', 'prm-client-use']),
  left('prm-client-challenge-parsing', 'follow-the-challenge', ['prm-client-mechanisms', 'prm-client-use']),
  left('prm-client-wellknown-order', 'look-at-the-path-first', ['prm-client-mechanisms']),
  left('prm-resource-validation', 'check-the-resource'),
  left('as-metadata-client-mechanisms', 'use-named-endpoints'),
  left('as-metadata-wellknown-attempts', 'look-everywhere'),
  left('as-metadata-issuer-validation', 'check-the-issuer'),
  left('pkce-support-check', 'check-pkce-support'),
  left('pkce-oidc-metadata-refusal', 'check-pkce-support'),
  left('scopes-challenge-authority', 'take-challenged-scopes', ['scopes-selection-order', 'step-up-scope-union']),
  left('scopes-selection-order', 'take-supported-scopes'),
  left('step-up-scope-union', 'keep-scopes'),
  left('step-up-user-client', 'step-up'),
  left('step-up-retry-limit', 'give-up'),
  left('cimd-client-use', 'prefer-documents'),
  left('cimd-client-id-url', 'publish-by-https'),
  ...(
    [
      ['cimd-document-https', 'publish-safely', []],
      ['cimd-document-client-id', 'publish-its-own-id', ['cimd-document-https']],
      ['cimd-document-members', 'publish-whole-documents', ['cimd-document-https']],
    ] as const
  ).map(([rule, duty, also]) => left(rule, duty, ['cimd-client-id-url', ...also])),
  {
    ...left('registration-priority', 'prefer-documents-to-registration', ['cimd-client-use']),
    starts: ['authorization/pkce-use'],
  },
  left('oauth-dynamic-registration-client', 'register-itself'),
  left('binding-preregistered-mismatch', 'bind-credentials'),
  left('token-client-issuer', 'show-newest-tokens'),
  left('cimd-client-support-check', 'check-document-support'),
  left('dcr-application-type', 'name-application-type'),
  left('dcr-native-type', 'register-as-native'),
  left('dcr-failure-handling', 'take-refusals'),
  left('registration-client-id-acquisition', 'name-itself'),
  left('security-redirect-registration', 'use-registered-redirects'),
  left('refresh-grant-type', 'register-refresh'),
  left('refresh-issuance-assumption', 'refresh-with-tokens-alone'),
  left('issuer-validation', 'compare-issuers', ['issuer-comparison-normalisation']),
  left('issuer-absence-rejection', 'want-announced-issuers'),
  left('issuer-absence-acceptance', 'take-absent-issuers'),
  left('issuer-comparison-normalisation', 'compare-issuers-exactly'),
  left('binding-credential-reuse', 'register-again', ['binding-re-registration']),
  left('binding-re-registration', 'register-again', ['binding-credential-reuse']),
  left('legacy-client-metadata', 'use-named-endpoints'),
  left('legacy-metadata-precedence', 'read-server-metadata'),
  left('legacy-base-url', 'look-at-the-root'),
  left('legacy-discovery-header', 'name-the-version'),
];
