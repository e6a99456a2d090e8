/**
 * Compares the HTTP headers of a stateless request with its body: version, method and, for three
 * methods, the name. Must not check anything that the body alone decides.
 */
import type { Host } from './host.ts';
import type { JsonObject, RpcRequest } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';

/** Headers with lower-case names, as node:http gives them. */
export type Headers = Record<string, string | string[] | undefined>;

/** @throws RpcError -32020 (HTTP 400) for a header that is missing or unlike the body */
export function checkHeaders(
  host: Host,
  request: RpcRequest,
  version: unknown,
  method: { nameParam?: string } | undefined,
  headers: Headers,
): void {
  const versionHeader = headers['mcp-protocol-version'];
  if (versionHeader === undefined) {
    if (host.keeps('require-version-header')) throw mismatch('MCP-Protocol-Version');
  } else if (host.keeps('match-version-header') && version !== undefined && versionHeader !== version) {
    throw mismatch('MCP-Protocol-Version');
  }
  const methodHeader = headers['mcp-method'];
  if (methodHeader === undefined) {
    if (host.keeps('require-method-header')) throw mismatch('Mcp-Method');
  } else if (host.keeps('match-method-header') && !same(host, methodHeader, request.method)) {
    throw mismatch('Mcp-Method');
  }
  const name = method?.nameParam === undefined ? undefined : request.params?.[method.nameParam];
  if (typeof name === 'string') checkName(host, name, headers['mcp-name']);
}

function checkName(host: Host, name: string, header: string | string[] | undefined): void {
  if (header === undefined) {
    if (host.keeps('require-name-header')) throw mismatch('Mcp-Name');
    return;
  }
  const value = host.keeps('decode-name-header') ? decodeHeaderValue(String(header)) : String(header);
  const fits = value === name || (!host.keeps('match-name-case') && value.toLowerCase() === name.toLowerCase());
  if (host.keeps('match-name-header') && !fits) throw mismatch('Mcp-Name');
}

function same(host: Host, header: string | string[], value: string): boolean {
  return host.keeps('match-header-case') ? header === value : String(header).toLowerCase() === value.toLowerCase();
}

/**
 * Compares the headers of a tool's parameters with its arguments, by the x-mcp-header annotations of its inputSchema.
 * @throws RpcError -32020 (HTTP 400)
 */
export function checkParamHeaders(
  host: Host,
  inputSchema: JsonObject | undefined,
  given: unknown,
  headers: Headers,
): void {
  const properties = isObject(inputSchema?.properties) ? inputSchema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const value = isObject(given) ? given[name] : undefined;
    if (typeof property['x-mcp-header'] === 'string')
      checkParam(host, `mcp-param-${property['x-mcp-header'].toLowerCase()}`, property.type, value, headers);
    checkParamHeaders(host, property, value, headers);
  }
}

function checkParam(host: Host, name: string, type: unknown, value: unknown, headers: Headers): void {
  const header = headers[name];
  if (value === undefined || value === null || typeof value === 'object') {
    if (header === undefined && !host.keeps('expect-no-header-for-nothing')) throw mismatch('mcp-param');
    return;
  }
  if (header === undefined) {
    if (host.keeps('require-param-headers')) throw mismatch('mcp-param');
    return;
  }
  const raw = String(header).trim();
  const unfit =
    /[\0-\x08\n-\x1f\x7f-\uffff]/.test(raw) || (raw.startsWith('=?base64?') && raw.endsWith('?=') && !isEncoded(raw));
  if (unfit) {
    if (host.keeps('refuse-invalid-param-headers')) throw mismatch('mcp-param');
    return;
  }
  const text = host.keeps('decode-param-headers') ? decodeHeaderValue(raw) : raw;
  const numeric =
    type === 'integer' && host.keeps('compare-integers-as-numbers') && text !== '' && Number(text) === value;
  const fits =
    text === String(value) ||
    numeric ||
    (!host.keeps('match-param-header-case') && text.toLowerCase() === String(value).toLowerCase());
  if (!fits && host.keeps('match-param-headers')) throw mismatch('mcp-param');
}

/** Base64 with its padding between the markers; what has but one of them is no Base64. */
const encodedValue = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

function isEncoded(value: string): boolean {
  return encodedValue.test(value);
}

/** The text behind a header value, which may be written as Base64 of UTF-8 between markers. */
export function decodeHeaderValue(value: string): string {
  const encoded = encodedValue.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

export function mismatch(header: string): RpcError {
  return new RpcError(errorCode.headerMismatch, `The header ${header} is missing or unlike the body`, {
    reason: `header-${header.toLowerCase()}`,
    status: 400,
  });
}
