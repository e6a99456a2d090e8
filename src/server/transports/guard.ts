/**
 * The access control of a guarded server over HTTP: tests the token of a request, and serves the metadata outside the
 * endpoint.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpReply } from '../session/behaviour.ts';
import { documentsOf, goodToken, grantedScope, neededScope, scopedTool, type Refusal } from '../session/guard.ts';
import type { Door, DoorRequest, Host } from '../session/host.ts';
import { isObject } from '../protocol/json-rpc.ts';
import { readBody, refusal, writeReply } from './http-base.ts';

/** Answers a request for metadata or an endpoint of the authorization server; false if it asks for neither. */
export function serveOutOfBand(
  host: Host,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  endpoint: string,
): boolean {
  if (host.door?.hasEndpoint(path) === true) {
    void serveEndpoint(host, host.door, request, response);
    return true;
  }
  const beside = host.door?.document(request.method ?? '', path);
  if (beside !== undefined) {
    writeReply(host, response, beside);
    return true;
  }
  if (host.guard === undefined) return false;
  const documents = documentsOf(host.guard, host.behaviour.guard, originOf(request), endpoint);
  const found = documents.find(({ paths }) => paths.includes(path));
  if (!found) return false;
  const isEndpoint = ['authorize', 'token', 'register'].includes(found.name);
  const verb = found.name === 'token' || found.name === 'register' ? 'POST' : 'GET';
  if (request.method !== verb) writeReply(host, response, { status: 405, headers: { allow: verb }, reason: 'verb' });
  else if (isEndpoint) writeReply(host, response, { status: 400, reason: 'oauth', body: { error: 'invalid_request' } });
  else writeReply(host, response, { status: 200, reason: 'metadata', body: found.content });
  return true;
}

async function serveEndpoint(
  host: Host,
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return writeReply(host, response, refusal(413, 'size', 'The body is too large'));
  writeReply(host, response, await door.endpoint({ ...doorRequest(request), path: request.url ?? '/', body }));
}

function doorRequest({ headers, method }: IncomingMessage): DoorRequest {
  return {
    verb: method ?? '',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]])),
  };
}

/** The refusal of a request at the endpoint, or undefined when it may pass. @param payload the parsed body of a POST */
export async function refusedAtDoor(
  host: Host,
  request: IncomingMessage,
  payload: unknown,
  endpoint: string,
): Promise<HttpReply | undefined> {
  const method = isObject(payload) && typeof payload.method === 'string' ? payload.method : undefined;
  return host.door === undefined
    ? refusedByGuard(host, request, payload, endpoint)
    : host.door.refuse(doorRequest(request), method);
}

function refusedByGuard(
  host: Host,
  request: IncomingMessage,
  payload: unknown,
  endpoint: string,
): HttpReply | undefined {
  if (host.guard === undefined) return undefined;
  const { guard } = host.behaviour;
  const method = isObject(payload) && typeof payload.method === 'string' ? payload.method : undefined;
  const given = request.headers.authorization;
  const inSession = request.headers['mcp-session-id'] !== undefined;
  if (given === undefined)
    return guard.protects(method, inSession) ? refuse(host, request, 'missing', endpoint) : undefined;
  const token = /^bearer +(\S+)$/i.exec(given)?.[1];
  if (token === undefined) return refuse(host, request, 'malformed', endpoint);
  if (guard.accepts(token, inSession)) return undefined;
  const suffices = guard.suffices(token);
  if (suffices === false) return refuse(host, request, 'scope', endpoint, token);
  if (token !== goodToken) return suffices === true ? undefined : refuse(host, request, 'invalid', endpoint);
  const scoped =
    method === 'tools/call' && isObject(payload) && isObject(payload.params) && payload.params.name === scopedTool;
  return scoped ? refuse(host, request, 'scope', endpoint) : undefined;
}

const statuses: Record<Refusal, number> = { missing: 401, malformed: 400, invalid: 401, scope: 403 };
const errors: Record<Refusal, string | undefined> = {
  missing: undefined,
  malformed: 'invalid_request',
  invalid: 'invalid_token',
  scope: 'insufficient_scope',
};

function refuse(host: Host, request: IncomingMessage, why: Refusal, endpoint: string, token?: string): HttpReply {
  const { guard } = host.behaviour;
  const error = errors[why];
  const parameters = guard.challenge(
    {
      ...(error === undefined ? {} : { error }),
      scope: why === 'scope' ? `${grantedScope} ${neededScope}` : grantedScope,
      ...(host.guard === 'framework'
        ? { resource_metadata: `${originOf(request)}/.well-known/oauth-protected-resource${endpoint}` }
        : {}),
    },
    why,
    token,
  );
  const text = Object.entries(parameters ?? {}).map(([name, value]) => `${name}="${value}"`);
  return {
    ...refusal(guard.status(statuses[why], why), `door-${why}`, 'This request is not authorized', -32001),
    ...(parameters === undefined ? {} : { headers: { 'www-authenticate': `Bearer ${text.join(', ')}`.trim() } }),
  };
}

function originOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? ''}`;
}
