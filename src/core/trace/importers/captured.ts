/**
 * Output of every reader of a foreign format: the messages of a capture one by one, with further data of the format.
 * Shapes and errors only; what is made of them (an episode, a trace) is not known here.
 */
import { usageError } from '../../model/errors.ts';
import type { McpcError } from '../../model/errors.ts';
import type { HttpPart, SsePart, TransportKind } from '../../model/trace.ts';

/** Formats that can be named on the command line. */
export const captureFormats = [
  'inspector',
  'jsonrpc',
  'streamable-http',
  'http-sse',
  'har',
  'claude-log',
  'vscode-log',
  'rows',
  'cassette',
] as const;
export type CaptureFormat = (typeof captureFormats)[number];

/** Other names of formats. */
const formatAliases: Readonly<Record<string, CaptureFormat>> = {
  'sse-legacy': 'http-sse',
  'mcp-inspector': 'inspector',
  'mcp-inspector@v1': 'inspector',
  mcpsnoop: 'rows',
  vcr: 'cassette',
};

/** @throws McpcError (usage) for a name that is no format */
export function captureFormatOf(name: string): CaptureFormat {
  const format = formatAliases[name] ?? captureFormats.find((one) => one === name);
  if (format === undefined)
    throw usageError(
      `unknown format: ${name}`,
      `Use one of ${[...captureFormats, ...Object.keys(formatAliases)].join(', ')}.`,
    );
  return format;
}

/** Authorization data in the reply to an HTTP request: flags, never values. */
export interface Challenge {
  resourceMetadata: boolean;
  scope: boolean;
}

/** A message, or other data, as one entry of a capture. */
export interface Captured {
  /** Line or entry, from 1. */
  at: number;
  /** Position in the conversation, where it is not that in the file. */
  order?: number;
  /** The place for a reader: `line 3`, `entry 2`. */
  place: string;
  /** Milliseconds; the zero point is the capture's own. */
  time?: number;
  /** Its sender, if the format has it. */
  from?: 'client' | 'server';
  /** Which way it went as seen by the recorder, where it does not say which side it stood on. */
  way?: 'out' | 'in';
  /**
   * - `message`: JSON in the place of a message
   * - `gap`: a message of which the capture has only a part
   * - `stray`: text beside the messages
   * - `event`: a server-sent event that carries none
   * - `request`, `response`, `stream`: the HTTP side of an exchange, where the format records it
   */
  kind: 'message' | 'gap' | 'stray' | 'event' | 'request' | 'response' | 'stream';
  /** kind `message`: JSON as parseExact gives it; kind `gap`: what is known of it for sure, the id of a response. */
  message?: unknown;
  /** kinds `gap` and `stray`: what is there. */
  text?: string;
  /** kinds `gap` and `stray`: what is wrong with it. */
  reason?: string;
  http?: HttpPart;
  sse?: SsePart;
  /** The HTTP exchange, where the format records whole exchanges. */
  exchange?: string;
  /** The connection, if the format distinguishes connections. */
  connection?: string;
  /** Separate units of the format, such as servers by name: one or several connections, one after another. */
  stream?: string;
  /** kind `request`: its body is an `initialize`. */
  opens?: boolean;
  challenge?: Challenge;
}

/** A capture that is open for reading. */
export interface Capture {
  format: CaptureFormat;
  /** The transport, if the format has it. */
  transport?: TransportKind;
  /** Whole HTTP exchanges with statuses and headers are recorded. */
  exchanges: boolean;
  /** Every line of stdout that is no message is recorded. */
  lines?: boolean;
  /** Entries stand in the order in which they were sent and came. */
  ordered: boolean;
  /** Warnings; grows while batches are read. */
  warnings: string[];
  /** In the order of the file, some at a time. Throws McpcError (usage) naming the file and the place. */
  batches: AsyncIterable<Captured[]> | Iterable<Captured[]>;
}

/** The error of a capture that cannot be read. `place` is a line or an entry, and may be empty. */
export function captureError(
  file: string,
  place: string,
  problem: string,
  remedy?: string,
  cause?: unknown,
): McpcError {
  return usageError(
    `failed to parse MCP transcript ${file}${place === '' ? '' : `, ${place}`}: ${problem}`,
    remedy,
    cause,
  );
}
