/**
 * The compact notation in which rule examples are written: one string a line (docs/rules.md describes it).
 * Parses lines to acts; what the acts become on a certain transport is not its business.
 */
import { asText } from '../model/json.ts';
import { oddlySpelled, type HeaderChanges } from '../model/request-headers.ts';

/** A line that is wrong, with its place in the list. */
export class NotationError extends Error {
  readonly line: number;

  constructor(line: number, text: string, problem: string) {
    super(`line ${line + 1} ("${text.length > 80 ? `${text.slice(0, 80)}…` : text}"): ${problem}`);
    this.name = 'NotationError';
    this.line = line;
  }
}

/** Subject of a `timeout` of the notation, besides an answer. */
const timeouts = ['stream', 'exit', 'acknowledgement'] as const;
export type TimeoutWhat = 'answer' | (typeof timeouts)[number];

export type NotationAct =
  /**
   * `> {…}`, `> POST {headers} {…}`: the client sends a message; `> PUT {headers} {…}` by a method that is none for
   * messages. `> latin1 {…}`: in ISO 8859-1 instead of UTF-8.
   */
  | {
      act: 'client-message';
      message: unknown;
      method?: string;
      headers: HeaderChanges;
      address?: string;
      label?: string;
      framing?: 'joined' | 'split';
      encoding?: 'latin1';
    }
  /** `>> text`, `>> POST {headers} text`: the client sends bytes that are no message. */
  | { act: 'client-raw'; text: string; headers: HeaderChanges; address?: string; label?: string }
  /**
   * `> GET {headers}`, `> DELETE {headers}`; `> GET /path {headers}` for a request outside the endpoint, also with an
   * origin.
   */
  | { act: 'client-http'; method: string; headers: HeaderChanges; address?: string; label?: string }
  /**
   * `< {…}`: the server sends a message. `< latin1 {…}`: in ISO 8859-1 instead of UTF-8. `< unfinished {…}`: without a
   * newline, although the checker reads it. `< raw {…}`: in exactly this text, which JSON could also express
   * differently.
   */
  | { act: 'server-message'; message: unknown; encoding?: 'latin1' | 'unfinished'; text?: string; label?: string }
  /** `<< text`: the server writes bytes that are no message. */
  | { act: 'server-raw'; text: string; label?: string }
  /** `< 404 type=… header.name=… body=…`: an HTTP reply given in full. */
  | {
      act: 'server-status';
      status: number;
      headers: Record<string, string>;
      spelled?: string[];
      body: string;
      label?: string;
    }
  /** `< fetch https://… 200 header.name=… body=…`: an authorization server asks for a document of the client, and gets it. */
  | {
      act: 'server-fetch';
      address: string;
      status: number;
      headers: Record<string, string>;
      body: string;
      label?: string;
    }
  /** `< stream header.name=…`: the reply is an event stream. */
  | { act: 'server-stream'; headers: Record<string, string>; label?: string }
  /** `< event name=… id=… retry=… data=…`: one event of the stream, literally. */
  | {
      act: 'server-event';
      event?: string;
      id?: string;
      retry?: number;
      comments?: number;
      data: string;
      label?: string;
    }
  /** `< end`: the server ends the stream. */
  | { act: 'server-end'; label?: string }
  /** `drop`: the client drops the stream. */
  | { act: 'client-drop'; label?: string }
  /**
   * `timeout`: an expected answer is missing. `timeout stream`, `timeout exit`: stream or process does not end.
   * `timeout acknowledgement`: that of the last subscription is missing.
   */
  | { act: 'timeout'; what: TimeoutWhat; label?: string }
  /** `closed`: the server closes the connection, or stdout. */
  | { act: 'server-closed' }
  /** `exit 0`, `exit SIGKILL`: the process ends. */
  | { act: 'exit'; code: number | null; signal: string | null }
  /** `exit client`: the client ends, in rules about clients. */
  | { act: 'client-exit' }
  /** `close-stdin`: the client closes stdin. */
  | { act: 'close-stdin' }
  /** `shut-down`: the client asks the server, which it started itself, to end. */
  | { act: 'shut-down' }
  /** `session`, `session bare`: a further connection begins, with the default handshake or without. */
  | { act: 'session'; bare: boolean }
  /** `session 1`: what follows is on a connection that began earlier, by its number from 1. */
  | { act: 'session-again'; number: number }
  /** `listening 0.0.0.0:80`: where the server listens. */
  | { act: 'listening'; addresses: string[] }
  /** `stderr text`: the server writes a line to stderr. */
  | { act: 'stderr'; text: string }
  /** `pause 600`: milliseconds pass; live the client decides how many. */
  | { act: 'pause'; ms: number };

/** Parses the lines of an example. @throws NotationError for the first wrong line */
export function parseNotation(lines: readonly string[]): NotationAct[] {
  return lines.flatMap((line, index) => {
    try {
      return repeated(line.trim()).map(parseLine);
    } catch (error) {
      throw new NotationError(index, line, error instanceof Error ? error.message : asText(error));
    }
  });
}

