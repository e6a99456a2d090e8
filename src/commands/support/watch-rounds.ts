/**
 * A round of `check --watch`: what failed in the last one is asked first, then what one connection decides without
 * waiting, then everything. What changed is told as soon as it is known; the report comes with the last look.
 */
import { McpcError } from '../../model/errors.ts';
import type { RunReport } from '../../model/reports/run-report.ts';
import { visible } from '../../report/text.ts';

export interface Look {
  /** Only these rules; all that were selected when absent. */
  only?: string[];
  profile: 'quick' | 'full';
}

/** Asks the target; undefined, or what was known by then, when it was given up. */
export type Ask = (look: Look) => Promise<RunReport | undefined>;

export interface Rounds {
  /**
   * @param signal aborted when the round is given up
   * @returns the report of the last look; that of what was known, or undefined, when it was given up
   */
  round(signal: AbortSignal, ask: Ask): Promise<RunReport | undefined>;
}

/**
 * @param deepest the profile of the last look
 * @param talk prints a line
 */
export function createRounds(deepest: Look['profile'], talk: (line: string) => void): Rounds {
  /** What each rule came to when it was last decided. */
  const known = new Map<string, 'pass' | 'fail'>();

  function tell(report: RunReport, first: boolean): void {
    for (const { rule, status, message } of report.parts.flatMap((part) => part.verdicts)) {
      if (status !== 'pass' && status !== 'fail') continue;
      const before = known.get(rule);
      known.set(rule, status);
      // Of the first look the report tells all.
      if (first || before === status || (before === undefined && status === 'pass')) continue;
      talk(status === 'pass' ? `Passes now: ${rule}` : `Fails now: ${rule}: ${visible(message)}`);
    }
  }

  return {
    async round(signal, ask) {
      const first = known.size === 0;
      const failed = [...known].filter(([, status]) => status === 'fail').map(([rule]) => rule);
      if (failed.length > 0) {
        talk(`Asking first for what failed: ${failed.length} ${failed.length === 1 ? 'rule' : 'rules'}.`);
        const report = await ask({ only: failed, profile: deepest }).catch(ofSelection);
        if (report === undefined || signal.aborted) return undefined;
        if (report !== 'none') tell(report, false);
      }
      if (deepest === 'full') {
        const quick = await ask({ profile: 'quick' });
        if (quick === undefined || signal.aborted) return undefined;
        if (first) talk(soFar(quick));
        tell(quick, first);
      }
      const last = await ask({ profile: deepest });
      if (last !== undefined && !signal.aborted) tell(last, first);
      return last;
    },
  };
}

/** Rules that are gone are asked for no more. */
function ofSelection(error: unknown): 'none' {
  if (error instanceof McpcError && error.stage === 'usage') return 'none';
  throw error;
}

function soFar({ parts }: RunReport): string {
  const failed = parts.flatMap(({ verdicts }) => verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule));
  return failed.length === 0 ? 'A quick look finds nothing that fails; the whole check follows.' : `A quick look finds ${failed.length} that ${failed.length === 1 ? 'fails' : 'fail'}: ${failed.join(', ')}. The whole check follows.`;
}
