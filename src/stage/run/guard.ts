/**
 * The authorization of one start over HTTP: the test authorization servers, and the door that they put before the server
 * of the scene. What the client asks the authorization servers is recorded, as what passes the proxy is.
 */
import { passedExchange, type PassedExchange } from '../../client/transport/http/passed-exchange.ts';
import type { SituationGuard } from '../../core/model/rules/situation.ts';
import type { EventInput } from '../../core/model/trace.ts';
import { startAuthorizationServer, type AuthorizationServer } from '../../server/authorization/authorization-server.ts';
import { deviationNames, type Deviation } from '../../server/authorization/deviations.ts';
import type { AuthExchange, AuthReply } from '../../server/authorization/exchange.ts';
import { createGuardedResource } from '../../server/authorization/guarded-resource.ts';
import type { HttpReply } from '../../server/session/behaviour.ts';
import type { Door } from '../../server/session/host.ts';
import { createClientDocuments } from './client-documents.ts';
import { createCredentials, type Credentials } from './credentials.ts';

export interface Guard {
  door: Door;
  /** Credentials that the client is given, in the words of the official suite. */
  context: Record<string, unknown>;
  /** Requests for documents and to the authorization servers. */
  requests(): number;
  close(): Promise<void>;
}

export interface GuardOptions {
  situation: SituationGuard;
  /** Address of the endpoint, as the client knows it. */
  resource: string;
  record(event: EventInput): void;
  /** Called at each exchange, before its reply. */
  onExchange(): void;
}

const session = 'auth';
/** An identity provider takes public clients, and registers none. */
const providerDeviations: readonly Deviation[] = ['registration-absent', 'auth-none-only'];

export async function openGuard({ onExchange, record, resource, situation }: GuardOptions): Promise<Guard> {
  const deviations = (situation.differs ?? []).filter((one): one is Deviation =>
    deviationNames.includes(one as Deviation),
  );
  let exchanges = 0;
  let documents = 0;
  // Once is enough: in the start where nothing differs.
  const published = isPlain(situation) ? createClientDocuments(resource, session, record) : undefined;
  const begin = (
    host: '127.0.0.1' | 'localhost',
    differs: readonly Deviation[],
    { assertions, clients }: Pick<Credentials, 'clients' | 'assertions'>,
  ): Promise<AuthorizationServer> =>
    startAuthorizationServer({
      host,
      deviations: differs,
      clients,
      resource,
      assertions,
      trustsDocuments: true,
      onDocument: (address) => published?.named(address),
      onExchange(exchange) {
        exchanges += 1;
        onExchange();
        const where = { session, exchange: `a${exchanges}` };
        for (const event of passedExchange(passed(exchange), where)) record(event);
      },
    });
  const credentials = await createCredentials(situation, {
    issuer: () => first.issuer,
    provider: () => provider!.issuer,
  });
  const first = await begin('localhost', deviations, credentials);
  // Clients of the first are unknown to it.
  const second = deviations.includes('other-issuer-later')
    ? await begin('127.0.0.1', deviations, { clients: [] })
    : undefined;
  const provider = credentials.provider && (await begin('127.0.0.1', providerDeviations, credentials.provider));
  const guarded = createGuardedResource(resource, second === undefined ? [first] : [first, second], deviations);
  return {
    door: {
      hasEndpoint: guarded.isDefaultEndpoint,
      async endpoint({ body, headers, path, verb }) {
        documents += 1;
        return asHttp(await first.handle({ method: verb, url: new URL(path, resource), headers, body }), 'oauth');
      },
      document(method, path) {
        const reply = guarded.document({ method, url: new URL(path, resource), headers: {}, body: '' });
        if (reply !== undefined) documents += 1;
        return reply && asHttp(reply, 'metadata');
      },
      async refuse({ headers, verb }, method) {
        const reply = await guarded.refuse({ method: verb, url: new URL(resource), headers, body: '' }, method);
        return reply && asHttp(reply, 'door');
      },
    },
    context: await credentials.context(first, provider),
    requests: () => exchanges + documents,
    async close() {
      await Promise.all([first.close(), second?.close(), provider?.close(), published?.close()]);
    },
  };
}

function isPlain({ client, differs, extension }: SituationGuard): boolean {
  return client === undefined && extension === undefined && (differs ?? []).length === 0;
}

function asHttp({ body, headers, status }: AuthReply, reason: string): HttpReply {
  return { status, reason, headers, ...(body === '' ? {} : { body: JSON.parse(body) as unknown }) };
}

function passed({ reply, request: { url, ...request } }: AuthExchange): PassedExchange {
  return { request: { ...request, origin: url.origin, path: `${url.pathname}${url.search}` }, reply };
}
