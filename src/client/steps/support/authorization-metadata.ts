/**
 * The step that discovers authorization as a client would: metadata of the protected resource, then of its
 * authorization servers, and the equivalents of revision 2025-03-26. It sends nothing unless the target has required
 * credentials, and makes no judgement.
 */
import { pathOf, resourcePlaces, serverPlaces } from '../../peer/beside/metadata-places.ts';
import type { Peer } from '../../peer/peer.ts';
import type { StepContext } from './step-scope.ts';

type Json = Record<string, unknown>;

const mostIssuers = 3;
const mostAnnounced = 3;

export async function fetchAuthorizationMetadata(peer: Peer, context: StepContext): Promise<void> {
  if (!peer.challenge || peer.endpoint === undefined) return;
  const endpoint = new URL(peer.endpoint);
  const seen = new Set<string>();

  async function get(address: string): Promise<Json | undefined> {
    if (!URL.canParse(address) || seen.has(address)) return undefined;
    seen.add(address);
    const fetched = await peer.fetchOutOfBand(new URL(address), { method: 'GET', headers: metadataHeaders(peer) });
    if ('refused' in fetched) context.skip({ what: `metadata at ${address.slice(0, 200)}`, why: fetched.refused });
    return 'content' in fetched && fetched.status === 200 ? fetched.content : undefined;
  }

  const places = [...peer.challenge.metadata.slice(0, mostAnnounced), ...resourcePlaces(endpoint)];
  const documents = (await Promise.all(places.map(get))).filter((one) => one !== undefined);
  const issuers = documents
    .flatMap((one) => (Array.isArray(one.authorization_servers) ? (one.authorization_servers as unknown[]) : []))
    .filter((one) => typeof one === 'string');
  await Promise.all([...new Set(issuers)].slice(0, mostIssuers).flatMap(serverPlaces).map(get));
  await fetchFromOwnHost(peer, endpoint, get);
}

/** Places of metadata of authorization servers of 2025-03-26, and default endpoints without it. */
async function fetchFromOwnHost(
  peer: Peer,
  endpoint: URL,
  get: (address: string) => Promise<Json | undefined>,
): Promise<void> {
  const { origin } = endpoint;
  const path = pathOf(endpoint);
  const atRoot = await get(`${origin}/.well-known/oauth-authorization-server`);
  if (atRoot || (peer.negotiated ?? peer.revision) !== '2025-03-26') return;
  if (path !== '')
    await Promise.all(
      [
        `${origin}/.well-known/oauth-authorization-server${path}`,
        `${origin}${path}/.well-known/oauth-authorization-server`,
      ].map(get),
    );
  const deviation = 'asks an endpoint for nothing in particular, to learn whether it is there';
  await Promise.all([
    peer.fetchOutOfBand(new URL(`${origin}/authorize`), { method: 'GET', headers: [['Accept', '*/*']], deviation }),
    peer.fetchOutOfBand(new URL(`${origin}/token`), {
      method: 'POST',
      headers: [
        ['Accept', '*/*'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: 'grant_type=authorization_code',
      deviation,
    }),
  ]);
}

/** Revision 2025-03-26 requires the version header; later ones allow it. */
function metadataHeaders(peer: Peer): [string, string][] {
  return [
    ['Accept', 'application/json'],
    ['MCP-Protocol-Version', peer.negotiated ?? peer.revision],
  ];
}
