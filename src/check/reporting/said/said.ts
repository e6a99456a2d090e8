/** Content of one message, read once for all users: a long trace has millions, each in an object of another shape. */
import { isObject, type JsonObject } from '../../../core/model/json.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';

export interface Said {
  from: TraceEvent['from'];
  session: string;
  seq: number;
  message: JsonObject;
  method: unknown;
  /** The result of a response, where it is an object. */
  result: JsonObject | undefined;
}

/** Yields each message of an event; of a batch all objects. */
export function eachSaid(event: TraceEvent, report: (one: Said) => void): void {
  if (event.kind !== 'message') return;
  if (Array.isArray(event.message)) for (const one of event.message as unknown[]) reported(event, one, report);
  else reported(event, event.message, report);
}

function reported(event: TraceEvent, message: unknown, report: (one: Said) => void): void {
  if (isObject(message)) report(saidBy(event, message));
}

/** @param event where and when it was said */
export function saidBy(
  { from, session, seq }: Pick<TraceEvent, 'from' | 'session' | 'seq'>,
  message: JsonObject,
): Said {
  const { method, result } = message;
  return { from, session, seq, message, method, result: isObject(result) ? result : undefined };
}
