/**
 * JSON whose numbers keep their digits. A number that JavaScript would change (a big integer, `1.50`, `1e999`) becomes
 * a LosslessNumber that holds its text; all others are plain. It is independent of the meaning of the JSON.
 */
import {
  isLosslessNumber,
  LosslessNumber,
  parse as parseLossless,
  stringify as stringifyLossless,
} from 'lossless-json';

/**
 * Text without a match holds no number that changes; most text needs no more than this look. A number follows nothing,
 * white space or one of `[`, `:` and `,`, so that dates and identifiers within texts are skipped.
 */
const anyDoubt = /(?:^|[[:,\s])(?:-0|-?\d[\d.]{15}|-?\d+[.eE])/;
/** The same for numbers with another value, not just another spelling. */
const valueDoubt = /(?:^|[[:,\s])(?:-0|-?\d[\d.]{15}|-?\d[\d.]*[eE])/;

/** Maximum nesting of objects and lists; far beyond any message, and below the limit of recursion. */
const maxDepth = 1000;

export interface ExactOptions {
  /** Also keep spellings such as `1.0`, which mean the same number. */
  spelling?: boolean;
}

/**
 * Parses JSON text; of a member that comes twice the last counts.
 *
 * @throws SyntaxError with the fault, also for text that nests deeper than 1000 levels
 */
export function parseExact(text: string, { spelling = false }: ExactOptions = {}): unknown {
  // The engine's parser is faster and explains faults better.
  const plain: unknown = JSON.parse(text);
  if (isTooDeep(text, plain)) throw new SyntaxError(`it nests deeper than ${maxDepth} levels`);
  if (!(spelling ? anyDoubt : valueDoubt).test(text)) return plain;
  return parseLossless(text, null, {
    parseNumber: (digits) => (isKept(digits, spelling) ? Number(digits) : new LosslessNumber(digits)),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** Fault of text that is not JSON, without the piece of it that the engine would quote. */
export function jsonFault(error: unknown): string {
  const { message } = error as Error;
  const quoted = message.indexOf('"');
  if (quoted === -1 || !message.endsWith(' is not valid JSON')) return message;
  const before = message.slice(0, quoted).replace(/,? ?(?:\.\.\.)?$/, '');
  return `${before} in what should be JSON`;
}

/** JSON text in one line, with the digits as they were. */
export function stringifyExact(value: unknown): string {
  return stringifyLossless(value) ?? 'null';
}

/** The text of a number; undefined for everything that is no number. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return JSON.stringify(value);
  return isLosslessNumber(value) ? value.value : undefined;
}

/** A whole number not below zero that JavaScript holds exactly; undefined for all else, `1.0` included. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function isExactObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The value as JavaScript holds it, and its text where that differs from the JSON of the value. */
export function plainOf(value: unknown): { value: unknown; text?: string } {
  if (!holdsLossless(value)) return { value };
  const text = stringifyExact(value);
  return { value: JSON.parse(text), text };
}

function holdsLossless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isLosslessNumber(value)) return true;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsLossless);
}

function isKept(digits: string, spelling: boolean): boolean {
  const number = Number(digits);
  if (JSON.stringify(number) === digits) return true;
  if (spelling || !Number.isFinite(number) || Object.is(number, -0)) return false;
  // 1.0 and 1e3 are whole numbers of few digits: nothing is lost.
  return digits.replace(/[^0-9]/g, '').length < 16;
}

function isTooDeep(text: string, value: unknown): boolean {
  // Each level costs two brackets, so short text cannot be deep.
  return text.length > 2 * maxDepth && depthOver(value, maxDepth);
}

function depthOver(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  for (const key in value) if (depthOver((value as Record<string, unknown>)[key], left - 1)) return true;
  return false;
}
