/** `mcpc run`: the flags of a run of suites, and its end. */
import { Args, Flags } from '@oclif/core';
import { jsonWithoutCommands } from '../../core/model/ci-logs.ts';
import { exitCodes } from '../../core/model/errors.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { suiteFlags } from './support/flags.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';

export default class Run extends BaseCommand {
  static override summary = 'Run suites: your own test cases for a server, in YAML.';

  static override description =
    `A suite is a folder of YAML files; each holds test cases: which tool to call with which arguments, and what the response has to be. Starts a server for each case, unless --session says otherwise. Files of mcp-assert run unchanged. docs/suites.md describes the format.

Exit codes: 0 nothing failed, 1 something failed or no case was chosen, 2 wrong usage or suite file, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = ['<%= command.id %> SUITE [FLAGS]', '<%= command.id %> SUITE [FLAGS] -- COMMAND [ARGS...]'];

  static override examples = [
    {
      description: 'A folder of suites, with files for their servers',
      command: '<%= config.bin %> run evals --fixture evals/fixtures',
    },
    {
      description: 'The same cases against another build of the server',
      command: '<%= config.bin %> run evals -- node dist/server.js',
    },
    { description: 'One case, three times', command: `<%= config.bin %> run evals --filter 'read_file*' --trials 3` },
    'Keep a run, and judge it again without the server\n<%= config.bin %> run evals --trace run.trace.jsonl\n<%= config.bin %> run evals --recording run.trace.jsonl',
    { description: 'Results for a script', command: '<%= config.bin %> run --suite evals --json' },
  ];

  static override args = {
    suite: Args.string({ description: 'File or folder of suites.', ignoreStdin: true, required: false }),
  };

  static override flags = {
    ...suiteFlags,
    list: Flags.boolean({
      summary: 'List the cases that would run, with file and line, and start nothing. With --json as JSON.',
      helpGroup: 'SELECTION',
    }),
    recording: Flags.string({
      summary: 'Judge the cases by the trace of an earlier run (see --trace), without a server.',
      helpGroup: 'SUITE',
      helpValue: 'FILE',
    }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags, raw } = await this.parse(Run, own);
    const { exitOf, planSuiteSinks, prepareRun, runPrepared } = await import('./support/run.ts');
    const sinks = await planSuiteSinks(raw, flags);
    const prepared = await prepareRun(args.suite, flags, command, { toolVersion: this.toolVersion, command: 'run' });
    for (const warning of prepared.warnings) this.talk(warning);
    if (flags.list) {
      const { listedCases } = await import('./support/list.ts');
      const { text, count } = listedCases(prepared.options.cases, flags.json);
      if (flags.json) this.printData(jsonWithoutCommands(text));
      else this.print(text);
      return count > 0 ? exitCodes.compliant : exitCodes.notCompliant;
    }
    const voice = { print: (text: string) => this.printData(text), talk: (line: string) => this.talk(line) };
    const { signal } = this.interrupts();
    const report = await runPrepared(prepared, flags, sinks, { recording: flags.recording, signal, voice });
    const { writeSuite } = await import('./support/output.ts');
    await writeSuite(report, sinks, flags, voice.talk);
    return signal.aborted ? exitCodes.interrupted : exitOf(report);
  }
}
