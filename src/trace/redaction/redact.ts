/**
 * Takes secrets out of events and headers of traces before anything is stored or judged. It must not alter
 * what ties messages together (ids, methods, progress tokens, cursors), nor any name of a member.
 */
import { isMadeUpToken } from '../../model/made-up-tokens.ts';
import type { HeaderMap, TraceEvent, TraceHeader } from '../../model/trace.ts';
import { mapStrings, mapStringsInText, type JsonPath } from './json-strings.ts';
import { createMasker, type Masker } from './mask.ts';
import { anySign, assignment, headerLine, httpCredentials, isSecretHeader, isSecretMember, isSecretValue, isSecretVariable, knownTokens, quotedPair, structuralMembers, urlSecret, urlSession, urlToken, urlUser } from './secret-names.ts';

export interface RedactorOptions {
  /** Values given by the user in environment and headers. Too short or too common ones are not looked for. */
  secrets?: readonly string[];
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
}

interface Literal {
  value: string;
  standIn: string;
  /** Set for short values: they count only as whole words. */
  pattern?: RegExp;
}

/** Values that a trace itself shows to be secret are remembered up to this number. */
const maxLearned = 2000;

const sessionHeaders = new Set(['mcp-session-id', 'x-session-id', 'session-id']);

/**
 * Makes the redactor of one trace. The same value is replaced by the same stand-in throughout; session ids and
 * credentials seen in headers are then also replaced wherever else they show up later.
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  if (options.keepSecrets) return { event: (event) => event, header: (header) => header, text: (text) => text };
  const masker = sparing(createMasker(options.key));
  /** Longest first, so that a value within another does not spoil it. */
  let literals: Literal[] = [];
  const learned = new Set<string>();

  for (const secret of options.secrets ?? []) {
    // A header value such as "Bearer abc" is as secret without its scheme.
    const bare = secret.replace(/^(?:bearer|basic|token)\s+/i, '');
    for (const form of new Set([bare, encodeURIComponent(bare), JSON.stringify(bare).slice(1, -1)])) {
      if (isSecretValue(form)) learn(form, masker.mask(form));
    }
  }

  function learn(value: string, standIn: string): void {
    if (value === standIn || learned.has(value) || learned.size >= maxLearned) return;
    learned.add(value);
    const pattern = value.length < 8 ? new RegExp(`(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`, 'g') : undefined;
    literals.push({ value, standIn, ...(pattern ? { pattern } : {}) });
    literals = literals.sort((a, b) => b.value.length - a.value.length);
  }

  function replaceLiterals(text: string): string {
    let out = text;
    for (const { value, standIn, pattern } of literals) {
      if (value.length > out.length || !out.includes(value)) continue;
      out = pattern === undefined ? out.replaceAll(value, () => standIn) : out.replace(pattern, () => standIn);
    }
    return out;
  }

  function sessionId(value: string): string {
    const standIn = masker.sessionId(value);
    learn(value, standIn);
    return standIn;
  }

  function text(input: string): string {
    const out = replaceLiterals(input);
    if (out.length < 8 || !anySign.test(out)) return out;
    const second = (_all: string, before: string, value: string): string => before + masker.mask(value);
    // Pairs in text count by the names that their left side has; quoted ones by the rule for members, so that
    // a text and the structured form of the same data stay equal.
    const pair = (all: string, before: string, quote: string, name: string, value: string): string =>
      (quote === '' ? isSecretVariable(name) : isSecretMember(name)) ? before + masker.mask(value) : all;
    let patterned = out
      .replace(urlSession, (_all, before: string, value: string) => before + (learned.has(value) || isStandIn(value) ? value : sessionId(value)))
      .replace(urlSecret, second)
      .replace(urlUser, second)
      .replace(urlToken, second)
      .replace(headerLine, pair)
      .replace(httpCredentials, second)
      .replace(quotedPair, pair)
      .replace(assignment, pair);
    for (const form of knownTokens) patterned = patterned.replace(form, (value) => masker.mask(value));
    return patterned;
  }

  /** Session ids that were replaced a moment ago, as literals, must not be replaced again. */
  function isStandIn(value: string): boolean {
    return literals.some((literal) => literal.standIn === value);
  }

  /** A string value within a JSON-RPC message (or a batch of them). */
  function messageString(value: string, path: JsonPath): string {
    const name = path.at(-1);
    if (typeof name === 'string') {
      if (structuralMembers.has(name)) return value;
      if (name === 'id' && (path.length === 1 || (path.length === 2 && typeof path[0] === 'number'))) return value;
      if (value !== '' && isSecretMember(name)) return masker.mask(value);
    }
    // JSON within a string (a tool's text beside its structured content) is treated as the same data would be.
    if (/^\s*[[{]/.test(value) && isJson(value)) return mapStringsInText(value, (inner, at) => messageString(inner, ['', '', '', ...at]));
    return text(value);
  }

  /** A string within a description of the target: command lines, environments, header lists. */
  function detailString(value: string, path: JsonPath): string {
    const name = path.at(-1);
    if (typeof name === 'string' && value !== '') {
      if (path.at(-2) === 'env' && isSecretValue(value)) return masker.mask(value);
      if (path.at(-2) === 'headers') return headerValue(name.toLowerCase(), value);
      if (isSecretVariable(name)) return masker.mask(value);
    }
    return text(value);
  }

  function detail(value: unknown): unknown {
    return mapStrings(argumentsHidden(value, masker.mask), detailString);
  }

  function rawText(raw: string): string {
    return isJson(raw.startsWith('\uFEFF') ? raw.slice(1) : raw) ? mapStringsInText(raw, messageString) : text(raw);
  }

  function headerValue(name: string, value: string): string {
    if (sessionHeaders.has(name)) return sessionId(value);
    if (name === 'authorization' || name === 'proxy-authorization') {
      const [, scheme = '', credentials = ''] = /^(\S+\s+)?([\s\S]*)$/.exec(value) ?? [];
      // A scheme alone is no secret, and a mistake that rules speak of.
      if (credentials === '' || /^(?:basic|bearer|digest|negotiate)$/i.test(value.trim())) return value;
      if (credentials.length >= 8 && isSecretValue(credentials)) learn(credentials, masker.mask(credentials));
      return scheme + masker.label(credentials);
    }
    if (name === 'cookie') return value.replace(/([^=;\s]+=)([^;]*)/g, (_all, before: string, inner: string) => before + masker.label(inner));
    if (name === 'set-cookie') return value.replace(/^([^=;]*=)([^;]+)/, (_all, before: string, inner: string) => before + masker.label(inner));
    if (isSecretHeader(name)) {
      if (value.length >= 8 && isSecretValue(value)) learn(value, masker.mask(value));
      return value === '' ? value : masker.label(value);
    }
    // Challenges name realms and addresses that rules judge; event ids must stay distinct.
    if (name === 'www-authenticate') return replaceLiterals(value).replace(urlSecret, (_all, before: string, inner: string) => before + masker.mask(inner));
    if (name === 'last-event-id') return replaceLiterals(value);
    return text(value);
  }

  function headers(map: HeaderMap): HeaderMap {
    return Object.fromEntries(
      Object.entries(map).map(([name, value]) => {
        const key = name.toLowerCase();
        return [name, Array.isArray(value) ? value.map((one) => headerValue(key, one)) : headerValue(key, value)];
      }),
    );
  }

  return {
    text,
    event(event) {
      const out: TraceEvent = { ...event };
      // Headers first: what they teach holds for the rest of the event.
      if (event.http) {
        out.http = { ...event.http };
        if (event.http.headers) out.http.headers = headers(event.http.headers);
        if (event.http.path !== undefined) out.http.path = text(event.http.path);
        if (event.http.body !== undefined) out.http.body = rawText(event.http.body);
      }
      if (event.sse) {
        out.sse = { ...event.sse };
        if (event.sse.id !== undefined) out.sse.id = replaceLiterals(event.sse.id);
        if (event.sse.data !== undefined) out.sse.data = rawText(event.sse.data);
      }
      if (event.message !== undefined) out.message = mapStrings(event.message, messageString);
      if (event.raw !== undefined) out.raw = rawText(event.raw);
      if (event.reason !== undefined) out.reason = text(event.reason);
      if (event.detail !== undefined) out.detail = detail(event.detail);
      return out;
    },
    header(header) {
      return header.target === undefined ? header : { ...header, target: detail(header.target) as Record<string, unknown> };
    },
  };
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
      return [name, item.map((word: unknown, at) => argument(word, item[at - 1], mask))];
    }),
  );
}

function argument(word: unknown, before: unknown, mask: (value: string) => string): unknown {
  if (typeof word !== 'string') return word;
  if (typeof before === 'string' && /^--?[\w-]+$/.test(before) && isSecretVariable(before.replace(/^-+/, '')) && !word.startsWith('-')) return mask(word);
  const [, flag, name, value] = /^(-{0,2}([\w-]+)=)([\s\S]+)$/.exec(word) ?? [];
  return flag !== undefined && name !== undefined && value !== undefined && isSecretVariable(name) ? flag + mask(value) : word;
}

function isJson(text: string): boolean {
  // A failing parse is slow; most text that is no JSON shows it at once.
  if (!/^[ \t\r\n]*(?:[[{"\-0-9]|true|false|null)/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
