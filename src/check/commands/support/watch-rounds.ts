/**
 * A round of `check --watch`: what failed in the last one is asked first, then what one connection decides without
 * waiting, then everything. Changes are printed at once; the report follows with the last pass.
 */
import { McpcError } from '../../../core/model/errors.ts';
import type { RunReport } from '../../../core/model/reports/run-report.ts';
import { visible } from '../../../report/text.ts';

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
  /** Latest decision of each rule. */
  const known = new Map<string, 'pass' | 'fail'>();
  /** Rules that passed this time when what failed was asked by itself. */
  const mended = new Set<string>();
  /** Rules that a whole check failed right after that: what fails them comes of what other rules ask. */
  const ofWhole = new Set<string>();

  /** True if a partial pass does not decide it for good. */
  function isEarly(which: 'failed' | 'quick' | 'last', rule: string): boolean {
    return which === 'quick' || (which === 'failed' && ofWhole.has(rule));
  }

  function tell(report: RunReport, which: 'failed' | 'quick' | 'last', first: boolean): void {
    const verdicts = report.parts.flatMap((part) => part.verdicts);
    const listed = new Set(verdicts.map(({ rule }) => rule));
    // A rule that is gone.
    if (which === 'last') for (const rule of known.keys()) if (!listed.has(rule)) known.delete(rule);
    for (const { rule, status, message } of verdicts) {
      const before = known.get(rule);
      if (status !== 'pass' && status !== 'fail') {
        if (which !== 'last' || before !== 'fail') continue;
        known.delete(rule);
        talk(`No longer decided: ${rule}`);
        continue;
      }
      if (before === 'fail' && status === 'pass' && isEarly(which, rule)) continue;
      known.set(rule, status);
      if (which === 'failed' && status === 'pass') mended.add(rule);
      else if (which === 'last' && status === 'fail' && mended.has(rule)) ofWhole.add(rule);
      // The report shows everything of the first pass.
      if (first || before === status || (before === undefined && status === 'pass')) continue;
      talk(status === 'pass' ? `Passes now: ${rule}` : `Fails now: ${rule}: ${visible(message)}`);
    }
  }

  return {
    async round(signal, ask) {
      const first = known.size === 0;
      mended.clear();
      const failed = [...known].filter(([, status]) => status === 'fail').map(([rule]) => rule);
      if (failed.length > 0) {
        talk(`Asking first for what failed: ${failed.length} ${failed.length === 1 ? 'rule' : 'rules'}.`);
        const report = await ask({ only: failed, profile: deepest }).catch(ofSelection);
        if (report === undefined || signal.aborted) return undefined;
        if (report !== 'none') tell(report, 'failed', false);
      }
      if (deepest === 'full') {
        const quick = await ask({ profile: 'quick' });
        if (quick === undefined || signal.aborted) return undefined;
        if (first) talk(soFar(quick));
        tell(quick, 'quick', first);
      }
      const last = await ask({ profile: deepest });
      if (last !== undefined && !signal.aborted) tell(last, 'last', first);
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
  const failed = parts.flatMap(({ verdicts }) =>
    verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule),
  );
  return failed.length === 0
    ? 'A quick look finds nothing that fails; the whole check follows.'
    : `A quick look finds ${failed.length} that ${failed.length === 1 ? 'fails' : 'fail'}: ${failed.join(', ')}. The whole check follows.`;
}
