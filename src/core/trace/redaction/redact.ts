/**
 * Takes secrets out of events and headers of traces before anything is stored or judged. It must not alter
 * what ties messages together (ids, methods, progress tokens, cursors), nor any word of the protocol.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { isMadeUpToken } from '../../model/made-up-tokens.ts';
import type { HeaderMap, TraceEvent, TraceHeader } from '../../model/trace.ts';
import { replaceCredentials, replaceQuerySecrets, replaceTokens } from './credential-scan.ts';
import { isSecretWord, secretPart, secretsOfAddress, secretsOfCommand } from './given-secrets.ts';
import { createInputAnswers } from './input-answers.ts';
import { mapStrings, mapStringsInText } from './json-strings.ts';
import type { JsonPath } from './json-strings.ts';
import { createLiteralSearch, type StreamEnd } from './literal-search.ts';
import { createMasker, type Masker } from './mask.ts';
import { protocolWords } from './protocol-words.ts';
import {
  isSecretHeader,
  isSecretMember,
  isSecretValue,
  isSecretVariable,
  plainHeaders,
  structuralMembers,
} from './secret-names.ts';

export interface RedactorOptions {
  /** Values given by the user in environment and headers. Too short or too common ones are not looked for. */
  secrets?: readonly string[];
  /** The user's own addresses: credentials, all query values and random parts of the path are secret. */
  addresses?: readonly string[];
  /** Started command lines: the word after a secret flag or name is a secret. */
  commands?: readonly (readonly string[])[];
  /**
   * Answers to input requests that are secret: all of them, since they are those of users, or these texts, which a user
   * gave for a check. Values that a check makes up are not secrets. Default: none.
   */
  answers?: 'all' | readonly string[];
  /** Change nothing at all. */
  keepSecrets?: boolean;
  /** Key of the stand-ins for session ids; random when absent. */
  key?: Buffer;
}

export interface Redactor {
  event(event: TraceEvent): TraceEvent;
  header(header: TraceHeader): TraceHeader;
  /** Free text, such as an error message about the target. */
  text(text: string): string;
  /** Takes out this value as well from here on, such as a token that was got in the course of the run. */
  learn(secret: string): void;
}

/** Values that a trace itself shows to be secret are remembered up to this number. */
const maxLearned = 2000;
/** Streams whose ends are remembered, so that a value which is split over two of their texts is found. */
const maxStreams = 256;
/** JSON within a string within JSON is read to this depth; below, it is text. */
const maxNesting = 6;
/** Text that is not JSON is first cut to this length: the limit of a line of free text, in characters. */
const maxRawText = 8 * 1024;

const sessionHeaders = new Set(['mcp-session-id', 'x-session-id', 'session-id']);

