/** Makes captures in foreign formats of the sessions of a trace, as other tools would have recorded them. */
import type { HeaderMap, TraceEvent, TransportKind } from '../../src/core/model/trace.ts';
import { createExporter, exportFormats } from '../../src/core/trace/export-capture.ts';
import type { CaptureFormat } from '../../src/core/trace/importers/captured.ts';
import { foreignCaptures } from './foreign-captures.ts';

export interface MadeCapture {
  format: CaptureFormat;
  text: string;
}

export function sessionsOf(events: readonly TraceEvent[]): TraceEvent[][] {
  const sessions = new Map<string, TraceEvent[]>();
  for (const event of events) sessions.set(event.session, [...(sessions.get(event.session) ?? []), event]);
  return [...sessions.values()].filter((some) => some.some(({ kind }) => kind === 'message'));
}

/** Formats in which a conversation over the transport can have been recorded. */
export function formatsOf(transport: TransportKind): CaptureFormat[] {
  if (transport === 'stdio')
    return ['jsonrpc', 'inspector', 'streamable-http', 'rows', 'claude-log', 'vscode-log', 'cassette'];
  return ['jsonrpc', 'inspector', transport === 'sse' ? 'http-sse' : 'streamable-http', 'har'];
}

/** As our own exporters write them. */
export function exported(events: readonly TraceEvent[]): MadeCapture[] {
  return exportFormats.map((format) => {
    const exporter = createExporter(format);
    return { format, text: exporter.head + events.map((event) => exporter.event(event)).join('') + exporter.tail };
  });
}

export function capturesOf(events: readonly TraceEvent[], transport: TransportKind): MadeCapture[] {
  const made = exported(events);
  made.push({ format: 'inspector', text: JSON.stringify(inspectorExport(events)) });
  if (transport !== 'stdio') made.push({ format: 'har', text: JSON.stringify(harOf(events)) });
  if (transport === 'stdio') made.push(...foreignCaptures(events));
  const formats = formatsOf(transport);
  return made.filter(({ format }) => formats.includes(format));
}

/** Arrival in the protocol view: requests with their responses, both directions, in no promised order. */
function inspectorExport(events: readonly TraceEvent[]): object[] {
  const began = Date.UTC(2026, 0, 1);
  const entries: Record<string, unknown>[] = [];
  const open = new Map<string, { entry: Record<string, unknown>; t: number }>();
  for (const { kind, from, message, t } of events) {
    if (kind !== 'message') continue;
    for (const one of [message].flat() as (Record<string, unknown> | null)[]) {
      // It records what its SDK takes for a message.
      if (one === null) continue;
      const key = `${from === 'client' ? 'server' : 'client'} ${JSON.stringify(one['id'])}`;
      const asked = 'method' in one ? undefined : open.get(key);
      if (asked) {
        open.delete(key);
        Object.assign(asked.entry, { response: one, duration: t - asked.t });
        continue;
      }
      const direction = !('method' in one) ? 'response' : 'id' in one ? 'request' : 'notification';
      const entry = {
        id: `e${entries.length}`,
        timestamp: new Date(began + t).toISOString(),
        direction,
        origin: from,
        message: one,
      };
      if (direction === 'request') open.set(`${from} ${JSON.stringify(one['id'])}`, { entry, t });
      entries.push(entry);
    }
  }
  return entries.toReversed();
}

function harOf(events: readonly TraceEvent[]): object {
  const began = Date.UTC(2026, 0, 1);
  const exchanges = new Map<string, TraceEvent[]>();
  for (const event of events)
    if (event.exchange !== undefined) exchanges.set(event.exchange, [...(exchanges.get(event.exchange) ?? []), event]);
  const entries = [...exchanges.values()].map((all) => {
    const request = all.find(({ kind }) => kind === 'http-request')!;
    const sent = all.find(({ from, kind }) => from === 'client' && (kind === 'message' || kind === 'unparsable'));
    const response = all.find(({ kind }) => kind === 'http-response');
    const body = bodyOf(all);
    return {
      startedDateTime: new Date(began + request.t).toISOString(),
      time: all.at(-1)!.t - request.t,
      request: {
        method: request.http?.method,
        url: `http://127.0.0.1:3000${request.http?.path ?? '/'}`,
        headers: headerList(request.http?.headers),
        ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: textOf(sent) } }),
      },
      response: {
        status: response?.http?.status ?? 0,
        headers: headerList(response?.http?.headers),
        content: { size: Buffer.byteLength(body), mimeType: 'x', ...(body === '' ? {} : { text: body }) },
      },
    };
  });
  return { log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } };
}

function bodyOf(all: readonly TraceEvent[]): string {
  if (all.some(({ kind }) => kind === 'sse-open')) {
    const events = all.filter(({ from, kind }) => from === 'server' && (kind === 'message' || kind === 'sse-event'));
    return events
      .map(({ sse, kind, ...event }) => {
        const data = kind === 'message' ? textOf(event) : sse?.data;
        const fields = [
          ['event', sse?.event],
          ['id', sse?.id],
          ['retry', sse?.retry],
          ['data', data],
        ] as const;
        return `${fields
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${name}: ${value}\n`)
          .join('')}\n`;
      })
      .join('');
  }
  const reply = all.find(({ from, kind }) => from === 'server' && (kind === 'message' || kind === 'unparsable'));
  return reply ? textOf(reply) : (all.find(({ kind }) => kind === 'http-response')?.http?.body ?? '');
}

function textOf({ raw, message }: Pick<TraceEvent, 'raw' | 'message'>): string {
  return raw ?? JSON.stringify(message);
}

function headerList(headers: HeaderMap = {}): object[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: one })));
}
