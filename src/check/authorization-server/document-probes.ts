/**
 * The probes of metadata documents as client ids: a sound document first, then requests and documents that differ from it
 * in one thing.
 */
import type { EventSink } from '../../core/model/trace.ts';
import { authorize, newVerifier } from './authorize.ts';
import { textOf } from './as-client.ts';
import type { LeftOut, ProbeContext } from './code-probes.ts';
import { hostDocuments, type HostedDocument } from './document-host.ts';

export interface DocumentOptions {
  /** Origin under which the authorization server reaches the documents. */
  origin?: string | undefined;
  /** Port on which they are served. */
  port?: number | undefined;
}

const json = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' };

/** @returns what could not be asked, and why */
export async function probeDocuments(
  context: ProbeContext,
  redirectUri: string,
  { origin, port, sink }: DocumentOptions & { sink: EventSink },
): Promise<LeftOut[]> {
  const { exchanges, learn, metadata, resource, scope } = context;
  if (metadata.client_id_metadata_document_supported !== true) return [];
  const host = await hostDocuments(documentsFor(redirectUri), { origin, port, sink });
  const ask = (path: string, redirect = redirectUri) =>
    authorize(
      textOf(metadata, 'authorization_endpoint') ?? '',
      { clientId: host.address(path), redirectUri: redirect, verifier: newVerifier(), scope, resource },
      exchanges,
      learn,
    );
  try {
    const first = await ask('/client.json');
    if (host.count('/client.json') === 0 && first.kind !== 'back' && first.kind !== 'page')
      return [
        {
          what: 'metadata documents of clients',
          why: `the authorization server asked nothing of ${host.address('')}: name an origin that it reaches with --document-origin`,
        },
      ];
    await ask('/client.json');
    const { href } = new URL(redirectUri);
    await ask('/client.json', `${href}/mcpc`);
    for (const path of ['/other-id.json', '/page', '/nameless.json']) await ask(path);
    return [];
  } finally {
    await host.close();
  }
}

function documentsFor(redirectUri: string): Record<string, HostedDocument> {
  const members = {
    client_name: 'mcpc',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  const { client_name: _, ...nameless } = members;
  const document = (content: object): HostedDocument => ({
    headers: json,
    body: (address) => JSON.stringify({ client_id: address, ...content }),
  });
  return {
    '/client.json': document(members),
    '/other-id.json': document({ ...members, client_id: 'https://client.mcpc.invalid/client.json' }),
    '/nameless.json': document(nameless),
    '/page': { headers: { 'content-type': 'text/html' }, body: () => '<p>This is no metadata document.</p>' },
  };
}
