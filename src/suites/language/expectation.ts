/** The form of an entry of the table of expectations, and the kinds of options that entries share. */
import type { Part } from './part.ts';
import type { Finding, Subject } from './subject.ts';

export type JsonSchema = Record<string, unknown>;

/** A kind of option: its schema, and how it is read so that scalars keep the spelling of the file. */
export interface OptionKind<T> {
  schema: JsonSchema;
  read(part: Part): T;
}

export interface Expectation {
  name: string;
  /** One line of documentation. */
  says: string;
  option: OptionKind<unknown>;
  /** Loads what the test needs; awaited once before any case is judged. */
  prepare?(): Promise<void>;
  /** It also judges an error of JSON-RPC, which fails the step otherwise. */
  takesErrors?: true;
  /** More notifications cannot make it fail any more, once it holds. */
  lasting?: true;
  /** About the whole case: judged when it has ended, by other means than `test`. */
  ofCase?: true;
  /** Paths of files that have to be looked at before and after the step. */
  files?(option: unknown): string[];
  test(subject: Subject, option: unknown): Finding | undefined;
}

/** An entry whose option has the type of its kind. */
export function expectation<T>(entry: {
  name: string;
  says: string;
  option: OptionKind<T>;
  prepare?(): Promise<void>;
  takesErrors?: true;
  lasting?: true;
  ofCase?: true;
  files?(option: T): string[];
  test(subject: Subject, option: T): Finding | undefined;
}): Expectation {
  return entry as Expectation;
}

/** Text, which may stand in YAML as a number or a word of truth. */
export const textSchema: JsonSchema = { type: ['string', 'number', 'boolean'] };

const text: OptionKind<string> = { schema: textSchema, read: (part) => part.text() ?? '' };
const texts: OptionKind<string[]> = {
  schema: { type: 'array', items: textSchema },
  read: (part) => part.items().map((item) => item.text() ?? ''),
};
const textMap: OptionKind<Record<string, string>> = {
  schema: { type: 'object', additionalProperties: textSchema },
  read: (part) => Object.fromEntries(part.members().map(([name, member]) => [name, member.text() ?? ''])),
};
const flag: OptionKind<boolean> = { schema: { type: 'boolean' }, read: (part) => part.value === true };
const count: OptionKind<number> = { schema: { type: 'integer', minimum: 0 }, read: (part) => Number(part.value) };
const integer: OptionKind<number> = { schema: { type: 'integer' }, read: (part) => Number(part.value) };
const values: OptionKind<Record<string, unknown>> = {
  schema: { type: 'object' },
  read: (part) => part.value as Record<string, unknown>,
};

export const kinds = { text, texts, textMap, flag, count, integer, values };

/** JSON text of a text, for messages. */
export function quoted(value: string): string {
  return JSON.stringify(value);
}

/** The beginning of a text, cut so that it does not end within a character. */
export function beginning(value: string, length = 200): string {
  return value.length <= length ? value : `${Array.from(value.slice(0, length)).slice(0, -1).join('')}…`;
}

/** A value in its form for messages. */
export function printed(value: unknown): string {
  if (value === undefined) return 'nothing';
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner))?.replace(
      /"(-?\d+)n"/g,
      '$1',
    ) ?? 'nothing'
  );
}
