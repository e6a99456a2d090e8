/** Meaning of a failed requirement for a target. The only place that turns a level into a severity. */
import type { Basis, Level, Severity } from '../../model/rules/requirement.ts';

/**
 * MUST and MUST NOT give `error`, SHOULD and SHOULD NOT `warning`, MAY `info`. A level that only prose supports (our
 * estimate), or that another place of the specification contradicts, gives `warning` at most: a doubtful duty must not
 * make a target non-compliant. The same holds for an extension, whose support is optional.
 */
export function severityOf(level: Level, basis: Basis, extension?: string): Severity {
  if (level === 'MAY') return 'info';
  if (level === 'SHOULD' || level === 'SHOULD NOT') return 'warning';
  return extension !== undefined || basis === 'prose' || basis === 'contested' ? 'warning' : 'error';
}