const mostRepetitions = 1000;

/** `200 times < {…{{n}}…}`: the line so many times, with the number of each, from 1, in place of `{{n}}`. */
function repeated(line: string): string[] {
  const prefix = /^(\d+) times\s+/.exec(line);
  if (!prefix) return [line];
  const count = Number(prefix[1]);
  if (count < 2 || count > mostRepetitions) throw new Error(`a line is repeated 2 to ${mostRepetitions} times`);
  const text = line.slice(prefix[0].length);
  return Array.from({ length: count }, (_, index) => text.replaceAll('{{n}}', String(index + 1)));
}

function parseLine(line: string): NotationAct {
  const sigil = /^(>>|<<|>|<)\s?/.exec(line);
  if (!sigil) return parseHarness(line);
  let rest = line.slice(sigil[0].length);
  const named = /^#(\w+)\s+/.exec(rest);
  if (named) rest = rest.slice(named[0].length);
  const label = named?.[1] === undefined ? {} : { label: named[1] };
  if (sigil[1] === '>') return { ...parseClient(rest), ...label };
  if (sigil[1] === '>>') {
    const { rest: text, ...post } = takePost(rest);
    return { act: 'client-raw', text, ...post, ...label };
  }
  if (sigil[1] === '<<') return { act: 'server-raw', text: rest, ...label };
  return { ...parseServer(rest), ...label };
}

function parseClient(text: string): NotationAct {
  const bare = /^(GET|DELETE|PUT|OPTIONS|HEAD)\b\s*/.exec(text);
  if (bare) {
    const { address, rest } = takeAddress(text.slice(bare[0].length));
    const end = rest.trim() === '' ? 0 : endOfObject(rest);
    const [headers, body] = [headerChanges(rest.slice(0, end)), rest.slice(end).trim()];
    if (body !== '')
      return { act: 'client-message', message: withVersion(parseJson(body)), method: bare[1]!, headers, ...address };
    return { act: 'client-http', method: bare[1]!, headers, ...address };
  }
  const encoded = /^latin1\s+/.exec(text);
  if (encoded) return { ...parseClient(text.slice(encoded[0].length)), encoding: 'latin1' } as NotationAct;
  const framing = /^(joined|split)\s+/.exec(text);
  const { rest, ...post } = takePost(framing ? text.slice(framing[0].length) : text);
  const act = { act: 'client-message' as const, message: withVersion(parseJson(rest)), ...post };
  return framing ? { ...act, framing: framing[1] as 'joined' | 'split' } : act;
}

/** A path, an address with its origin, or what is added to the query of the endpoint. */
function takeAddress(text: string): { address: { address?: string }; rest: string } {
  const found = /^((?:https?:\/\/|[/?])\S*)\s*/.exec(text);
  return { address: found ? { address: found[1]! } : {}, rest: found ? text.slice(found[0].length) : text };
}

/** `POST {headers} rest`, also with an address: the headers must be an object on their own before the body. */
function takePost(text: string): { headers: HeaderChanges; address?: string; rest: string } {
  const post = /^POST\s+/.exec(text);
  if (!post) return { headers: {}, rest: text };
  const { address, rest: after } = takeAddress(text.slice(post[0].length));
  const end = endOfObject(after);
  return { ...address, headers: headerChanges(after.slice(0, end)), rest: after.slice(end).trim() };
}

/** The names that are written otherwise than usual. */
export function spelledIn(changes: HeaderChanges): string[] {
  return Object.keys(changes).filter((name) => changes[name] === true);
}

function headerChanges(text: string): HeaderChanges {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('headers must be an object');
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) =>
      value === true ? [name, value] : [name.toLowerCase(), value === null ? null : String(value)],
    ),
  );
}

/** Index behind the first complete JSON object of a text that begins with one. */
function endOfObject(text: string): number {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  throw new Error('an HTTP request needs an object of headers, {} at least');
}

function parseServer(text: string): NotationAct {
  if (text.startsWith('{') || text.startsWith('['))
    return { act: 'server-message', message: withVersion(parseJson(text)) };
  if (text.startsWith('latin1 '))
    return { act: 'server-message', message: withVersion(parseJson(text.slice(7))), encoding: 'latin1' };
  if (text.startsWith('unfinished '))
    return { act: 'server-message', message: withVersion(parseJson(text.slice(11))), encoding: 'unfinished' };
  if (text.startsWith('raw ')) return inJustThisText(text.slice(4).trim());
  if (text === 'end') return { act: 'server-end' };
  const status = /^(\d{3})\b\s*/.exec(text);
  if (status) {
    const parts = parseParts(text.slice(status[0].length));
    return { act: 'server-status', status: Number(status[1]), ...parts };
  }
  const fetched = /^fetch (https?:\/\/\S+) (\d{3})\b\s*/.exec(text);
  if (fetched) {
    const { body, headers } = parseParts(text.slice(fetched[0].length));
    return { act: 'server-fetch', address: fetched[1]!, status: Number(fetched[2]), headers, body };
  }
  const stream = /^stream\b\s*/.exec(text);
  if (stream) return { act: 'server-stream', headers: parseParts(text.slice(stream[0].length)).headers };
  const event = /^event\b\s*/.exec(text);
  if (event) return parseEvent(text.slice(event[0].length));
  throw new Error('after < must come JSON, "raw" and JSON, a status, "fetch", "stream", "event" or "end"');
}

