/** Outcome of a request to a live server. */
import { asObject, asText } from '../core/model/json.ts';

export interface UpstreamError {
  /** A whole number, as far as the server keeps to JSON-RPC. */
  code: unknown;
  message: string;
  data?: unknown;
}

export type Outcome =
  | {
      kind: 'result';
      result: unknown;
      /** The result as JSON on one line, with the digits and members that the server sent. */
      text(): string;
    }
  | {
      kind: 'error';
      error: UpstreamError;
      /** The error object as JSON on one line, as the server sent it. */
      text(): string;
    }
  /** An HTTP status without a response. */
  | { kind: 'refused'; status: number; words: string }
  /** `over`: the server no longer responds to anything. */
  | { kind: 'timeout'; waitedMs: number; over: boolean }
  /** The connection is over; nothing more can be asked. */
  | { kind: 'gone'; words: string };

/** The error of a response in the terms of JSON-RPC, whatever the server wrote. */
export function upstreamError(error: unknown): UpstreamError {
  const { code, message, data } = asObject(error) ?? {};
  return {
    code,
    message: typeof message === 'string' ? message : asText(message ?? 'the server sent an error without a message'),
    ...(data === undefined ? {} : { data }),
  };
}
