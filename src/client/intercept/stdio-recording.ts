/** Makes events of a stdio proxy's reports: each line of one direction is a message, or other text. */
import type { EventInput } from '../../core/model/trace.ts';
import { createLineSplitter, type Line } from '../../core/trace/line-splitter.ts';
import { decodeUtf8, linePayload } from '../../core/trace/payload.ts';
import type { TransportLimits } from '../transport/limits.ts';
import { logRecorder } from '../transport/process/log-lines.ts';
import type { StdioStream } from './taps.ts';

type Recorded = Omit<EventInput, 'session'>;

/** Takes in the bytes of a stream, cut into lines. */
export interface StreamRecording {
  push(chunk: Buffer): void;
  end(): void;
}

export function createStdioRecording(
  record: (event: Recorded) => number,
  limits: TransportLimits,
): Record<StdioStream, StreamRecording> {
  const keep = logRecorder(record, limits);
  return {
    client: streamRecording(limits.maxLineBytes, messageRecorder('client', record, limits)),
    server: streamRecording(limits.maxLineBytes, messageRecorder('server', record, limits)),
    stderr: streamRecording(limits.maxStderrLineBytes, ({ bytes }) => keep(bytes)),
  };
}

function streamRecording(maxLineBytes: number, take: (line: Line) => void): StreamRecording {
  const splitter = createLineSplitter({ maxLineBytes });
  return {
    push(chunk) {
      for (const line of splitter.push(chunk)) take(line);
    },
    end() {
      for (const line of splitter.end()) take(line);
    },
  };
}

function messageRecorder(
  from: 'client' | 'server',
  record: (event: Recorded) => number,
  limits: TransportLimits,
): (line: Line) => void {
  return ({ bytes, end }) => {
    if (end === 'too-long' || end === 'not-held') {
      const raw = decodeUtf8(bytes.subarray(0, 256)).text;
      record({
        from,
        kind: 'limit',
        raw,
        reason: `a line is longer than ${limits.maxLineBytes} bytes; it was handed on, but not recorded`,
      });
      return;
    }
    const payload = linePayload(bytes, limits.json);
    record({ from, ...payload, ...(end === 'newline' ? {} : { reason: payload.reason ?? 'no newline at end' }) });
  };
}
