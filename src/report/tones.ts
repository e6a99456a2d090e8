/** Meaning of a verdict for a reader, and its words. It is independent of formats. */
import type { ReportVerdict } from '../core/model/reports/run-report.ts';

/**
 * Meaning of a verdict for a reader: its status, the weight of a failure, and for undecided ones if they apply
 * (`not-exercised`) or may not (`conditional`). In the order of display.
 */
export const tones = [
  'violation',
  'warning',
  'advice',
  'error',
  'not-exercised',
  'conditional',
  'pass',
  'not-applicable',
] as const;
export type Tone = (typeof tones)[number];

export const toneWords: Record<Tone, { label: string; heading: string; symbol: string; note: string }> = {
  violation: { label: 'Violated', heading: 'Violations', symbol: '✗', note: 'These count against compliance.' },
  warning: {
    label: 'Warning',
    heading: 'Warnings',
    symbol: '!',
    note: 'Not obeyed, but not counted against compliance.',
  },
  advice: { label: 'Note', heading: 'Notes', symbol: 'i', note: 'Informational; not scored.' },
  error: {
    label: 'Not judged',
    heading: 'mcpc could not judge',
    symbol: '‼',
    note: 'An internal error in mcpc, not a failure of the target. The run cannot count as compliant.',
  },
  'not-exercised': {
    label: 'Not reached',
    heading: 'Not reached',
    symbol: '○',
    note: 'These requirements apply, but nothing that happened could decide them. They do not count as passed.',
  },
  conditional: {
    label: 'Conditional',
    heading: 'Conditional',
    symbol: '◌',
    note: 'These apply only to a target that does something which this one was not seen to do.',
  },
  pass: { label: 'Passed', heading: 'Passed', symbol: '✓', note: 'Decided by what was observed.' },
  'not-applicable': {
    label: 'Not applicable',
    heading: 'Not applicable',
    symbol: '–',
    note: 'These requirements do not apply to this target.',
  },
};

/** Meaning of a verdict for a reader. */
export function toneOf(verdict: Pick<ReportVerdict, 'status' | 'severity' | 'open'>): Tone {
  if (verdict.status === 'not-exercised' && verdict.open === 'conditional') return 'conditional';
  if (verdict.status !== 'fail') return verdict.status;
  return ({ error: 'violation', warning: 'warning', info: 'advice' } as const)[verdict.severity];
}
