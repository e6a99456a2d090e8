/**
 * The requestState of a multi round-trip: the request and its answers so far, sealed with a code that only this process
 * can make, since it passes through the client. It is independent of the questions.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Host } from '../session/host.ts';
import type { JsonObject, RpcRequest } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';

const secret = randomBytes(32);

function codeOf(body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url');
}

/** Binding of a state to its request: method, name and arguments. */
function aboutOf({ method, params }: RpcRequest): string {
  const about = JSON.stringify([method, params?.name ?? params?.uri ?? null, params?.arguments ?? null]);
  return createHash('sha256').update(about).digest('base64url');
}

export function sealState(request: RpcRequest, answers: JsonObject): string {
  const body = Buffer.from(JSON.stringify({ about: aboutOf(request), answers })).toString('base64url');
  return `${body}.${codeOf(body)}`;
}

/**
 * The answers of earlier rounds; undefined for a new request.
 * @throws RpcError -32602 for a requestState that this server did not issue for this request
 */
export function openState(host: Host, request: RpcRequest): JsonObject | undefined {
  const given = request.params?.requestState;
  if (given === undefined) return undefined;
  const [body = '', code = ''] = String(given).split('.');
  const expected = Buffer.from(codeOf(body));
  const actual = Buffer.from(code);
  const genuine = actual.length === expected.length && timingSafeEqual(actual, expected);
  if (!genuine && host.keeps('verify-state')) throw refusal();
  const { about, answers } = parsed(body);
  if (!isObject(answers) || (about !== aboutOf(request) && host.keeps('bind-state'))) throw refusal();
  return answers;
}

function parsed(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function refusal(): RpcError {
  return new RpcError(errorCode.invalidParams, 'requestState was not given out for this request', { reason: 'state' });
}
