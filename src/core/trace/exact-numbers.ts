/** Numbers that JSON text written by us has lost, from the raw text of the same message. */
import type { TraceEvent } from '../model/trace.ts';

/**
 * JSON has no infinity and no negative zero of ours: a number such as 1e999 was written as null. The raw text
 * still has it, and judging must see what was seen live.
 */
export function exactNumbers(event: TraceEvent): TraceEvent {
  if (event.kind !== 'message' || event.raw === undefined || event.message === undefined) return event;
  if (!/[eE][+\d]|-0|\d{300}/.test(event.raw)) return event;
  try {
    const message: unknown = JSON.parse(event.raw.startsWith('\uFEFF') ? event.raw.slice(1) : event.raw);
    return JSON.stringify(message) === JSON.stringify(event.message) ? { ...event, message } : event;
  } catch {
    return event;
  }
}
