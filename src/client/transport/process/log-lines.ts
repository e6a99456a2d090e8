/** Records what a server writes as free text, line by line and within limits. It is independent of the source. */
import type { EventInput } from '../../../core/model/trace.ts';
import { decodeUtf8 } from '../../../core/trace/payload.ts';
import type { TransportLimits } from '../limits.ts';

/** Records lines of free text until there were too many of them; from then on only drops them. */
export function logRecorder(
  record: (event: Omit<EventInput, 'session'>) => number,
  limits: TransportLimits,
): (line: Buffer, what?: 'stdout') => void {
  let bytes = 0;
  let full = false;
  return (line, what) => {
    if (full) return;
    bytes += line.length + 1;
    if (bytes > limits.maxStderrBytes) {
      full = true;
      record({
        from: 'server',
        kind: 'limit',
        reason: `more than ${limits.maxStderrBytes} bytes of log output; the rest was not kept`,
      });
      return;
    }
    const raw = decodeUtf8(line.subarray(0, limits.maxStderrLineBytes)).text.replace(/\r$/, '');
    record({ from: 'server', kind: 'stderr', raw, ...(what === undefined ? {} : { what }) });
  };
}
