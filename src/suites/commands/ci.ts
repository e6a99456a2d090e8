/** `mcpc ci`: a run of suites that decides whether a build passes. */
import { Args, Flags } from '@oclif/core';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import type { SuiteReport } from '../../core/model/reports/suite-report.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { numberFlag } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import type { DriftReport } from '../../report/drift/drift-text.ts';
import { suiteFlags } from './support/flags.ts';

const gate = 'GATE';

export default class Ci extends BaseCommand {
  static override summary = 'Run suites as a gate: thresholds, baselines, annotations.';

  static override description =
    `The same run as "mcpc run", with what a CI pipeline needs: a threshold for the share of passed cases, a baseline, a summary for GitHub ($GITHUB_STEP_SUMMARY, unless --markdown names a file) and GitHub annotations on the lines of the suite. Skipped cases do not count; a run with skipped cases only fails.

Exit codes: 0 the gate is passed, 1 it is not, 2 wrong usage or suite file, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = ['<%= command.id %> SUITE [FLAGS]', '<%= command.id %> SUITE [FLAGS] -- COMMAND [ARGS...]'];

  static override examples = [
    {
      description: 'At least 95 in 100 have to pass',
      command: '<%= config.bin %> ci evals --threshold 95 --junit junit.xml',
    },
    {
      description: 'Nothing that passed may fail',
      command: '<%= config.bin %> ci --suite evals --threshold 0 --baseline base.json --fail-on-regression',
    },
  ];

  static override args = {
    suite: Args.string({ description: 'File or folder of suites.', ignoreStdin: true, required: false }),
  };

  static override flags = {
    ...suiteFlags,
    threshold: numberFlag('threshold', {
      summary: 'Minimum percentage of cases that have to pass. [default: 100]',
      helpGroup: gate,
      helpValue: 'PERCENT',
      min: 0,
      max: 100,
    }),
    'fail-on-regression': Flags.boolean({
      summary: 'Fail when a case that passed in the baseline does not pass now.',
      helpGroup: gate,
    }),
    'min-coverage': numberFlag('min-coverage', {
      summary: 'Minimum percentage of the tools of the server that the cases call. [default: none]',
      helpGroup: gate,
      helpValue: 'PERCENT',
      min: 0,
      max: 100,
    }),
    'max-flaky': numberFlag('max-flaky', {
      summary: 'Maximum number of flaky cases: those that both pass and fail in --trials. [default: no limit]',
      helpGroup: gate,
      helpValue: 'N',
      min: 0,
      max: 1_000_000,
      whole: true,
    }),
    lock: Flags.string({
      summary:
        'Lock file (docs/drift.md): fail when the server offers something else. [default: mcpc.lock.json next to the suite, if it exists]',
      helpGroup: gate,
      helpValue: 'FILE',
    }),
    'drift-fail-on': Flags.string({
      summary: 'Classes of changes since the lock that fail, separated by commas; "any" for all, "none" for none.',
      default: 'any',
      helpGroup: gate,
      helpValue: 'CLASS,…',
    }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags, raw } = await this.parse(Ci, own);
    if (flags['fail-on-regression'] && flags.baseline === undefined)
      throw usageError('--fail-on-regression needs a baseline.', 'Name it with --baseline.');
    const { planSuiteSinks, prepareRun, runPrepared } = await import('./support/run.ts');
    const sinks = await planSuiteSinks(raw, flags);
    const prepared = await prepareRun(args.suite, flags, command, { toolVersion: this.toolVersion, command: 'ci' });
    for (const warning of prepared.warnings) this.talk(warning);
    const { compareSuiteServer, suiteLock } = await import('./support/drift.ts');
    const lock = flags.lock ?? suiteLock([...(args.suite === undefined ? [] : [args.suite]), ...(flags.suite ?? [])]);
    const drift =
      lock === undefined
        ? undefined
        : await compareSuiteServer(prepared, lock, flags['drift-fail-on'], this.interrupts().signal);
    const voice = { print: (text: string) => this.printData(text), talk: (line: string) => this.talk(line) };
    const { signal } = this.interrupts();
    const report = await runPrepared(prepared, flags, sinks, { signal, voice });
    const { appendText, writeSuite } = await import('./support/output.ts');
    const { renderSuite } = await import('../../report/suite/render.ts');
    await writeSuite(report, sinks, flags, voice.talk);
    const summary = process.env['GITHUB_STEP_SUMMARY'] ?? '';
    if (flags.markdown === undefined && summary !== '') {
      try {
        appendText(
          summary,
          renderSuite(report, 'markdown', flags.templates === undefined ? {} : { templatesDir: flags.templates }),
        );
      } catch (error) {
        this.talk(`Warning: the step summary could not be written: ${(error as Error).message}`);
      }
    }
    if (process.env['GITHUB_ACTIONS'] === 'true' && sinks.stdout === 'terminal')
      this.printData(renderSuite(report, 'github'));
    if (drift !== undefined) await this.tellDrift(drift, flags.markdown ?? summary);
    if (signal.aborted) return exitCodes.interrupted;
    const { driftShortfall } = await import('../../report/drift/drift-text.ts');
    const why = [...shortfalls(report, flags), ...(drift === undefined ? [] : driftShortfall(drift))];
    for (const one of why) this.talk(one);
    return why.length === 0 ? exitCodes.compliant : exitCodes.notCompliant;
  }

  /** Shows changes since the lock, next to the report of the suite. */
  private async tellDrift(drift: DriftReport, markdown: string): Promise<void> {
    const { githubText, markdownText, terminalText } = await import('../../report/drift/drift-text.ts');
    const { appendText } = await import('./support/output.ts');
    this.talk(terminalText(drift).trimEnd());
    if (markdown !== '') appendText(markdown, markdownText(drift));
    if (process.env['GITHUB_ACTIONS'] === 'true') this.talk(githubText(drift).trimEnd());
  }
}

/** Unmet conditions of the gate, a sentence each. */
function shortfalls(
  { counts, baseline, incomplete, coverage }: SuiteReport,
  limits: {
    'min-coverage'?: number | undefined;
    threshold?: number | undefined;
    'fail-on-regression': boolean;
    'max-flaky'?: number | undefined;
  },
): string[] {
  const judged = counts.total - counts.skipped;
  const rate = judged === 0 ? 0 : Math.floor((100 * counts.passed) / judged);
  const threshold = limits.threshold ?? 100;
  const regressions = baseline?.regressions.length ?? 0;
  const flaky = limits['max-flaky'];
  const cover = limits['min-coverage'];
  return [
    ...(incomplete === null ? [] : [`the run is incomplete: ${incomplete}`]),
    ...(judged === 0 ? ['no case was run'] : []),
    ...(rate < threshold ? [`pass rate ${rate}% is below threshold ${threshold}%`] : []),
    ...(limits['fail-on-regression'] && regressions > 0 ? [`${regressions} regression(s) since the baseline`] : []),
    ...(cover !== undefined && coverage === undefined ? ['the coverage is not known'] : []),
    ...(cover !== undefined && coverage !== undefined && coverage.percentage < cover
      ? [`coverage ${coverage.percentage}% is below ${cover}%`]
      : []),
    ...(flaky !== undefined && counts.flaky > flaky
      ? [`${counts.flaky} flaky case(s), more than the ${flaky} allowed`]
      : []),
  ];
}
