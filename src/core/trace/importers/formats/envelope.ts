/**
 * Reads the envelope of an HTTP capture (`streamable-http` and `http-sse`): a list of entries, each with one request,
 * one response or one server-sent event. It does not pair requests with responses: the envelope does not contain the
 * exchange of a response.
 */
import type { HeaderMap, HttpPart, SsePart } from '../../../model/trace.ts';
import { captureError, type Captured } from '../captured.ts';
import { duplicateMember } from '../duplicate-members.ts';
import { countOf, isExactObject, parseExact } from '../exact-json.ts';
import { challengeOf, statusIn } from './challenge.ts';
import type { ReadOptions } from './jsonrpc-lines.ts';

type Members = Record<string, unknown>;

export type EnvelopeFormat = 'streamable-http' | 'http-sse';

/** @throws McpcError (usage) naming the first entry that is wrong, or the envelope itself */
export function envelopeEntries(
  document: unknown,
  format: EnvelopeFormat,
  file: string,
  options: ReadOptions,
): Captured[] {
  if (!isExactObject(document)) throw captureError(file, '', `invalid ${format} transcript: it must be an object`);
  const { transport, entries } = document;
  if (transport !== undefined && transport !== null && typeof transport !== 'string')
    throw captureError(file, '', `invalid ${format} transcript: "transport" must be a string`);
  if (transport !== format) {
    throw captureError(
      file,
      '',
      `${format} transcript transport must be "${format}", found "${transport ?? 'missing'}"`,
      'Name the format that the file says it has with --from.',
    );
  }
  if (entries !== undefined && !Array.isArray(entries))
    throw captureError(file, '', `invalid ${format} transcript: "entries" must be a list`);
  const shared = headersIn(document);
  return (entries ?? []).map((entry: unknown, index) =>
    readEntry(entry, { at: index + 1, place: `entry ${index + 1}`, format, file, options, shared }),
  );
}

interface Place {
  at: number;
  place: string;
  format: EnvelopeFormat;
  file: string;
  options: ReadOptions;
  shared: HeaderMap;
}

const payloads = ['request', 'response', 'sse'] as const;

function readEntry(entry: unknown, where: Place): Captured {
  const { at, place, format, file, options } = where;
  const wrong = (problem: string): never => {
    throw captureError(file, place, problem);
  };
  if (!isExactObject(entry)) return wrong(`the entry of a ${format} transcript must be an object`);
  const has = payloads.filter((name) =>
    options.strict === true ? name in entry : entry[name] !== undefined && entry[name] !== null,
  );
  if (has.length !== 1)
    return wrong(`${format} transcript entry ${at} must contain exactly one of request, response, or sse`);
  const stamp = entry['timestamp_ms'];
  const time = countOf(stamp);
  if (stamp !== undefined && stamp !== null && time === undefined)
    return wrong('"timestamp_ms" must be a whole number of milliseconds, not below zero');
  const timed = { at, place, ...(time === undefined ? {} : { time }) };
  const headers = { ...where.shared, ...headersIn(entry) };
  const known = Object.keys(headers).length > 0;
  if (has[0] === 'request') {
    return {
      ...timed,
      from: 'client',
      kind: 'message',
      message: entry['request'],
      ...(known ? { http: { headers } } : {}),
    };
  }
  const status = statusIn(entry['transport_context']) ?? statusIn(entry['headers']);
  const http: HttpPart = { ...(status === undefined ? {} : { status }), ...(known ? { headers } : {}) };
  const part = status === undefined && !known ? {} : { http };
  if (has[0] === 'response') {
    const challenge = challengeOf(entry['transport_context'], entry['headers']);
    return {
      ...timed,
      from: 'server',
      kind: 'message',
      message: entry['response'],
      ...part,
      ...(challenge ? { challenge } : {}),
    };
  }
  return { ...timed, from: 'server', ...part, ...sseOf(entry['sse'], wrong, options) };
}

/** A server-sent event, and the message in it if it carries one. */
function sseOf(
  value: unknown,
  wrong: (problem: string) => never,
  options: ReadOptions,
): Pick<Captured, 'kind' | 'message' | 'sse'> {
  if (!isExactObject(value)) return wrong('"sse" must be an object');
  const { event, id, data } = value;
  if (event !== undefined && event !== null && typeof event !== 'string')
    return wrong('"event" of a server-sent event must be a string');
  if (id !== undefined && id !== null && typeof id !== 'string')
    return wrong('"id" of a server-sent event must be a string');
  if (data === undefined) return wrong('a server-sent event must have "data"');
  const sse: SsePart = { ...(typeof event === 'string' ? { event } : {}), ...(typeof id === 'string' ? { id } : {}) };
  const message = (event ?? 'message') === 'message' ? messageIn(data, wrong, options) : undefined;
  if (message !== undefined) return { kind: 'message', message, sse };
  return { kind: 'event', sse: { ...sse, data: typeof data === 'string' ? data : JSON.stringify(data) } };
}

/** The JSON-RPC message in the data of an event, as an object or as text, even as text within text. */
function messageIn(data: unknown, wrong: (problem: string) => never, options: ReadOptions): Members | undefined {
  let value = data;
  while (typeof value === 'string') {
    const text: string = value;
    try {
      value = parseExact(text, options);
    } catch {
      return undefined;
    }
    const twice = options.strict === true ? duplicateMember(text) : undefined;
    if (twice !== undefined) return wrong(`the data of the event has the member ${JSON.stringify(twice)} twice`);
  }
  if (!isExactObject(value)) return undefined;
  return ['method', 'result', 'error', 'jsonrpc'].some((name) => name in (value as Members)) ? value : undefined;
}

/** Headers of an envelope or entry: those of its transport_context, then its own; names in lower case. */
function headersIn(holder: Members): HeaderMap {
  const context = holder['transport_context'];
  return { ...headerMap(isExactObject(context) ? context['headers'] : undefined), ...headerMap(holder['headers']) };
}

function headerMap(value: unknown): HeaderMap {
  if (!isExactObject(value)) return {};
  const found: [string, string | string[]][] = [];
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'string') found.push([name.toLowerCase(), one]);
    else if (Array.isArray(one) && one.every((item) => typeof item === 'string')) found.push([name.toLowerCase(), one]);
  }
  return Object.fromEntries(found);
}
