/**
 * A trace as entries of a timeline: each event with what it answers, how long that took and how large it is. It
 * keeps only the requests that wait for an answer.
 */
import { BoundedMap } from '../../core/model/bounded.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { labelOf } from './wire-log.ts';
import { asText } from '../../core/model/json.ts';
import { isExactObject, numberText, parseExact } from '../../core/trace/importers/exact-json.ts';

export interface TimelineEntry {
  seq: number;
  /** Milliseconds since the trace began. */
  t: number;
  session: string;
  from: TraceEvent['from'];
  kind: TraceEvent['kind'];
  label: string;
  /** Method (and tool, prompt or uri) of the request that a response answers. */
  answers?: string;
  /** Milliseconds since that request. */
  took?: number;
  error: boolean;
  /** Bytes of the message as JSON. */
  bytes?: number;
  exchange?: string;
  deviation?: string;
  message?: unknown;
  raw?: string;
  detail: string;
}

type Members = Record<string, unknown>;

/** Requests that wait for an answer, at most that many. */
const keptOpen = 100_000;

export async function* timelineOf(events: AsyncIterable<TraceEvent>): AsyncGenerator<TimelineEntry> {
  const open = new BoundedMap<string, { title: string; t: number }>(keptOpen);
  for await (const event of events) yield entryOf(event, open);
}

function entryOf(event: TraceEvent, open: Map<string, { title: string; t: number }>): TimelineEntry {
  const { seq, t, session, from, kind } = event;
  const base: TimelineEntry = {
    seq,
    t,
    session,
    from,
    kind,
    label: labelOf(event),
    error: false,
    detail: detailOf(event),
    exchange: event.exchange,
    deviation: event.deviation,
    raw: event.raw,
  };
  if (kind === 'http-response') return { ...base, error: (event.http?.status ?? 0) >= 400 };
  if (kind !== 'message' && kind !== 'unplaced') return base;
  const message =
    typeof event.message === 'object' && event.message !== null && !Array.isArray(event.message)
      ? (event.message as Members)
      : {};
  const sized = {
    ...base,
    message: event.message,
    bytes: Buffer.byteLength(event.raw ?? JSON.stringify(event.message) ?? ''),
    error: 'error' in message,
  };
  if (!('id' in message)) return sized;
  const id = idText(message['id'], event.raw);
  const key = (side: string): string => `${session} ${side} ${typeof message['id']} ${id}`;
  if ('method' in message) {
    open.set(key(from), { title: titleOf(message), t });
    return { ...sized, label: `request ${id} ${titleOf(message)}` };
  }
  const other = key(from === 'client' ? 'server' : 'client');
  const asked = open.get(other);
  open.delete(other);
  const failed = (message['result'] as Members | null | undefined)?.['isError'] === true;
  return { ...sized, error: sized.error || failed, ...(asked ? { answers: asked.title, took: t - asked.t } : {}) };
}

/** An id as it was written: numbers beyond 2^53 are several ids in the text and one in memory. */
function idText(id: unknown, raw: string | undefined): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id) && raw !== undefined) {
    const exact = parseExact(raw);
    const text = isExactObject(exact) ? numberText(exact['id']) : undefined;
    if (text !== undefined) return text;
  }
  return JSON.stringify(id);
}

function titleOf(message: Members): string {
  const params = (message['params'] ?? {}) as Members;
  const name = [params['name'], params['uri']].find((one) => typeof one === 'string');
  return `${asText(message['method'])}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
}

/** Text after the label: the reason of an end, a line of stderr, data of an event. */
function detailOf({ kind, raw, reason, sse, http }: TraceEvent): string {
  if (kind === 'stderr' || kind === 'unparsable') return raw ?? '';
  if (kind === 'gap') return `${reason ?? ''}: ${raw ?? ''}`;
  if (kind === 'sse-event') return sse?.data ?? '';
  if (kind === 'http-response') return http?.body ?? '';
  return reason ?? '';
}
