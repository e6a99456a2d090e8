/** The facts of a `grant` subject: one attempt of a client to get a token, as conditions read it. */
import { presenceOf } from '../metadata-exchange.ts';
import { tokenSeqOf, type Attempt } from './attempt.ts';
import { authorizationsOf, registrationsBefore } from './authorizations.ts';
import { authenticationOf, clientIdSort, namedResource, redirectSort, textsOf } from './requests.ts';
import { formerOf } from './former-server.ts';
import { documentsOf, issuersOf, resourceContent, resourceSearch, serverSearches } from './searches.ts';
import { fitOf } from '../metadata-exchange.ts';
import { serverDocuments } from './server-documents.ts';

export function grantFacts(attempt: Attempt): Record<string, unknown> {
  const { cause, challenge, resource } = attempt;
  const content = resourceContent(attempt);
  const authorizations = authorizationsOf(attempt);
  return {
    cause,
    ...(challenge === undefined ? {} : { challenge }),
    resourceSearch: resourceSearch(attempt),
    ...(content === undefined
      ? {}
      : {
          resourceMetadata: {
            fit: typeof content.resource === 'string' ? fitOf(content.resource, resource) : 'absent',
            resource: content.resource,
            issuers: issuersOf(attempt),
          },
        }),
    serverSearches: serverSearches(attempt),
    serverMetadata: serverDocuments(attempt),
    discovery: discoveryOf(attempt),
    registrations: registrationsOf(attempt),
    authorizations,
    tokens: tokensOf(attempt),
    ended: attempt.ended,
    repeats: attempt.repeats,
    calls: callsOf(attempt),
    earlier: { ...earlierOf(attempt), documents: attempt.all.some((one) => one !== attempt && usesDocument(one)) },
    former: formerOf(attempt),
  };
}

/** It asked for authorization with the address of a metadata document as its id. */
function usesDocument({ legs }: Attempt): boolean {
  return legs.some(({ kind, query }) => kind === 'authorization' && clientIdSort(query.get('client_id')) === 'url');
}

/** Each request for metadata in its order, with the version header that it had. */
function discoveryOf(attempt: Attempt) {
  return attempt.legs.flatMap(({ document, headers }) =>
    document === undefined
      ? []
      : [
          {
            document: document.kind,
            path: document.path,
            ownHost: document.host === attempt.resource.host,
            presence: presenceOf(document),
            version: headers['mcp-protocol-version'] !== undefined,
          },
        ],
  );
}

function registrationsOf({ legs, resource }: Attempt) {
  return legs
    .filter(({ kind }) => kind === 'registration')
    .map(({ host, path, reply, sent = {}, status = 0 }) => ({
      host,
      path,
      ownHost: host === resource.host,
      status,
      accepted: status === 201 || status === 200,
      error: typeof reply?.error === 'string' ? reply.error : '',
      redirects: textsOf(sent.redirect_uris).map(redirectSort),
      grantTypes: textsOf(sent.grant_types),
      ...(sent.application_type === undefined ? {} : { applicationType: sent.application_type }),
    }));
}

function tokensOf(attempt: Attempt) {
  const metadata = resourceContent(attempt);
  return attempt.legs
    .filter(({ kind, form }) => kind === 'token' && form?.has('grant_type') === true)
    .map((leg) => {
      const { form = new URLSearchParams(), host, path, reply, status = 0 } = leg;
      return {
        grant: form.get('grant_type'),
        host,
        path,
        resource: namedResource(form, attempt.resource, metadata),
        registered: isGrantRegistered(attempt, form),
        verifier: form.has('code_verifier'),
        authentication: authenticationOf(leg),
        client: clientIdSort(form.get('client_id')),
        status,
        type: tokenType(reply?.token_type),
        granted: typeof reply?.access_token === 'string',
        error: typeof reply?.error === 'string' ? reply.error : '',
        description: typeof reply?.error_description === 'string' ? reply.error_description : '',
        refreshable: typeof reply?.refresh_token === 'string',
      };
    });
}

/** Says if the registration of the client lists the grant: yes, no, or unknown where it was not seen. */
function isGrantRegistered(attempt: Attempt, form: URLSearchParams): string {
  const given = registrationsBefore(attempt).find(({ reply }) => reply?.client_id === form.get('client_id'));
  if (given === undefined || given.sent?.grant_types === undefined) return 'unknown';
  return textsOf(given.sent.grant_types).includes(form.get('grant_type') ?? '') ? 'yes' : 'no';
}

function tokenType(type: unknown): string {
  if (typeof type !== 'string') return 'absent';
  return type.toLowerCase() === 'bearer' ? 'bearer' : 'other';
}

/**
 * Requests to the resource behind the token, by their credentials. `bare` counts those without it that the client, which
 * had it, certainly left it out of: they name a session that the token was used in, or the same token came before and
 * after. Another process of a client may have no token yet.
 */
function callsOf({ calls }: Attempt) {
  const count = (credentials: string): number => calls.filter((one) => one.credentials === credentials).length;
  const sessions = new Set(calls.flatMap((one) => (one.credentials === 'bearer' && one.session ? [one.session] : [])));
  const bare = calls.filter(({ credentials, session, seq }, index) => {
    if (credentials !== 'none') return false;
    const before = calls.slice(0, index).filter((one) => one.credentials === 'bearer');
    if (before.length === 0) return false;
    if (session !== undefined && sessions.has(session)) return true;
    return calls.some((one) => one.seq > seq && before.some(({ shown }) => shown === one.shown));
  });
  return {
    bearer: count('bearer'),
    query: count('query'),
    other: count('other'),
    bare: bare.length,
    /** With the token, and served by it. */
    served: calls.filter(({ credentials, status = 0 }) => credentials === 'bearer' && status > 0 && status < 400)
      .length,
  };
}

/** The attempts before it at the same resource. */
function earlierOf({ before, legs: own }: Attempt) {
  const all: Attempt[] = [];
  for (let one = before; one !== undefined && all.length < 50; one = one.before) all.push(one);
  const hostsOf = (legs: Attempt['legs']): string[] =>
    legs.flatMap(({ host, kind }) => (kind === 'authorization' ? [host] : []));
  const hosts = new Set(all.flatMap(({ legs }) => hostsOf(legs)));
  const asked = hostsOf(own);
  const scoped = all.filter(({ cause }) => cause === 'scope');
  return {
    granted: all.filter((one) => tokenSeqOf(one) !== undefined).length,
    looked: all.some((one) => documentsOf(one).some(({ kind }) => kind === 'resource')),
    stepUps: scoped.length,
    moved: hosts.size > 0 && asked.length > 0 && !asked.some((host) => hosts.has(host)),
    refreshable: all.some(({ legs }) =>
      legs.some(({ kind, reply }) => kind === 'token' && reply?.refresh_token !== undefined),
    ),
    codes: all.filter(({ legs }) => legs.some(({ kind }) => kind === 'authorization')).length,
  };
}
