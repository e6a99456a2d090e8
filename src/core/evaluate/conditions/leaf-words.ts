/**
 * Expectation and observation in the words of a report. Conditions name facts and operators, which readers of reports
 * do not know. Properties of messages keep their names, and well-known facts get their usual name. Where neither is
 * possible, the title of the rule states the expectation.
 */
import { excerpt, type LeafResult } from './engine.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { operatorsByName } from '../operators/operators.ts';

export interface LeafWords {
  expected: string;
  /** The values alone. */
  actual: string;
  /** The values with their names, or what is wrong within them; the values alone where only mcpc has a name for them. */
  seen: string;
  /** The same, without terms that a reader cannot know; may be empty. */
  told: string;
}

/** Facts that are properties of messages, and so go by their own names. */
const properties = new Set(['result', 'error', 'params', 'id', 'jsonrpc', 'method', 'nextCursor', 'progressToken']);

/** Facts that have a name outside of mcpc. */
const names: Readonly<Record<string, string>> = {
  message: 'message',
  content: 'document',
  errorCode: 'error code',
  httpStatus: 'HTTP status',
  status: 'HTTP status',
  contentType: 'media type',
  eventName: 'name of the event',
  versionHeader: 'header MCP-Protocol-Version',
  outcome: 'response',
  mode: 'mode',
  sessionIds: 'session ids',
  listening: 'address',
  metaKeys: 'keys of _meta',
  progressValues: 'progress values',
  fallback: 'version',
  answer: 'answer of the client',
};

/** Outcomes of a request, as what came for a response. */
const outcomes: Readonly<Record<string, string>> = {
  result: 'a result',
  error: 'an error',
  malformed: 'malformed',
  'http-error': 'an HTTP error',
  missing: 'missing',
  timeout: 'overdue',
  closed: 'missing, since the connection ended',
  unanswered: 'missing',
};

/** Regular expressions and negations are for machines. */
const unspeakable = new Set(['matches', 'everyMatches', 'followsTransitions', 'atMostWithin']);

/** @param title of the rule, a sentence without its full stop */
export function leafWords(leaves: readonly LeafResult[], title: string, context: OperatorContext): LeafWords {
  const broken = leaves.filter(({ matters }) => matters);
  const expected = broken.map((leaf) => expectedOf(leaf));
  const actual = broken.map((leaf) => actualOf(leaf, context));
  const due = unique(expected.flatMap((one) => one ?? [])).join('; or ');
  const values = cut(unique(actual.map(({ value }) => value)).join('; '));
  const reported = cut(
    unique(
      actual
        .filter(({ tells: isClear }) => isClear)
        .map(({ name, value, whole }) => (whole || name === undefined ? value : `${name} is ${value}`)),
    ).join('; '),
  );
  return {
    expected: due === '' || due.length > longestDue || expected.includes(undefined) ? title : due,
    actual: values,
    seen: reported === '' ? values : reported,
    told: reported,
  };
}

function expectedOf({ fact, path, operator: name, option }: LeafResult): string | undefined {
  const place = placeOf(fact, path);
  const operator = operatorsByName.get(name);
  if (place === undefined || operator === undefined || unspeakable.has(name) || isFact(option)) return undefined;
  if (fact === 'subject.outcome')
    return `${place} ${operator.expectation(Array.isArray(option) ? option.map(outcomeWords) : outcomeWords(option))}`;
  return `${place} ${operator.expectation(option)}`;
}

/** Longer ones say less than the title. */
const longestDue = 200;
const longestSeen = 280;

function cut(text: string): string {
  return text.length > longestSeen ? `${text.slice(0, longestSeen)}…` : text;
}

/** @returns `tells`: a reader of reports understands it; `whole`: it names its subject */
function actualOf(
  leaf: LeafResult,
  context: OperatorContext,
): { name: string | undefined; value: string; whole: boolean; tells: boolean } {
  const { fact, path, operator: name, option, actual } = leaf;
  const place = placeOf(fact, path);
  const finding = operatorsByName.get(name)?.finding?.(actual, option, context, place ?? 'the list');
  if (finding !== undefined) return { name: place, value: finding, whole: true, tells: true };
  if (fact === 'subject.outcome') return { name: place, value: outcomeWords(actual), whole: false, tells: true };
  if (place !== undefined) return { name: place, value: excerpt(actual), whole: false, tells: true };
  const isClear = typeof actual === 'string' ? !isWord(actual) : Array.isArray(actual) && actual.length > 0;
  return { name: undefined, value: excerpt(actual), whole: true, tells: isClear };
}

/** The name that a reader knows, with the path in it; undefined where there is none. */
function placeOf(fact: string, path: string | undefined): string | undefined {
  const bare = fact.startsWith('subject.') ? fact.slice('subject.'.length) : fact;
  const inner = path === undefined || path === '$' ? '' : path.slice(1);
  // A query is no place.
  if (inner.includes('?')) return undefined;
  if (bare === 'requestHeaders' || bare === 'responseHeaders')
    return inner === '' ? undefined : `header ${inner.replaceAll("['", '').replaceAll("']", '').replaceAll('.', '')}`;
  if (properties.has(bare)) return `${bare}${inner}`;
  if (bare === 'message' && inner !== '') return inner.startsWith('.') ? inner.slice(1) : inner;
  if (fact === 'session.serverCapabilities') return `capabilities${inner}`;
  if (fact === 'session.clientCapabilities') return `capabilities of the client${inner}`;
  const name = Object.hasOwn(names, bare) ? names[bare] : undefined;
  return name === undefined || inner === '' ? name : `${name}, ${inner.startsWith('.') ? inner.slice(1) : inner}`;
}

function outcomeWords(value: unknown): string {
  return typeof value === 'string' && Object.hasOwn(outcomes, value) ? outcomes[value]! : excerpt(value);
}

/** A value of a fact that is a word of ours: `finished-elsewhere`. */
function isWord(value: string): boolean {
  return value === value.toLowerCase() && !value.includes(' ') && !value.includes('/') && !value.includes(':');
}

function isFact(option: unknown): boolean {
  return typeof option === 'object' && option !== null && 'fact' in option;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
