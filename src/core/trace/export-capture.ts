/**
 * Writes the messages of a trace in the formats of other tools. What a format has no place for is left out; the
 * digits of numbers stay as they were.
 */
import { usageError } from '../model/errors.ts';
import type { HeaderMap, TraceEvent } from '../model/trace.ts';
import { stringifyExact } from './importers/exact-json.ts';
import { exactMessage } from './importers/formats/own-trace.ts';

export const exportFormats = ['jsonrpc', 'inspector', 'streamable-http', 'http-sse'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface Exporter {
  /** Text for one event, to be written as it is; '' for events that the format has no place for. */
  event(event: TraceEvent): string;
  /** Text before the first event and behind the last. */
  head: string;
  tail: string;
}

/** Headers that an envelope may contain; others are omitted. */
const reported = /^(?:mcp-|last-event-id$|www-authenticate$|content-type$)/;

export function createExporter(format: ExportFormat): Exporter {
  if (format === 'jsonrpc') {
    return {
      head: '',
      tail: '',
      // An incomplete message is read as one again.
      event: (event) =>
        event.kind === 'gap'
          ? `${(event.raw ?? '').replace(/\s+/g, ' ')}\n`
          : messagesOf(event)
              .map((message) => `${stringifyExact(message)}\n`)
              .join(''),
    };
  }
  if (format === 'inspector') {
    return list('[', ']\n', (event) => messagesOf(event).map((message) => stringifyExact(message)));
  }
  const replies = new Map<string, { status?: number; headers?: HeaderMap }>();
  const sent = new Map<string, HeaderMap>();
  return list(`{"transport":"${format}","entries":[`, ']}\n', (event) => {
    if (event.kind === 'http-request' && event.exchange !== undefined)
      sent.set(event.exchange, event.http?.headers ?? {});
    if (event.kind === 'http-response' && event.exchange !== undefined) replies.set(event.exchange, event.http ?? {});
    const http =
      event.http ??
      (event.exchange === undefined
        ? undefined
        : event.from === 'client'
          ? { headers: sent.get(event.exchange) ?? {} }
          : replies.get(event.exchange));
    return envelopeEntries(event).map((entry) =>
      stringifyExact({ timestamp_ms: Math.round(event.t), ...contextOf(http), ...entry }),
    );
  });
}

function list(head: string, tail: string, items: (event: TraceEvent) => string[]): Exporter {
  let first = true;
  return {
    head: `${head}\n`,
    tail: `\n${tail}`,
    event(event) {
      return items(event)
        .map((item) => {
          const comma = first ? '' : ',\n';
          first = false;
          return comma + item;
        })
        .join('');
    },
  };
}

/** The messages of an event, a batch one by one, with their digits. */
function messagesOf(event: TraceEvent): unknown[] {
  if (event.kind === 'gap' && event.lost !== undefined)
    throw usageError(
      `Event ${event.seq} is a gap of the capture, which the format cannot express: readers would miss a message.`,
      'Convert to mcpc or jsonrpc, which keep gaps.',
    );
  if (event.kind !== 'message' && event.kind !== 'unplaced') return [];
  const message = exactMessage(event, { spelling: true });
  const all = Array.isArray(message) ? (message as unknown[]) : [message];
  return all.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
}

function envelopeEntries(event: TraceEvent): object[] {
  const { sse } = event;
  const part = {
    ...(sse?.event === undefined ? {} : { event: sse.event }),
    ...(sse?.id === undefined ? {} : { id: sse.id }),
  };
  if (event.kind === 'sse-event') return [{ sse: { event: 'message', ...part, data: sse?.data ?? '' } }];
  const messages = messagesOf(event);
  if (event.from === 'client') return messages.map((request) => ({ request }));
  return messages.map((message) => (sse === undefined ? { response: message } : { sse: { ...part, data: message } }));
}

function contextOf(http: { status?: number; headers?: HeaderMap } | undefined): object {
  const headers = Object.fromEntries(Object.entries(http?.headers ?? {}).filter(([name]) => reported.test(name)));
  const context = {
    ...(http?.status === undefined ? {} : { status: http.status }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
  return Object.keys(context).length === 0 ? {} : { transport_context: context };
}
