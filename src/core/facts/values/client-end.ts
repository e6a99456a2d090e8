/** The end of a client that mcpc started, as its run records it. */
import type { TraceEvent } from '../../model/trace.ts';

/** Undefined for other events; otherwise true where the client ended by itself, and false where mcpc ended or left it. */
export function endsByItself({ kind, from, reason = 'by itself' }: TraceEvent): boolean | undefined {
  return kind === 'exit' && from === 'client' ? reason === 'by itself' : undefined;
}
