/** The facts of `issuance` subjects: what each says. Data only. */
import type { Definitions } from '../../core/plugin.ts';

const rests = ['exchanges', 'start', 'order'] as const;

export const issuanceDefinitions: Definitions = {
  form: {
    says: 'authorization (a request for a code, with the redirects that followed), token, or resource (an endpoint of the authorization server that takes tokens, asked with a made-up one).',
    rests,
  },
  outcome: {
    says: 'Of an authorization request: code, error (both sent to the redirect URI), refused (a status from 400 on, and no redirect to it), page, or unclear. Of the others: granted, refused or unclear.',
    rests,
  },
  fault: {
    says: 'What is wrong with the request: code-again (its code was redeemed before), verifier-wrong, challenge-absent (of a code that came without a code_challenge as well), or none.',
    rests,
  },
  client: {
    says: 'Of an authorization request: registered, document (its id is the address of a metadata document), given (known by other means) or unknown (made up by the checker).',
    rests,
  },
  public: { says: 'The client has no secret that the trace shows.', rests },
  redirect: {
    says: 'The redirect URI of an authorization request: known (registered, or in the document), altered (another path or query), foreign (another origin) or unclear.',
    rests,
  },
  iss: {
    says: 'The iss of the redirect: absent, same, slash, other or unknown, as in grants.',
    rests,
  },
  issAnnounced: {
    says: 'authorization_response_iss_parameter_supported of the metadata is true; absent without metadata.',
    rests,
  },
  sound: {
    says: 'The outcome of a request of the same client in which nothing is wrong; of clients with documents, of a document in which nothing is. Of a token request: granted where one of its grant was. Else none.',
    rests,
  },
  document: {
    says: 'The metadata document of the client: good, other-id (it names another client_id), unreadable (no JSON object), incomplete (it lacks client_id, client_name or redirect_uris), or unfetched.',
    rests,
  },
  secure: { says: 'The document lies at an https address.', rests },
  fetched: { says: 'The document was asked for between this request and the next one.', rests },
  kept: {
    says: 'The document had been given before, with a max-age that is not over.',
    rests,
  },
  grant: { says: 'grant_type of a token request.', rests },
  type: { says: 'Type of the token: bearer, other or absent.', rests },
  lifetime: { says: 'expires_in of the token, in seconds; absent where it has none.', number: true, rests },
  refresh: {
    says: 'The refresh token that a refresh brought: new, same or absent.',
    rests,
  },
  reuse: {
    says: 'The outcome of the next refresh with the same refresh token: granted, refused, unclear or untried.',
    rests,
  },
};
