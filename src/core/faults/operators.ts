/**
 * The operators of faults. They change a message of a server on its way to the client, the HTTP reply around it, or the
 * headers that the server sees; a check of an invisible one is left out. They know nothing of rules. A new operator is
 * one entry here; its schema, the words of a description and what the engine does with it follow from the entry.
 */
import type { Fault } from '../model/rules/mutation.ts';
import { removeAt, setAt } from './edit-path.ts';

export type Json = Record<string, unknown>;

/** A message as it is to be sent. */
export interface Sending {
  message: Json;
  /** Milliseconds that it is held back. */
  delayMs?: number;
  /** Its replacement. */
  raw?: RawText;
  /** It goes out on each listening stream. */
  everywhere?: true;
}

/** Text in which {{message}} stands for the message as JSON, and {{pretty}} for the same over several lines. */
export interface RawText {
  text: string;
  encoding: 'utf8' | 'latin1' | 'utf16le';
  /** stdio: what ends the line. */
  end: string;
}

/** Status and headers of an HTTP reply. */
export interface HttpHead {
  status: number;
  headers: Record<string, string>;
}

/** Member of a fault that names an operator. */
export type OperatorName =
  | 'set'
  | 'remove'
  | 'repeat'
  | 'delay'
  | 'drop'
  | 'copy'
  | 'raw'
  | 'status'
  | 'header'
  | 'hears'
  | 'spelling';

interface AnyOperator {
  name: OperatorName;
  says: string;
  schema: Json;
  /** Related members. */
  options?: Record<string, Json>;
  /** Its effect in few words, for descriptions. */
  words(fault: Fault): string;
}

/** Changes the message, or how it is sent. */
interface MessageOperator extends AnyOperator {
  over: 'message';
  change(sending: Sending, fault: Fault): Sending[];
}

/** Changes the HTTP reply. */
interface HttpOperator extends AnyOperator {
  over: 'http';
  change(head: HttpHead, fault: Fault): HttpHead;
}

/** The headers of an HTTP request, as they came and as the server takes them. */
export interface HeardHead {
  headers: Record<string, string | string[] | undefined>;
  /** Names of the headers as they were written. */
  names: readonly string[];
  /** The session id that the server gave last. */
  given: string | undefined;
}

/** Changes what the server takes in of the headers of a request. */
interface HearingOperator extends AnyOperator {
  over: 'request';
  change(heard: HeardHead, fault: Fault): HeardHead;
}

export type FaultOperator = MessageOperator | HttpOperator | HearingOperator;

const pathSchema = { type: 'string', pattern: '^\\$' };

