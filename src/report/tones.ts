/** What a verdict means for a reader, and the words for it. Knows nothing of formats. */
import type { ReportVerdict } from '../model/run-report.ts';

/** What a verdict means for a reader: its status, and for failures how much it counts. In the order of display. */
export const tones = ['violation', 'warning', 'advice', 'error', 'not-exercised', 'pass', 'not-applicable'] as const;
export type Tone = (typeof tones)[number];

export const toneWords: Record<Tone, { label: string; heading: string; symbol: string; note: string }> = {
  violation: { label: 'Violated', heading: 'Violations', symbol: '✗', note: 'These count against compliance.' },
  warning: { label: 'Warning', heading: 'Warnings', symbol: '!', note: 'Not obeyed, but not counted against compliance.' },
  advice: { label: 'Advice', heading: 'Advice', symbol: 'i', note: 'Worth knowing; weighs nothing.' },
  error: { label: 'Not judged', heading: 'mcpc could not judge', symbol: '‼', note: 'A fault of mcpc, not of the target. The run cannot count as compliant.' },
  'not-exercised': { label: 'Not exercised', heading: 'Not exercised', symbol: '○', note: 'These bind the target, but nothing observed could decide them. They are not passes.' },
  pass: { label: 'Passed', heading: 'Passed', symbol: '✓', note: 'Decided by what was observed.' },
  'not-applicable': { label: 'Not applicable', heading: 'Not applicable', symbol: '–', note: 'These do not bind this target.' },
};

/** What a verdict means for a reader. */
export function toneOf(verdict: Pick<ReportVerdict, 'status' | 'severity'>): Tone {
  if (verdict.status !== 'fail') return verdict.status;
  return ({ error: 'violation', warning: 'warning', info: 'advice' } as const)[verdict.severity];
}
