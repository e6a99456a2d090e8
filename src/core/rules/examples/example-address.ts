/** Target of a request in an example: the endpoint, the endpoint with a query, or another path. */
import type { HeaderMap, HttpPart } from '../../model/trace.ts';

/** Host and port of the target in every example. */
export const exampleHost = '127.0.0.1:3000';

const formType = 'application/x-www-form-urlencoded';

/** True for addresses that are not the endpoint, with or without a query. */
export function isOutOfBand(address: string | undefined): address is string {
  return address !== undefined && !address.startsWith('?');
}

/** Headers of a request outside the endpoint. */
export function outOfBandHeaders(address: string, method: string): HeaderMap {
  const host = address.startsWith('/') ? exampleHost : new URL(address).host;
  return method === 'POST' ? { host, accept: '*/*', 'content-type': formType } : { host, accept: 'application/json' };
}

/** HTTP+SSE: where messages are posted. */
export const messagesPath = '/messages';

/** Path, and the origin where it is not that of the target. @param endpoint path where no other is named */
export function placeOf(address: string | undefined, endpoint = '/mcp'): Pick<HttpPart, 'origin' | 'path'> {
  if (!isOutOfBand(address)) return { path: endpoint + (address ?? '') };
  if (address.startsWith('/')) return { path: address };
  const { host, origin, pathname, search } = new URL(address);
  return { ...(host === exampleHost ? {} : { origin }), path: pathname + search };
}
