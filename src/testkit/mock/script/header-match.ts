/**
 * Compares the headers of a live request with the changes of a script line to those of a correct client: a scripted
 * value must be equal, a scripted null absent, and nothing else may differ.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Era } from '../../../core/model/rules/requirement.ts';
import type { TransportKind } from '../../../core/model/trace.ts';
import { isRecord, recordOf } from '../json.ts';
import { nameMembers, type HeaderChanges } from '../../../core/model/request-headers.ts';

/** The session id in rule examples for the one that the server issued. */
export const scriptedSessionId = 'example-session-8f14e45fceea167a';

export interface HeaderSituation {
  transport: TransportKind;
  era: Era;
  revision: string;
  /** Issued to the connection, if any was. */
  sessionId?: string;
  /** Negotiated on the connection, if it got so far. */
  negotiated?: string;
}

export interface LiveRequest {
  method: string;
  headers: IncomingHttpHeaders;
  message: unknown;
}

export function headersFit(changes: HeaderChanges, request: LiveRequest, situation: HeaderSituation): boolean {
  for (const [name, wanted] of Object.entries(changes)) {
    if (wanted === true) continue;
    const actual = valueOf(request.headers, name);
    const value = name === 'mcp-session-id' && wanted === scriptedSessionId ? (situation.sessionId ?? wanted) : wanted;
    if (actual !== (value ?? undefined)) return false;
  }
  return deviations(request, situation).every((name) => name in changes);
}

/** Names of the headers in which the request is not that of a correct client. */
function deviations({ method, headers, message }: LiveRequest, situation: HeaderSituation): string[] {
  const names: string[] = [];
  const check = (name: string, correct: boolean): void => void (correct ? undefined : names.push(name));
  const accept = valueOf(headers, 'accept') ?? '';
  if (method === 'POST')
    check('content-type', /^application\/json\s*(;|$)/i.test(valueOf(headers, 'content-type') ?? ''));
  check('origin', headers.origin === undefined);
  if (situation.transport === 'sse') return names;
  if (method === 'POST') check('accept', accept.includes('application/json') && accept.includes('text/event-stream'));
  if (method === 'GET') check('accept', accept.includes('text/event-stream'));
  check('last-event-id', headers['last-event-id'] === undefined);
  const starts = isRecord(message) && message.method === 'initialize';
  const session = valueOf(headers, 'mcp-session-id');
  check('mcp-session-id', session === (starts || situation.era === 'stateless' ? undefined : situation.sessionId));
  check('mcp-protocol-version', versionIsRight(valueOf(headers, 'mcp-protocol-version'), starts, situation));
  if (situation.era === 'stateless' && method === 'POST')
    check(...mirrored('mcp-method', headers, recordOf(message).method));
  if (situation.era === 'stateless' && method === 'POST') check(...mirrored('mcp-name', headers, nameIn(message)));
  return names;
}

function versionIsRight(
  value: string | undefined,
  starts: boolean,
  { era, revision, negotiated }: HeaderSituation,
): boolean {
  if (era === 'stateless') return value === revision;
  const known = negotiated ?? revision;
  if (starts || known < '2025-06-18') return value === undefined;
  // Before the handshake nothing is negotiated, so a client may say nothing or what it hopes for.
  return value === known || (negotiated === undefined && value === undefined);
}

function nameIn(message: unknown): unknown {
  if (!isRecord(message) || typeof message.method !== 'string') return undefined;
  const member = nameMembers[message.method];
  return member === undefined ? undefined : recordOf(message.params)[member];
}

function mirrored(name: string, headers: IncomingHttpHeaders, value: unknown): [string, boolean] {
  const expected = typeof value === 'string' ? value : undefined;
  const actual = valueOf(headers, name);
  return [name, actual === expected || (expected !== undefined && decodeHeaderValue(actual) === expected)];
}

/** The text of a header value that may be marked as Base64 (2026-07-28: streamable-http, encoding of values). */
export function decodeHeaderValue(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? '');
  return encoded ? Buffer.from(encoded[1]!, 'base64').toString('utf8') : value;
}

function valueOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
