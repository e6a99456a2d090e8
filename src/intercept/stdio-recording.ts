/** Makes events of what a proxy on stdio tells: each line of one direction is a message, or what it is. */
import type { EventInput } from '../model/trace.ts';
import { createLineSplitter, type LineSplitter } from '../trace/line-splitter.ts';
import { decodeUtf8, linePayload } from '../trace/payload.ts';
import type { TransportLimits } from '../transport/limits.ts';
import { logRecorder } from '../transport/process/log-lines.ts';
import type { StdioStream } from './taps.ts';

type Recorded = Omit<EventInput, 'session'>;

/** @returns one splitter for each stream */
export function createStdioRecording(record: (event: Recorded) => number, limits: TransportLimits): Record<StdioStream, LineSplitter> {
  const keep = logRecorder(record, limits);
  return {
    client: messageLines('client', record, limits),
    server: messageLines('server', record, limits),
    stderr: createLineSplitter({ maxLineBytes: limits.maxStderrLineBytes, onLine: (line) => keep(line), onOversize: (head) => keep(head) }),
  };
}

function messageLines(from: 'client' | 'server', record: (event: Recorded) => number, limits: TransportLimits): LineSplitter {
  return createLineSplitter({
    maxLineBytes: limits.maxLineBytes,
    onLine: (line, terminated) => {
      const payload = linePayload(line, limits.json);
      record({ from, ...payload, ...(terminated ? {} : { reason: payload.reason ?? 'no newline at end' }) });
    },
    onOversize: (head) => {
      const raw = decodeUtf8(head.subarray(0, 256)).text;
      record({ from, kind: 'limit', raw, reason: `a line is longer than ${limits.maxLineBytes} bytes; it was handed on, but not recorded` });
    },
  });
}
