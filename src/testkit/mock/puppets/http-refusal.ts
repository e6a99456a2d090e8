/**
 * Refusals of a correct Streamable HTTP server before it reads the message: wrong media types, sessions and versions,
 * and in the stateless era headers that differ from the body. It sends nothing.
 */
import type { IncomingMessage } from 'node:http';
import { testTokenPrefix } from '../../../core/model/made-up-tokens.ts';
import { headerParameters, headerText, readHeaderValue, valueAt } from '../../../core/json-schema/header-parameters.ts';
import { isRecord, recordOf, type Json } from '../json.ts';
import { speaks, type PlainServer } from '../plain/plain-server.ts';
import { decodeHeaderValue } from '../script/header-match.ts';
import type { Script } from '../script.ts';
import { headerOf } from './http-listener.ts';
import { nameMembers } from '../../../core/model/request-headers.ts';

export interface HttpRefusal {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** State of the connection. */
interface Standing {
  plain: PlainServer;
  sessionId?: string;
  deleted: boolean;
}

interface Situation {
  script: Script;
  state: Standing;
  message: unknown;
}

export function refusalOf(request: IncomingMessage, situation: Situation): HttpRefusal | undefined {
  const { script, state } = situation;
  const stateless = script.era === 'stateless';
  if (request.url?.split('?')[0] !== '/mcp') return { status: 404 };
  const unauthorized = withoutToken(request, situation);
  if (unauthorized) return unauthorized;
  const served =
    request.method === 'POST' || (request.method === 'DELETE' && !stateless && state.sessionId !== undefined);
  if (!served) return { status: 405, headers: { allow: stateless ? 'POST' : 'POST, DELETE' } };
  const media = request.method === 'POST' ? wrongMedia(request) : undefined;
  if (media) return media;
  if (request.method === 'POST' && situation.message === undefined) {
    const reply = state.plain.unreadable();
    return { status: 400, body: reply.message };
  }
  return stateless ? wrongMirror(request, situation) : wrongSession(request, situation);
}

/** The tokens that are good ones for every puppet. */
const goodTokens: readonly unknown[] = ['Bearer example-token', `Bearer ${testTokenPrefix}good`];

/** A script in which a request is refused with 401 is that of a guarded server, which refuses all requests of the sort. */
function withoutToken(request: IncomingMessage, { script, message }: Situation): HttpRefusal | undefined {
  if (goodTokens.includes(headerOf(request, 'authorization'))) return undefined;
  const guarded = new Map<unknown, HttpRefusal>();
  for (const { act, reactions } of script.sections.flatMap(({ lines }) => lines)) {
    const refusal = reactions.find((one) => one.act === 'server-status' && one.status === 401);
    if (act.act === 'client-message' && isRecord(act.message) && refusal?.act === 'server-status')
      guarded.set(act.message.method, { status: 401, headers: refusal.headers });
  }
  // A client whose handshake without a token is refused does nothing else.
  return guarded.get('initialize') ?? guarded.get('server/discover') ?? guarded.get(recordOf(message).method);
}

function wrongMedia(request: IncomingMessage): HttpRefusal | undefined {
  if (!/^application\/json\s*(;|$)/i.test(headerOf(request, 'content-type') ?? '')) return { status: 415 };
  const accept = headerOf(request, 'accept') ?? '*/*';
  const allows = (type: string): boolean =>
    accept.includes(type) || accept.includes('*/*') || accept.includes(type.replace(/\/.*/, '/*'));
  return allows('application/json') && allows('text/event-stream') ? undefined : { status: 406 };
}

function wrongSession(request: IncomingMessage, { script, state, message }: Situation): HttpRefusal | undefined {
  const starts = isRecord(message) && message.method === 'initialize';
  const session = headerOf(request, 'mcp-session-id');
  if (state.sessionId !== undefined && !starts) {
    if (session === undefined) return { status: 400, body: refused('The session id is missing') };
    if (session !== state.sessionId || state.deleted) return { status: 404, body: refused('There is no such session') };
  }
  const version = headerOf(request, 'mcp-protocol-version');
  const negotiated = state.plain.negotiated;
  if (starts || version === undefined || negotiated === undefined || negotiated < '2025-06-18') return undefined;
  return speaks(version, script.revision)
    ? undefined
    : { status: 400, body: refused('This protocol version is not supported') };
}

/** 2026-07-28: streamable-http, headers that mirror the body. */
function wrongMirror(request: IncomingMessage, { script, state, message }: Situation): HttpRefusal | undefined {
  if (!isRecord(message) || typeof message.method !== 'string' || !('id' in message)) return undefined;
  // A client of the stateful era does not know such headers; it gets the version instead.
  if (message.method === 'initialize') return undefined;
  const params = recordOf(message.params);
  const version = recordOf(params._meta)['io.modelcontextprotocol/protocolVersion'];
  const versionHeader = headerOf(request, 'mcp-protocol-version');
  const member = nameMembers[message.method];
  const name = member === undefined ? undefined : params[member];
  const wrong =
    versionHeader === undefined || (version !== undefined && versionHeader !== version)
      ? 'MCP-Protocol-Version'
      : headerOf(request, 'mcp-method') !== message.method
        ? 'Mcp-Method'
        : typeof name === 'string' && decodeHeaderValue(headerOf(request, 'mcp-name')) !== name
          ? 'Mcp-Name'
          : message.method === 'tools/call' && paramHeadersAreWrong(request, params, state.plain.listed(params.name))
            ? 'Mcp-Param'
            : undefined;
  // A server of another version than the one declared says so instead.
  if (
    wrong === undefined ||
    (wrong === 'MCP-Protocol-Version' && version === undefined && versionHeader === script.revision)
  )
    return undefined;
  return {
    status: 400,
    body: { ...refused(`The header ${wrong} is missing or unlike the body`, -32020), id: message.id },
  };
}

/** True if the header of a parameter is missing or differs from the argument. */
function paramHeadersAreWrong(request: IncomingMessage, { arguments: given }: Json, tool: Json | undefined): boolean {
  return headerParameters(tool?.inputSchema).some(({ header, path }) => {
    const value = valueAt(given, path);
    const text = headerText(value);
    const sent = headerOf(request, `mcp-param-${header.toLowerCase()}`);
    if (text === undefined || sent === undefined) return text !== undefined;
    const read = readHeaderValue(sent.trim());
    return read.as === 'invalid' || (read.text !== text && !(typeof value === 'number' && Number(read.text) === value));
  });
}

function refused(message: string, code = -32600): Json {
  return { jsonrpc: '2.0', error: { code, message } };
}
