/** Values of every JSON type at every place, on each transport and in each revision. */
import type { HostileCase } from '../case.ts';

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const broken = [/internal error/i, /is not a function/, /not iterable/, /Cannot (?:read|convert|use|destructure)/];

export const oddValueCases: readonly HostileCase[] = (['stdio', 'http', 'sse'] as const).flatMap((transport) =>
  revisions
    .filter((revision) => transport !== 'sse' || revision !== '2026-07-28')
    .map(
      (revision): HostileCase => ({
        part: 'odd',
        script: 'odd-values.mjs',
        transport,
        id: `odd-values-${revision}${transport === 'sse' ? '-sse' : ''}`,
        does: `puts values of any JSON type at any place of its messages (${revision})`,
        flags: ['--spec', revision, '--timeout', '1s', '--check-timeout', '120s', '--allow-destructive', '--verbose'],
        exit: 1,
        says: [/NOT COMPLIANT|INCOMPLETE/],
        saysNot: broken,
        slow: true,
      }),
    ),
);
