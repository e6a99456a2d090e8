/** The facts of `grant` subjects: what each says. Data only. */
import type { Definitions } from '../../core/plugin.ts';

const rests = ['exchanges', 'start', 'order'] as const;

export const grantDefinitions: Definitions = {
  cause: { says: 'Why it began: unauthorized (401), scope (403 with insufficient_scope) or none (unasked).', rests },
  challenge: { says: 'Parameters of the Bearer challenge that began it; absent without one.', rests },
  resourceSearch: {
    says: 'How the client looked for metadata of the resource: announced (the challenge names an address), tried (announced, path, root or elsewhere, in order), order (kept, broken or unclear), missing (places that it left out, where it found none), found, unclear.',
    rests,
  },
  resourceMetadata: {
    says: 'The newest metadata of the resource that was found: fit (fits when it names the endpoint or what holds it, else other-path, other-host or absent), resource, issuers. Absent where none was found.',
    rests,
  },
  serverSearches: {
    says: 'For each issuer about which the client asked: issuer, hasPath, tried (oauth, openid, openid-appended or elsewhere, in order), order, missing, found, unclear.',
    rests,
  },
  serverMetadata: {
    says: 'Documents of authorization servers that were found: form (oauth or openid), host, ownHost (it is the host of the resource), issuer, fit (against the issuer that it was fetched for: same, slash, other or unknown), pkce (it names code_challenge_methods_supported), methods, documents (it takes metadata documents), registers, iss, scopes, endpoints.',
    rests,
  },
  discovery: {
    says: 'Requests for metadata in order: document, path, ownHost (it went to the host of the resource), presence, version (with MCP-Protocol-Version).',
    rests,
  },
  registrations: {
    says: 'Dynamic registrations: host, path, ownHost (it went to the host of the resource), status, accepted, error, redirects (loopback, https, http or private), grantTypes, applicationType.',
    rests,
  },
  authorizations: {
    says: 'Authorization requests: type, challenge, method, resource (given, value, fit, absolute, slash, originAlone), client (url, unfit-url, plain or absent), clientFrom (own, elsewhere or unknown), redirect, registered (yes, no or unknown), endpoint (named, default, other or unknown), asked, scopeSource, missing, extra, dropped, offline, outcome (code, error, refused or none), state (none, returned, foreign or unknown), iss (absent, same, slash, other or unknown), issAnnounced, redeemed.',
    rests,
  },
  tokens: {
    says: 'Token requests: grant, host, path, resource, registered (the registration lists the grant: yes, no or unknown), verifier, authentication (basic, post, assertion, none or other), client, status, type (bearer, other or absent), granted, error, description, refreshable.',
    rests,
  },
  repeats: {
    says: 'With the cause scope: how often the refused request was sent again with the same token, and refused again, before the client got another one.',
    rests,
  },
  ended: { says: 'The trace shows that the client ended behind it.', rests },
  calls: {
    says: 'Requests to the resource behind the token: bearer, query, other (how many show it so), bare (how many certainly left it out), served.',
    rests,
  },
  former: {
    says: 'Authorization servers that gave codes before, and are named no more. Parts: left (there are some), client (none, unused, refused, taken or unclear), tokens. The client is the id that they knew without a registration in the trace. The tokens are requests that show theirs although there is a new one.',
    rests,
  },
  earlier: {
    says: 'Attempts before it at the same resource: looked (they asked for metadata of the resource), granted, stepUps, codes (with authorization requests), refreshable, moved (the authorization requests went to other hosts). At any resource, before or after: documents (the client id was the address of a metadata document).',
    rests,
  },
};
