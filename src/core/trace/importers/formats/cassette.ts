/**
 * Reads the cassettes of recorders: interactions, each a request with what answered it (mcp-recorder, Agent VCR). A
 * cassette does not show which of them overlapped.
 */
import type { Captured } from '../captured.ts';
import { isExactObject } from '../exact-json.ts';
import { rowKind } from './rows.ts';

type Members = Record<string, unknown>;

/** The interactions of a document, including a separate handshake; undefined for other documents. */
function interactionsOf(document: unknown): unknown[] | undefined {
  if (!isExactObject(document)) return undefined;
  const session = isExactObject(document['session']) ? document['session'] : document;
  const list = session['interactions'];
  if (!Array.isArray(list)) return undefined;
  const { initialize_request: request, initialize_response: response } = session;
  return request === undefined ? list : [{ request, response }, ...(list as unknown[])];
}

/** True if some interaction of a document contains a message. */
export function isCassette(document: unknown): boolean {
  return interactionsOf(document)?.some((one) => isExactObject(one) && isMessage(one['request'])) === true;
}

export function cassetteEntries(document: unknown): Captured[] {
  const entries: Captured[] = [];
  (interactionsOf(document) ?? []).forEach((one, index) => {
    if (!isExactObject(one)) return;
    const asker = one['direction'] === 'server_to_client' ? 'server' : 'client';
    const other = asker === 'client' ? 'server' : 'client';
    const where = { at: index + 1, place: `interaction ${index + 1}` };
    const add = (message: unknown, from: 'client' | 'server'): void => {
      if (isMessage(message)) entries.push({ ...where, from, kind: 'message', message });
    };
    add(one['request'], asker);
    // The order of notifications and the response is unknown; only a token ties them to it.
    for (const notification of listOf(one['notifications'])) add(notification, 'server');
    for (const response of [one['response']].flat()) add(response, other);
  });
  return entries;
}

/** The transport that the metadata name. */
export function cassetteTransport(document: unknown): 'stdio' | 'http' | 'sse' | undefined {
  const metadata = isExactObject(document) && isExactObject(document['metadata']) ? document['metadata'] : {};
  const named = metadata['transport'] ?? metadata['transport_type'];
  if (named === 'stdio' || named === 'sse') return named;
  return typeof metadata['server_url'] === 'string' && metadata['server_url'].startsWith('http') ? 'http' : undefined;
}

function isMessage(value: unknown): value is Members {
  return ['message', 'bare'].includes(rowKind(value));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
