/** Shapes of HTTP headers: lists as sent, maps as recorded, and media types. Pure; it sends nothing. */
import { oddlySpelled } from '../../../core/model/request-headers.ts';
import type { HeaderMap, HttpPart } from '../../../core/model/trace.ts';

/** Name and value, in the case and order in which they are sent. */
export type HeaderList = readonly (readonly [string, string])[];

/** Lower-cased names; a repeated header becomes an array. */
export function headerMap(headers: HeaderList): HeaderMap {
  // No prototype: a server may name a header "constructor" or "__proto__".
  const map: HeaderMap = Object.create(null) as HeaderMap;
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = map[key];
    if (known === undefined) map[key] = value;
    else if (Array.isArray(known)) known.push(value);
    else map[key] = [known, value];
  }
  return map;
}

/** Header data that a map does not keep about the names. */
export function spelledOf(headers: HeaderList): Pick<HttpPart, 'spelled'> {
  const spelled = oddlySpelled(headers.map(([name]) => name));
  return spelled.length === 0 ? {} : { spelled };
}

/** Node's flat list of names and values as pairs. */
export function headerPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] as string, raw[i + 1] as string]);
  return pairs;
}

function hasHeader(headers: HeaderList, name: string): boolean {
  return headers.some(([key]) => key.toLowerCase() === name);
}

/** Type and subtype in lower case, without parameters; '' when the header is missing. The first one counts. */
export function mediaType(headers: HeaderMap): string {
  const value = headers['content-type'];
  const first = Array.isArray(value) ? value[0] : value;
  return (first ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** True for application/json and types with the suffix +json. */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || /^[^/]+\/.+\+json$/.test(type);
}

/** Headers that HTTP needs and the caller did not give are added. Host comes first, as in most requests. */
export function completeHeaders(
  method: string,
  given: HeaderList,
  bodyBytes: number | undefined,
  host: string,
): [string, string][] {
  const headers: [string, string][] = given.map(([name, value]) => [name, value]);
  if (!hasHeader(headers, 'host')) headers.unshift(['Host', host]);
  const bodyExpected = bodyBytes !== undefined || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method.toUpperCase());
  if (bodyExpected && !hasHeader(headers, 'content-length') && !hasHeader(headers, 'transfer-encoding')) {
    headers.push(['Content-Length', String(bodyBytes ?? 0)]);
  }
  if (!hasHeader(headers, 'connection')) headers.push(['Connection', 'keep-alive']);
  return headers;
}

/** The headers with tokens in place of the names that stand for them. @param tokens by name */
export function withTestTokens(
  headers: [string, string][],
  tokens: Readonly<Record<string, string>> | undefined,
): [string, string][] {
  if (tokens === undefined) return headers;
  return headers.map(([name, value]): [string, string] => {
    const bearer = /^bearer (\S+)$/i.exec(value)?.[1];
    const token = bearer !== undefined && Object.hasOwn(tokens, bearer) ? tokens[bearer] : undefined;
    return token === undefined ? [name, value] : [name, `Bearer ${token}`];
  });
}
