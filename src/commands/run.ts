/** `mcpc run`: the flags of a run of suites, and its end. */
import { Args } from '@oclif/core';
import { exitCodes } from '../model/errors.ts';
import type { SuiteReport } from '../model/suite-report.ts';
import { BaseCommand } from './base.ts';
import { suiteFlags } from './support/suite/flags.ts';
import { splitLine } from './support/flags/target-flags.ts';

export default class Run extends BaseCommand {
  static override summary = 'Run suites: YAML files that say what a server must answer.';

  static override description = `Starts a server for each case, sends what the case says, and judges what comes back by its expectations. Suites of mcp-assert run as they are. What a file may hold stands in docs/suites.md.

Exit codes: 0 nothing failed, 1 something failed or no case was chosen, 2 wrong usage or suite file, 4 fault of mcpc, 130 interrupted.`;

  static override usage = ['run SUITE [FLAGS]', 'run SUITE [FLAGS] -- COMMAND [ARGS...]'];

  static override examples = [
    { description: 'A folder of suites, with files for their servers', command: '<%= config.bin %> run evals --fixture evals/fixtures' },
    { description: 'The same cases against another build of the server', command: '<%= config.bin %> run evals -- node dist/server.js' },
    { description: 'One case, three times', command: `<%= config.bin %> run evals --filter 'read_file*' --trials 3` },
    { description: 'Results for a script', command: '<%= config.bin %> run --suite evals --json' },
  ];

  static override args = { suite: Args.string({ description: 'File or folder of suites.', required: false }) };

  static override flags = { ...suiteFlags };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags, raw } = await this.parse(Run, own);
    const { exitOf, planSuiteSinks, prepareRun } = await import('./support/suite/run.ts');
    const sinks = await planSuiteSinks(raw, flags.json);
    const { options, warnings } = await prepareRun(args.suite, flags, command, { toolVersion: this.toolVersion, command: 'run' });
    for (const warning of warnings) this.talk(warning);
    const [{ runSuite }, { writeSuite, showCases }] = await Promise.all([import('../app/suite/run-suite.ts'), import('./support/suite/output.ts')]);
    const { signal } = this.interrupts();
    const shown = showCases(sinks, flags, options.cases.length, { print: (text) => this.print(text), talk: (line) => this.talk(line) });
    const report: SuiteReport = await runSuite({ ...options, signal, onCase: shown.ended, onBegin: shown.begins });
    for (const notice of report.notices) this.talk(notice);
    shown.done(report);
    writeSuite(report, sinks, flags, (line) => this.talk(line));
    if (signal.aborted) return exitCodes.interrupted;
    if (report.counts.total === 0) this.talk('No case was chosen.');
    return exitOf(report);
  }
}