/** In the order in which they are applied where a fault has several. */
export const faultOperators: readonly FaultOperator[] = [
  {
    name: 'set',
    over: 'message',
    says: 'JSONPath of a value that becomes `to`, grows by `plus`, or is turned into another type by `as`. A member that is missing is added where there is an object for it.',
    schema: pathSchema,
    options: {
      to: { description: 'Any JSON value.' },
      as: {
        description:
          'The conversion of the value: a string with the same text, the number in the text, or a number truncated to 32 bits. Values that cannot be converted stay unchanged.',
        enum: ['string', 'number', 'int32'],
      },
      plus: {
        description:
          'A number to add to a number, or a text behind a text: {"plus": "-x"}. A value of another type stays as it is.',
        type: ['number', 'string'],
      },
    },
    words: ({ set, to, plus, as }) =>
      as !== undefined
        ? `${set} becomes a ${as}`
        : plus === undefined
          ? `${set} is ${short(to)}`
          : `${set} is off by ${short(plus)}`,
    change: (sending, { set, to, plus, as }) => [
      {
        ...sending,
        message: setAt(sending.message, set!, (value) =>
          as !== undefined ? turned(value, as) : plus === undefined ? to : sum(value, plus),
        ) as Json,
      },
    ],
  },
  {
    name: 'remove',
    over: 'message',
    says: 'JSONPath of a value that is left out.',
    schema: pathSchema,
    words: ({ remove }) => `${remove} is left out`,
    change: (sending, { remove }) => [{ ...sending, message: removeAt(sending.message, remove!) as Json }],
  },
  {
    name: 'raw',
    over: 'message',
    says: 'Text that is sent in place of the message; {{message}} in it stands for the message, {{pretty}} for the message over several lines.',
    schema: { type: 'string' },
    options: {
      encoding: { description: 'Of the text that is sent; utf8 when absent.', enum: ['utf8', 'latin1', 'utf16le'] },
      end: { description: 'stdio: the text that replaces the newline after the message.', type: 'string' },
    },
    words: ({ raw, encoding, end }) =>
      `sent as ${short(raw)}${encoding === undefined ? '' : ` in ${encoding}`}${end === undefined ? '' : ` ended by ${short(end)}`}`,
    change: (sending, { raw, encoding = 'utf8', end = '\n' }) => [{ ...sending, raw: { text: raw!, encoding, end } }],
  },
  {
    name: 'delay',
    over: 'message',
    says: 'Milliseconds that the message is held back; others overtake it.',
    schema: { type: 'integer', minimum: 1, maximum: 10_000 },
    words: ({ delay }) => `comes ${delay} ms late`,
    change: (sending, { delay }) => [{ ...sending, delayMs: delay! }],
  },
  {
    name: 'repeat',
    over: 'message',
    says: 'How many times more the message is sent.',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
    words: ({ repeat }) => `is sent ${repeat! + 1} times`,
    change: (sending, { repeat }) => Array.from({ length: repeat! + 1 }, () => ({ ...sending })),
  },
  {
    name: 'drop',
    over: 'message',
    says: 'true: the message is not sent.',
    schema: { const: true },
    words: () => 'is not sent',
    change: () => [],
  },
  {
    name: 'copy',
    over: 'message',
    says: 'true: what goes out on a listening stream of Streamable HTTP goes out on each that the session has open.',
    schema: { const: true },
    words: () => 'is sent on each listening stream',
    change: (sending) => [{ ...sending, everywhere: true }],
  },
  {
    name: 'status',
    over: 'http',
    says: 'Status of the HTTP reply.',
    schema: { type: 'integer', minimum: 200, maximum: 599 },
    words: ({ status }) => `has status ${status}`,
    change: (head, { status }) => ({ ...head, status: status! }),
  },
  {
    name: 'header',
    over: 'http',
    says: 'Headers of the HTTP reply by name, in whatever letter case; null leaves one out.',
    schema: { type: 'object', minProperties: 1, additionalProperties: { type: ['string', 'null'] } },
    words: ({ header }) =>
      Object.entries(header!)
        .map(([name, value]) => (value === null ? `has no header ${name}` : `has ${name}: ${value}`))
        .join(', '),
    change: (head, { header }) => ({ ...head, headers: withHeaders(head.headers, header!) }),
  },
  {
    name: 'hears',
    over: 'request',
    says: 'Headers of the HTTP request that the server sees, by name in lower case. null: it does not see the header. {{session}}: its latest session id, if the request has none. This disables the check of a header.',
    schema: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z0-9-]+$' },
      additionalProperties: { type: ['string', 'null'] },
    },
    words: ({ hears }) =>
      Object.entries(hears!)
        .map(([name, value]) => (value === null ? `${name} is not seen` : `${name} is taken for ${value}`))
        .join(', '),
    change: (heard, { hears }) => ({
      ...heard,
      headers: Object.fromEntries([
        ...Object.entries(heard.headers).filter(([name]) => hears![name] !== null),
        ...Object.entries(hears!).flatMap(([name, value]) => takenFor(heard, name, value)),
      ]),
    }),
  },
  {
    name: 'spelling',
    over: 'request',
    says: 'Headers of the HTTP request, by name in lower case, that the server sees only where their names are written as given.',
    schema: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z0-9-]+$' },
      additionalProperties: { type: 'string' },
    },
    words: ({ spelling }) =>
      Object.values(spelling!)
        .map((name) => `${name} is seen only when written so`)
        .join(', '),
    change: (heard, { spelling }) => ({
      ...heard,
      headers: Object.fromEntries(
        Object.entries(heard.headers).filter(
          ([name]) => spelling![name] === undefined || heard.names.includes(spelling![name]!),
        ),
      ),
    }),
  },
];

/** The header as the server takes it, if it then has one. */
function takenFor({ headers, given }: HeardHead, name: string, value: string | null): [string, string][] {
  if (value === null) return [];
  if (value !== '{{session}}') return [[name, value]];
  return given === undefined || headers[name] !== undefined ? [] : [[name, given]];
}

/** The operators that a fault names. */
export function operatorsOf(fault: Fault): FaultOperator[] {
  return faultOperators.filter(({ name }) => fault[name] !== undefined);
}

/** A value with something added; one of another type stays as it is. */
function sum(value: unknown, plus: number | string): unknown {
  if (typeof value === 'number' && typeof plus === 'number') return value + plus;
  return typeof value === 'string' ? `${value}${plus}` : value;
}

/** The value in another type; what cannot become that stays as it is. */
function turned(value: unknown, as: 'string' | 'number' | 'int32'): unknown {
  if (as === 'string') return typeof value === 'number' ? String(value) : value;
  if (as === 'int32') return typeof value === 'number' ? value | 0 : value;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
}

function withHeaders(headers: Record<string, string>, changes: Record<string, string | null>): Record<string, string> {
  const kept = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) kept.delete(name.toLowerCase());
    else kept.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(kept);
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
