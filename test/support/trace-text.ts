/** A trace in a few short lines, for the message of a failed test. */
import type { Trace, TraceEvent } from '../../src/core/model/trace.ts';

export function traceText(trace: Trace, mostLines = 60): string {
  const lines = trace.events.filter((event) => event.kind !== 'stderr' || event.raw !== '').map(eventLine);
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more`] : lines;
  return shown.join('\n');
}

function eventLine(event: TraceEvent): string {
  const place = [event.seq, event.session, event.exchange?.replace(/^s\d+\./, '')]
    .filter((one) => one !== undefined)
    .join(' ');
  const sigil = { client: '>', server: '<', harness: '=' }[event.from];
  return `${place.padEnd(10)} ${sigil} ${cut(textOf(event))}`;
}

function textOf(event: TraceEvent): string {
  const { http, sse } = event;
  switch (event.kind) {
    case 'message':
      return `${sse ? `sse${sse.id === undefined ? '' : ` id=${sse.id}`} ` : ''}${JSON.stringify(event.message)}${event.invalidUtf8 ? ' (not UTF-8)' : ''}`;
    case 'unparsable':
    case 'stderr':
      return `${event.kind} ${event.raw ?? ''}`;
    case 'http-request':
      return `${http?.method} ${http?.origin ?? ''}${http?.path} ${headerText(http?.headers)}`;
    case 'http-response':
      return `${http?.status} ${headerText(http?.headers)}${http?.body === undefined ? '' : ` ${http.body}`}`;
    case 'sse-event':
      return `event ${JSON.stringify(sse)}`;
    default:
      return [
        event.kind,
        event.what,
        event.awaited === undefined ? undefined : `of ${event.awaited}`,
        event.exit && JSON.stringify(event.exit),
        event.reason,
      ]
        .filter((one) => one !== undefined)
        .join(' ');
  }
}

const dull = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'x-puppet-connection',
  'cache-control',
]);

function headerText(headers: Record<string, string | string[]> | undefined): string {
  return Object.entries(headers ?? {})
    .filter(([name]) => !dull.has(name))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

function cut(text: string): string {
  return text.length > 240 ? `${text.slice(0, 240)}…` : text;
}
