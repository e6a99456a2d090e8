/** Durations in suite files. */
import { durationOf } from '../../core/model/duration.ts';
import type { Part } from './part.ts';
import type { Problem } from './yaml-source.ts';

/** Milliseconds; undefined for nothing. What cannot be read is a problem. */
export function timeoutOf(part: Part, problems: Problem[]): number | undefined {
  const text = part.text();
  if (text === undefined || text === '') return undefined;
  const ms = durationOf(text);
  if (ms === undefined)
    problems.push({
      ...part.place,
      text: `${part.path.join('.')}: ${JSON.stringify(text)} is no duration; write it with its unit, as 10s or 1m30s`,
      severity: 'error',
    });
  return ms;
}