/** A message in the text that it is written in; only `jsonrpc` is added. */
function inJustThisText(text: string): NotationAct {
  const given = parseJson(text);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('"raw" is followed by an object');
  return {
    act: 'server-message',
    message: withVersion(given),
    text: 'jsonrpc' in given ? text : `{"jsonrpc":"2.0",${text.slice(1)}`,
  };
}

/** `type=… header.name=… body=rest`. */
function parseParts(text: string): { headers: Record<string, string>; spelled?: string[]; body: string } {
  const headers: Record<string, string> = {};
  const names: string[] = [];
  const parts = (body: string): ReturnType<typeof parseParts> => {
    const spelled = oddlySpelled(names);
    return { headers, ...(spelled.length > 0 ? { spelled } : {}), body };
  };
  let rest = text;
  while (rest !== '') {
    if (rest.startsWith('body=')) return parts(rest.slice(5));
    const part = /^(type|header\.([\w-]+))=("(?:[^"\\]|\\.)*"|\S*)\s*/.exec(rest);
    if (!part) throw new Error(`expected type=, header.<name>= or body= at "${rest}"`);
    const value = part[3]!.startsWith('"') ? (JSON.parse(part[3]!) as string) : part[3]!;
    headers[part[1] === 'type' ? 'content-type' : part[2]!.toLowerCase()] = value;
    if (part[2] !== undefined) names.push(part[2]);
    rest = rest.slice(part[0].length);
  }
  return parts('');
}

function parseEvent(text: string): NotationAct {
  const act: Extract<NotationAct, { act: 'server-event' }> = { act: 'server-event', data: '' };
  let rest = text;
  while (rest !== '') {
    if (rest.startsWith('data=')) return { ...act, data: rest.slice(5) };
    const part = /^(name|id|retry|comments)=(\S*)\s*/.exec(rest);
    if (!part) throw new Error(`expected name=, id=, retry=, comments= or data= at "${rest}"`);
    if (part[1] === 'name') act.event = part[2]!;
    else if (part[1] === 'id') act.id = part[2]!;
    else act[part[1] as 'retry' | 'comments'] = Number(part[2]);
    rest = rest.slice(part[0].length);
  }
  return act;
}

function parseHarness(line: string): NotationAct {
  const [word, ...more] = line.split(/\s+/);
  const labelled = more.find((one) => one.startsWith('#'))?.slice(1);
  const label = labelled === undefined ? {} : { label: labelled };
  switch (word) {
    case 'timeout':
      return { act: 'timeout', what: timeouts.find((one) => more.includes(one)) ?? 'answer', ...label };
    case 'drop':
      return { act: 'client-drop', ...label };
    case 'closed':
      return { act: 'server-closed' };
    case 'close-stdin':
    case 'shut-down':
      return { act: word };
    case 'session':
      if (/^[1-9]\d*$/.test(more[0] ?? '')) return { act: 'session-again', number: Number(more[0]) };
      return { act: 'session', bare: more.includes('bare') };
    case 'listening':
      return { act: 'listening', addresses: more };
    case 'stderr':
      return { act: 'stderr', text: more.join(' ') };
    case 'pause': {
      const ms = Number(more[0]);
      if (!Number.isInteger(ms) || ms < 1) throw new Error('a pause has a number of milliseconds');
      return { act: 'pause', ms };
    }
    case 'exit': {
      const how = more[0] ?? '0';
      if (how === 'client') return { act: 'client-exit' };
      return /^\d+$/.test(how)
        ? { act: 'exit', code: Number(how), signal: null }
        : { act: 'exit', code: null, signal: how };
    }
    default:
      throw new Error(
        'a line begins with >, <, >>, <<, "<number> times" or one of timeout, drop, closed, exit, close-stdin, shut-down, session, listening, stderr, pause',
      );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`no JSON: ${error instanceof Error ? error.message : asText(error)}`);
  }
}

/** Objects are JSON-RPC 2.0 unless they say otherwise; `"jsonrpc": null` stands for a missing member. */
function withVersion(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withVersion);
  if (typeof value !== 'object' || value === null) return value;
  if (!('jsonrpc' in value)) return { jsonrpc: '2.0', ...value };
  if (value.jsonrpc !== null) return value;
  const { jsonrpc: _left, ...rest } = value;
  return rest;
}
