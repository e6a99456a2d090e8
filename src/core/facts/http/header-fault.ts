/**
 * Decides if the headers of an HTTP request are certainly wrong, independent of the sender: a foreign origin, an
 * unknown version, another session than the current one, unknown credentials, media types that no MCP client sends, and
 * in the stateless era headers that differ from the body. It makes no judgement.
 */
import { readHeaderValue } from '../../json-schema/header-parameters.ts';
import type { HeaderMap } from '../../model/trace.ts';
import { isKnownRevision } from '../../spec/revisions.ts';
import { declaredVersionOf, methodOf, paramsOf } from '../values/rpc.ts';
import { header } from '../values/header.ts';
import type { HttpState } from './http-state.ts';

/** The origin that a request names, as seen from the host that it goes to. */
export type OriginKind = 'absent' | 'own' | 'foreign';

export function originKind(headers: HeaderMap): OriginKind {
  const origin = header(headers, 'origin');
  if (origin === undefined) return 'absent';
  try {
    return new URL(origin).host === header(headers, 'host') ? 'own' : 'foreign';
  } catch {
    return 'foreign';
  }
}

/** Members of params that the header Mcp-Name mirrors (2026-07-28: basic/transports/streamable-http, standard headers). */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The name in a request of the stateless era that Mcp-Name mirrors. */
export function mirroredName(message: unknown): string | undefined {
  const method = methodOf(message);
  const member = typeof method === 'string' && Object.hasOwn(namedBy, method) ? namedBy[method] : undefined;
  const name = member === undefined ? undefined : paramsOf(message)?.[member];
  return typeof name === 'string' ? name : undefined;
}

/** True if the request, or the GET or DELETE, has such headers. */
export function hasHeaderFault(http: HttpState): boolean {
  const { requestHeaders: headers, credentials, method, session, sessionHeader } = http;
  if (originKind(headers) === 'foreign') return true;
  if (credentials === 'made-up' || credentials === 'foreign' || credentials === 'malformed') return true;
  if (session.transport !== 'http') return false;
  const version = header(headers, 'mcp-protocol-version');
  if (version !== undefined && !isKnownRevision(version)) return true;
  if (session.era !== 'stateless' && (sessionHeader === 'other' || sessionHeader === 'ended')) return true;
  return method === 'POST' && hasWrongTypes(headers);
}

function hasWrongTypes(headers: HeaderMap): boolean {
  const accept = header(headers, 'accept');
  const sent = header(headers, 'content-type');
  const json = accept === undefined || /\*\/\*|application\/(?:json|\*)/.test(accept);
  const stream = accept === undefined || /\*\/\*|text\/(?:event-stream|\*)/.test(accept);
  return (!json && !stream) || (sent !== undefined && !/^application\/(?:[\w.+-]+\+)?json/i.test(sent));
}

/** True if the headers of a POST in the stateless era differ from the body. */
export function mirrorsWrongly({ requestHeaders: headers, session, method }: HttpState, message: unknown): boolean {
  if (session.transport !== 'http' || session.era !== 'stateless' || method !== 'POST') return false;
  const declared = declaredVersionOf(message);
  if (typeof declared === 'string' && header(headers, 'mcp-protocol-version') !== declared) return true;
  const asked = methodOf(message);
  if (typeof asked === 'string' && header(headers, 'mcp-method') !== asked) return true;
  const name = mirroredName(message);
  if (name === undefined) return false;
  const sent = header(headers, 'mcp-name');
  if (sent === undefined) return true;
  const read = readHeaderValue(sent.trim());
  return read.as === 'invalid' || read.text !== name;
}
