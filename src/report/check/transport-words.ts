/** Words for the transport by which a target was reached. */
import type { RunReport } from '../../core/model/reports/run-report.ts';

const words = { stdio: 'stdio', http: 'Streamable HTTP', sse: 'HTTP+SSE' } as const;

export function transportWords({
  notRecorded,
  target,
  transport,
}: Pick<RunReport, 'notRecorded' | 'target' | 'transport'>): string {
  if (notRecorded?.includes('transport') === true) return 'transport not recorded';
  return target.kind === 'authorization-server' ? 'authorization server' : words[transport];
}