/**
 * Makes the redactor of one trace. The same value is replaced by the same stand-in throughout; session ids and
 * credentials seen in headers are then also replaced wherever else they show up later.
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  if (options.keepSecrets)
    return { event: (event) => event, header: (header) => header, text: (text) => text, learn: () => {} };
  const masker = sparing(createMasker(options.key));
  const { mask } = masker;
  const literals = createLiteralSearch(mask);
  const learned = new Set<string>();
  const streams = new BoundedMap<string, StreamEnd>(maxStreams, 'forget-oldest');
  /** The stream of the event that is at work. */
  let stream: StreamEnd | undefined;

  const answers = createInputAnswers(masker, { answers: options.answers === 'all' ? 'all' : new Set(options.answers) });
  learnGiven(options, learn);

  function learn(value: string, standIn: string, keep = 0): void {
    if (value === standIn || learned.has(value) || learned.size >= maxLearned) return;
    learned.add(value);
    literals.learn(value, standIn, keep);
  }

  function learnCredentials(value: string): void {
    if (value.length >= 8 && isSecretValue(value)) learn(value, mask(value));
  }

  function sessionId(value: string): string {
    if (literals.isStandIn(value)) return value;
    const standIn = masker.sessionId(value);
    learn(value, standIn);
    return standIn;
  }

  const replacement = { mask, sessionId: (value: string) => (learned.has(value) ? value : sessionId(value)) };

  function text(input: string): string {
    return replaceCredentials(literals.replace(input, stream), replacement);
  }

  /** A name of a member or a header, which a peer may have made of a secret. */
  function name(input: string): string {
    if (input.length < 4 || (input.length < 16 && !literals.any) || protocolWords.has(input)) return input;
    return replaceTokens(literals.replace(input), mask);
  }

  /** A string value within a JSON-RPC message (or a batch of them). */
  function messageString(value: string, path: JsonPath): string {
    if (path.at(-1) === 'id' && (path.length === 1 || (path.length === 2 && typeof path[0] === 'number'))) return value;
    return answers.replace(value, path) ?? stringAt(value, path, 0);
  }

  function stringAt(value: string, path: JsonPath, nesting: number): string {
    const member = path.at(-1);
    if (typeof member === 'string') {
      if (structuralMembers.has(member)) return value;
      if (value !== '' && isSecretMember(member)) return mask(value);
    }
    // JSON within a string (a tool's text next to its structured content) is treated like the same data.
    if (nesting < maxNesting && /^\s*[[{]/.test(value) && isJson(value))
      return mapStringsInText(value, (inner, at) => stringAt(inner, at, nesting + 1), name);
    return text(value);
  }

  /** A string within a description of the target: command lines, environments, header lists. */
  function detailString(value: string, path: JsonPath): string {
    const member = path.at(-1);
    if (typeof member === 'string' && value !== '') {
      if (path.at(-2) === 'env' && isSecretValue(value)) return mask(value);
      if (path.at(-2) === 'headers') return headerValue(member.toLowerCase(), value);
      if (isSecretVariable(member)) return mask(value);
    }
    return text(value);
  }

  function detail(value: unknown): unknown {
    return mapStrings(argumentsHidden(value, mask), detailString);
  }

  function rawText(raw: string): string {
    const message = parsedJson(raw.startsWith('\uFEFF') ? raw.slice(1) : raw);
    if (message !== undefined) {
      answers.begin(message);
      return mapStringsInText(raw, messageString, name);
    }
    return text(raw.length > maxRawText ? raw.slice(0, maxRawText) : raw);
  }

  function headerValue(header: string, value: string): string {
    if (sessionHeaders.has(header)) return sessionId(value);
    if (header === 'authorization' || header === 'proxy-authorization') {
      const [, scheme = '', credentials = ''] = /^(\S+\s+)?([\s\S]*)$/.exec(value) ?? [];
      // A scheme alone is no secret, and a mistake that rules speak of.
      if (credentials === '' || /^(?:basic|bearer|digest|negotiate)$/i.test(value.trim())) return value;
      learnCredentials(credentials);
      return scheme + masker.label(credentials);
    }
    if (header === 'cookie')
      return value
        .split(';')
        .map((pair) => withLabel(pair, masker.label))
        .join(';');
    if (header === 'set-cookie')
      return value.replace(/^([^=;]*=)([^;]+)/, (_all, before: string, inner: string) => before + masker.label(inner));
    // A word of CORS, and no credentials, whatever its name.
    if (header === 'access-control-allow-credentials' && value.trim() === 'true') return value;
    if (isSecretHeader(header)) {
      learnCredentials(value);
      return value === '' ? value : masker.label(value);
    }
    // Challenges name realms and addresses that rules judge; event ids must stay distinct.
    if (header === 'www-authenticate') return replaceQuerySecrets(literals.replace(value), mask);
    if (header === 'last-event-id') return literals.replace(value);
    return replaceCredentials(literals.replace(value), replacement);
  }

  function headers(map: HeaderMap): HeaderMap {
    return Object.fromEntries(
      Object.entries(map).map(([written, value]) => {
        const key = written.toLowerCase();
        const shown = plainHeaders.has(key) ? written : name(written);
        return [shown, Array.isArray(value) ? value.map((one) => headerValue(key, one)) : headerValue(key, value)];
      }),
    );
  }

  /** The end of the stream that an event belongs to; of very many streams the oldest is forgotten. */
  function streamOf({ session, from, kind }: TraceEvent): StreamEnd | undefined {
    if (!literals.any) return undefined;
    const key = `${kind === 'stderr' ? 'log' : ''} ${from} ${session}`;
    let end = streams.get(key);
    if (end) return end;
    streams.set(key, (end = { open: [], texts: 0 }));
    return end;
  }

  return {
    text,
    learn: learnCredentials,
    event(event) {
      const out: TraceEvent = { ...event };
      // Headers first: what they teach holds for the rest of the event.
      if (event.http) {
        out.http = { ...event.http };
        if (event.http.headers) out.http.headers = headers(event.http.headers);
        if (event.http.path !== undefined) out.http.path = text(event.http.path);
        if (event.http.rewritten) out.http.rewritten = mapStrings(event.http.rewritten, text) as Record<string, string>;
        if (event.http.body !== undefined) out.http.body = rawText(event.http.body);
      }
      stream = streamOf(event);
      // A message and its text on the wire say the same: both go on from what came before.
      const before = stream && { ...stream };
      if (event.sse) {
        out.sse = { ...event.sse };
        if (event.sse.id !== undefined) out.sse.id = literals.replace(event.sse.id);
        if (event.sse.data !== undefined) out.sse.data = rawText(event.sse.data);
      }
      if (event.message !== undefined) {
        answers.begin(event.message);
        out.message = mapStrings(event.message, messageString, name);
      }
      if (event.raw !== undefined) {
        if (stream !== undefined && event.message !== undefined) Object.assign(stream, before);
        out.raw = rawText(event.raw);
      }
      stream = undefined;
      if (event.reason !== undefined) out.reason = text(event.reason);
      if (event.detail !== undefined) out.detail = detail(event.detail);
      return out;
    },
    header(header) {
      return header.target === undefined
        ? header
        : { ...header, target: detail(header.target) as Record<string, unknown> };
    },
  };

  function learnGiven(
    { secrets = [], addresses = [], commands = [] }: RedactorOptions,
    teach: (value: string, standIn: string, keep?: number) => void,
  ): void {
    for (const secret of secrets.flatMap(partsOf)) if (isSecretValue(secret)) teach(secret, mask(secret));
    for (const { value, keep } of [...addresses.flatMap(secretsOfAddress), ...commands.flatMap(secretsOfCommand)])
      teach(value, mask(value), keep);
  }
}

/** A given value, and what it is without a scheme, and decoded: "Bearer abc", "Basic dXNlcjpwdw==", "a=b; c=d". */
function partsOf(secret: string): string[] {
  const bare = secret.replace(/^(?:bearer|basic|token)\s+/i, '');
  const found = [bare];
  if (/^basic\s/i.test(secret)) {
    const plain = Buffer.from(bare, 'base64').toString();
    found.push(plain, plain.slice(0, Math.max(0, plain.indexOf(':'))), plain.slice(plain.indexOf(':') + 1));
  }
  if (/^[\w-]+=[^;]*;/.test(secret))
    for (const pair of secret.split(';')) found.push(pair.slice(pair.indexOf('=') + 1).trim());
  return found;
}

function withLabel(pair: string, label: (value: string) => string): string {
  const at = pair.indexOf('=');
  return at === -1 ? pair : pair.slice(0, at + 1) + label(pair.slice(at + 1));
}

/** Tokens that the checker made up are no secrets, and what is said of them depends on their being seen. */
function sparing(masker: Masker): Masker {
  return {
    ...masker,
    mask: (value) => (isMadeUpToken(value) ? value : masker.mask(value)),
    label: (value) => (isMadeUpToken(value) ? value : masker.label(value)),
  };
}

/** In lists of strings named `args` or `command`, the word after a flag such as `--api-key` is hidden. */
function argumentsHidden(value: unknown, mask: (value: string) => string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (!(name === 'args' || name === 'command') || !Array.isArray(item)) return [name, argumentsHidden(item, mask)];
      return [
        name,
        item.map((word: unknown, at) =>
          typeof word !== 'string' ? word : isSecretWord(item, at) ? mask(word) : withoutPart(word, mask),
        ),
      ];
    }),
  );
}

function withoutPart(word: string, mask: (value: string) => string): string {
  const value = secretPart(word);
  return value === undefined ? word : word.slice(0, word.length - value.length) + mask(value);
}

function isJson(text: string): boolean {
  return parsedJson(text) !== undefined;
}

/** @returns undefined for what is no JSON */
function parsedJson(text: string): unknown {
  // A failing parse is slow; most text that is no JSON shows it at once.
  if (!/^[ \t\r\n]*(?:[[{"\-0-9]|true|false|null)/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
