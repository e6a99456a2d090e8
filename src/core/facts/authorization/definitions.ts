/** The facts of `metadata` and `authorization` subjects: what each says, and what it rests on. Data only. */
import type { Definitions } from '../core/plugin.ts';

export const metadataDefinitions: Definitions = {
  document: {
    says: 'resource (protected resource metadata), oauth or openid (metadata of an authorization server), endpoint (a default endpoint of 2025-03-26).',
  },
  host: { says: 'Host of the address.' },
  presence: { says: 'found, absent (the server says there is none) or unclear.' },
  content: { says: 'The document.' },
  endpoints: {
    says: 'Endpoints that the metadata of an authorization server names: name, plain (an http address), insecure (an http address that is not the own machine).',
  },
};

export const authorizationDefinitions: Definitions = {
  required: { says: 'A request without credentials was answered with 401.' },
  attempts: {
    says: 'Requests without credentials that were refused for want of them, and requests with bad ones where they are required: credentials (none, made-up, foreign, query or malformed), method, opener (it opens a connection), status, result (it was given one), bearer (parameters of the Bearer challenge; scope and error empty where it has none), namesAudience (its error_description says that the audience is the reason).',
  },
  tests: {
    says: 'Requests with a token of the test authorization server that is wrong in one thing, where the good one gets a result and none gets 401, and requests with the id of the open session in place of a token: token (what is wrong), sort (audience, spelling, validity, claims, scope, step-up or session), method, status, result. A token of the sort step-up has the scopes of the challenge to the request before, which are asked. Its outcome is served, refused (for want of scopes) or unclear. A second challenge names more.',
  },
  scopes: { says: 'Scopes that Bearer challenges name, of whatever status.' },
  refused: { says: 'Replies with 401: the schemes that they asked for, in lower case, and bearer, as in attempts.' },
  oauthSigns: { says: 'What shows that the target means OAuth rather than keys of its own.' },
  resource: {
    says: 'Metadata of the protected resource: metadata (found, absent wherever it may be, or unclear), atWellKnown (the same, at the well-known addresses), announced (a challenge names its address), atAnnounced (found, absent at one of the addresses that challenges name, or unclear), documents (of each: resource, fit: fits when that is the endpoint or above it, other-path when it is another place on its host, else other-host; scopes).',
  },
  issuers: {
    says: 'Authorization servers that these documents name, or that the trace is about: issuer, metadata (found, absent or unclear at all of its addresses), openid (with PKCE, or without when none of its documents tells of code_challenge_methods_supported).',
  },
  ownHost: {
    says: "What lies on the target's host: metadata of an authorization server at the root, or below the path of the endpoint, /authorize and /token; found, absent or unclear.",
  },
};
