/** What a project file disables, for every format. */
import type { DisabledOutcome } from '../../core/model/reports/run-report.ts';
import { oneLine } from '../text.ts';

export interface DisabledEntry {
  rule: string;
  reason: string;
  until: string | null;
  from: string;
  state: string;
  stale: boolean;
}

export interface DisabledView {
  summary: string;
  /** Failures that are accepted. */
  accepted: number;
  entries: DisabledEntry[];
}

const states: Record<DisabledOutcome['state'], string> = {
  fails: 'fails, accepted',
  expired: 'past its day',
  passes: 'no longer fails: remove the entry',
  undecided: 'not decided in this run',
};

export function disabledView(outcomes: readonly DisabledOutcome[] | undefined): DisabledView | null {
  if (outcomes === undefined) return null;
  const count = (state: DisabledOutcome['state']): number => outcomes.filter((one) => one.state === state).length;
  const stale = count('expired') + count('passes');
  return {
    accepted: count('fails'),
    summary: `${count('fails')} ${count('fails') === 1 ? 'failure' : 'failures'} accepted, ${stale} stale, ${count('undecided')} not decided`,
    entries: outcomes.map(({ rule, reason, until, from, state }) => ({
      rule: oneLine(rule),
      reason: oneLine(reason),
      until: until === undefined ? null : oneLine(until),
      from: oneLine(from),
      state: states[state],
      stale: state === 'expired' || state === 'passes',
    })),
  };
}

/** The entries as lines of text. */
export function disabledLines({ entries }: DisabledView): string[] {
  return entries.map(
    ({ rule, reason, until, from, state }) =>
      `${rule}: ${state}. ${reason.replace(/\.$/, '')} (${until === null ? '' : `until ${until}, `}${from})`,
  );
}
