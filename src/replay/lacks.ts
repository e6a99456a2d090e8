/** What a recording lacks, in a line for a reader. Pure. */
import { isObject } from '../core/model/json.ts';
import { isStandIn } from '../core/trace/redaction/stand-ins.ts';
import type { TraceHeader } from '../core/model/trace.ts';
import type { Recording } from './recording.ts';

const handshakes = new Set(['initialize', 'server/discover']);

/** @param notes what reading the file told */
export function lacksOf(recording: Recording, header: TraceHeader, notes: readonly string[]): string | undefined {
  const { turns } = recording;
  const parts: string[] = [];
  if (!turns.some(({ method, reply }) => handshakes.has(method) && reply !== undefined))
    parts.push('the handshake (a plain one is given)');
  const open = turns.filter(({ id, reply, http, cancelled }) => id !== undefined && !reply && !http && !cancelled);
  if (open.length > 0) parts.push(`the response to ${open.length} request${open.length === 1 ? '' : 's'}`);
  if (notes.some((note) => note.includes('cut off') || note.includes('not complete'))) parts.push('its end');
  if (header.transport !== 'stdio' && header.recorded?.exchanges === false) parts.push('HTTP statuses and headers');
  if (turns.some(({ reply }) => reply !== undefined && holdsStandIn(reply.message)))
    parts.push('secrets, for which stand-ins are served');
  return parts.length === 0 ? undefined : `The recording lacks ${parts.join('; ')}.`;
}

function holdsStandIn(value: unknown): boolean {
  if (typeof value === 'string') return isStandIn(value);
  return (Array.isArray(value) ? (value as unknown[]) : isObject(value) ? Object.values(value) : []).some(holdsStandIn);
}
