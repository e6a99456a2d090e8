/** Makes the wire log of a report: the events that verdicts cite, each with a line for a reader. */
import type { WireEntry } from '../../core/model/reports/run-report.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { asText } from '../../core/model/json.ts';

const longestBody = 8192;

export function wireEntry(event: TraceEvent): WireEntry {
  return {
    seq: event.seq,
    t: event.t,
    session: event.session,
    from: event.from,
    kind: event.kind,
    label: labelOf(event),
    body: cut(bodyOf(event)),
    deviation: event.deviation,
  };
}

/** Short description of an event. */
export function labelOf(event: TraceEvent): string {
  const { http, sse } = event;
  switch (event.kind) {
    case 'http-request':
      return `${http?.method ?? ''} ${http?.origin ?? ''}${http?.path ?? ''}${rewrittenMark(event)}`;
    case 'http-response':
      return (
        `HTTP ${http?.status ?? '?'} ${first(http?.headers?.['content-type']) ?? ''}`.trim() + rewrittenMark(event)
      );
    case 'message':
      return messageLabel(event.message);
    case 'unplaced':
      return `sender unknown: ${messageLabel(event.message)}`;
    case 'gap':
      return event.lost === undefined ? 'text that is no message' : 'message that was not recorded whole';
    case 'unparsable':
      return event.from === 'client' ? 'bytes that are no JSON' : 'output that is no JSON';
    case 'sse-event':
      return `event ${sse?.event ?? 'message'}${sse?.id === undefined ? '' : ` id ${sse.id}`}`;
    case 'sse-open':
      return 'event stream opened';
    case 'sse-close':
      return `event stream closed by the ${event.from}`;
    case 'closed':
      if (event.what === 'server') return 'the client asks the server to end';
      return event.what === 'proxy'
        ? 'connection lost at the proxy'
        : `${event.what ?? 'connection'} closed by the ${event.from}`;
    case 'exit':
      return `process ended (${event.exit?.signal ?? `exit code ${event.exit?.code ?? '?'}`})`;
    case 'timeout':
      return `${event.what === 'acknowledgement' ? 'no acknowledgement' : 'nothing'} came within ${event.waitedMs ?? '?'} ms`;
    case 'assumed':
      return "taken in another form than MCP's";
    case 'spawn':
      return 'process started';
    case 'listening':
      return 'listening addresses';
    case 'case':
    case 'step':
      return `${event.kind} ${markOf(event.detail)}`;
    case 'file':
      return fileLabel(event.detail);
    default:
      return event.kind;
  }
}

function markOf(detail: unknown): string {
  const {
    mark,
    case: one,
    step,
    trial,
    words,
  } = detail as { mark?: string; case?: string; step?: string; trial?: number; words?: string };
  if (mark === 'told') return words ?? '';
  return [step ?? one ?? '', trial === undefined || trial === 1 ? '' : `trial ${trial}`, mark ?? '']
    .filter((word) => word !== '')
    .join(' ');
}

function fileLabel(detail: unknown): string {
  const { path, exists, size, when } = detail as { path?: string; exists?: boolean; size?: number; when?: string };
  return `file ${path ?? ''} ${when ?? ''} the step: ${exists === true ? `${size ?? '?'} bytes` : 'not there'}`;
}

function messageLabel(message: unknown): string {
  if (Array.isArray(message)) return `batch of ${message.length}`;
  if (typeof message !== 'object' || message === null) return 'JSON';
  const { method, id, error } = message as { method?: unknown; id?: unknown; error?: { code?: unknown } };
  const number = id === undefined ? '' : ` ${JSON.stringify(id)}`;
  if (method !== undefined) return `${id === undefined ? 'notification' : 'request'}${number} ${asText(method)}`;
  return error === undefined ? `result${number}` : `error${number} ${asText(error?.code ?? '')}`.trimEnd();
}

function bodyOf(event: TraceEvent): string {
  if (event.raw !== undefined) return event.raw;
  if (event.kind === 'message') return JSON.stringify(event.message, null, 1);
  if (event.http) {
    const headers = Object.entries(event.http.headers ?? {}).map(
      ([name, value]) => `${name}: ${[value].flat().join(', ')}`,
    );
    return [...headers, ...(event.http.body === undefined ? [] : ['', event.http.body])].join('\n');
  }
  if (event.sse) return event.sse.data ?? '';
  if (event.detail !== undefined) return JSON.stringify(event.detail);
  return event.reason ?? '';
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function cut(text: string): string {
  return text.length > longestBody ? `${text.slice(0, longestBody)}…` : text;
}

/** Says which places a proxy changed. */
function rewrittenMark({ http }: TraceEvent): string {
  return http?.rewritten === undefined ? '' : ` [rewritten: ${Object.keys(http.rewritten).join(', ')}]`;
}
