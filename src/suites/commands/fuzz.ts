/** `mcpc fuzz`: unexpected arguments, and the smallest ones that break a tool. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Flags } from '@oclif/core';
import { exitCodes } from '../../core/model/errors.ts';
import { leftBehindText } from '../../check/reporting/left-behind.ts';
import { oneLine, visible } from '../../report/text.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { addressArgs, exerciseFlags, exerciseOptions, reportFlags } from './support/exercise/flags.ts';
import { durationFlag, numberFlag, repeatedFlag } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';

const output = 'OUTPUT';
const fuzzing = 'FUZZING';

export default class Fuzz extends BaseCommand {
  static override summary = 'Call tools with unexpected arguments, and find the smallest that break them.';

  static override description =
    `Calls each tool that only reads, as "mcpc check" does, with a fixed list of unusual arguments (missing, of wrong types, empty, huge, hostile) and with values generated from its inputSchema. Each call has to leave the server running, get a valid response in time, reveal nothing internal in errors, and be rejected if its arguments violate the schema. A failure is reduced to the smallest arguments, confirmed on a new connection, and can be written as a case for "mcpc run" that fails now and passes once the server is fixed. Two runs with the same seed send the same calls.

Exit codes: 0 nothing failed, 1 something failed or the run is incomplete, 2 wrong usage, 3 server not reachable or not speaking MCP, 4 internal error in mcpc, 130 interrupted, with the report of what was found.`;

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    {
      description: '50 runs of each tool, always the same',
      command: '<%= config.bin %> fuzz --seed 7 -- node server.js',
    },
    {
      description: 'One tool for longer, and what fails as a suite',
      command: '<%= config.bin %> fuzz --tool search --runs 1000 --max-time 5m --output fuzz.yaml -- node server.js',
    },
    {
      description: 'Repeat the failures, to see whether they are fixed',
      command: '<%= config.bin %> fuzz --replay fuzz.yaml -- node server.js',
    },
  ];

  static override args = addressArgs;

  static override flags = {
    ...exerciseFlags,
    runs: numberFlag('runs', {
      summary: 'Number of calls of each tool. [default: 50]',
      helpGroup: fuzzing,
      helpValue: 'N',
      min: 1,
      max: 1_000_000,
      whole: true,
    }),
    seed: numberFlag('seed', {
      summary: 'Seed of the generated arguments. Without it, or with 0, a random one, which is printed.',
      helpGroup: fuzzing,
      helpValue: 'N',
      min: 0,
      max: 2_147_483_647,
      whole: true,
    }),
    tool: repeatedFlag({ summary: 'Only this tool. Repeats.', helpGroup: fuzzing, helpValue: 'NAME' }),
    'max-time': durationFlag('max-time', {
      summary: 'End the run after this time, such as 5m, and report what was found. [default: no limit]',
      helpGroup: fuzzing,
    }),
    jobs: numberFlag('jobs', {
      summary: 'Tools to call in parallel, each with a server process of its own. [default: 1]',
      helpGroup: fuzzing,
      helpValue: 'N',
      min: 1,
      max: 64,
      whole: true,
      char: 'j',
    }),
    replay: Flags.string({
      summary: 'Repeat the calls of a suite that --output has written, instead of generating new ones.',
      helpGroup: fuzzing,
      helpValue: 'FILE',
      exclusive: ['seed', 'runs', 'tool'],
    }),
    output: Flags.string({
      summary: 'File of a suite with a case for each failure, or a folder for it (fuzz.yaml).',
      helpGroup: output,
      helpValue: 'FILE',
      char: 'o',
    }),
    ...reportFlags({
      markdown: 'Append a Markdown report to this file; without it, to $GITHUB_STEP_SUMMARY if that is set.',
      quiet: 'Print only tools with failures, and the totals.',
    }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { flags, args } = await this.parse(Fuzz, own);
    const [{ checkToolsReports, writeToolsReports }, { checkOutput, writeOutput }] = await Promise.all([
      import('./support/exercise/output.ts'),
      import('../../files/output/output.ts'),
    ]);
    const suite =
      flags.output === undefined
        ? undefined
        : { path: fileOf(flags.output), what: 'the suite', replaces: 'nothing' as const, overwrite: flags.overwrite };
    checkToolsReports(flags);
    if (suite !== undefined) checkOutput(suite);
    const replay =
      flags.replay === undefined ? undefined : await (await import('../exercise/fuzz/replay.ts')).callsIn(flags.replay);
    const { signal, within } = this.interrupts();
    const { options, notices } = await exerciseOptions(flags, {
      address: args.address,
      command,
      toolVersion: this.toolVersion,
      signal,
    });
    for (const line of notices) this.talk(line);
    const [{ fuzz }, { fuzzSummary, fuzzToolLines, fuzzView }, { openCounter }] = await Promise.all([
      import('../exercise/fuzz/fuzz.ts'),
      import('../../report/tools/fuzz.ts'),
      import('./support/exercise/counter.ts'),
    ]);
    const shown = { quiet: flags.quiet, ...(flags['no-color'] ? { color: false } : {}) };
    const counter = openCounter();
    const report = await within(
      fuzz({
        ...options,
        onLeftBehind: (command) => this.talk(visible(leftBehindText(command))),
        runs: flags.runs ?? 50,
        seed: flags.seed === undefined || flags.seed === 0 ? (Date.now() % 2_147_483_646) + 1 : flags.seed,
        only: flags.tool ?? [],
        ...(replay === undefined ? {} : { replay }),
        jobs: flags.jobs ?? 1,
        ...(flags['max-time'] === undefined ? {} : { maxMs: flags['max-time'] }),
        onRun: (name, run, runs) => counter.show(`${oneLine(name).slice(0, 60)}: run ${run} of ${runs}`),
        onTool: (tool) => {
          counter.wipe();
          if (!flags.json) this.print(fuzzToolLines(tool, shown));
        },
      }),
    );
    counter.wipe();
    if (report === undefined) throw this.interrupted('Interrupted; the server did not let go in time.');
    if (flags.json) this.printJson(report);
    else this.print(fuzzSummary(report, shown));
    const summary = process.env['GITHUB_STEP_SUMMARY'] ?? '';
    writeToolsReports(fuzzView(report), {
      ...flags,
      markdown: flags.markdown ?? (summary === '' ? undefined : summary),
    });
    if (suite !== undefined) {
      const [{ fuzzSuite }, { redactorOf }] = await Promise.all([
        import('../exercise/fuzz/written-cases.ts'),
        import('../../check/run-redactor.ts'),
      ]);
      const redactor = redactorOf(options);
      const text = fuzzSuite(report, {
        target: options.target,
        timeoutMs: options.timing.answerMs ?? 15_000,
        clean: (one) => redactor.text(one),
      });
      if (text !== undefined) writeOutput(suite, text);
      this.talk(
        text === undefined
          ? `Nothing failed; ${visible(suite.path)} was not written.`
          : `${visible(suite.path)}: ${report.summary.failures} ${report.summary.failures === 1 ? 'case' : 'cases'}. Run it: mcpc run ${visible(suite.path)}${flags.fixture === undefined ? '' : ` --fixture ${visible(flags.fixture)}`}`,
      );
    }
    if (signal.aborted) return exitCodes.interrupted;
    if (report.summary.failures > 0 && replay === undefined)
      this.talk(`To make the same calls again: mcpc fuzz --seed ${report.seed} --runs ${report.runs_per_tool}`);
    return report.summary.failures === 0 && report.incomplete === null ? exitCodes.compliant : exitCodes.notCompliant;
  }
}

function fileOf(path: string): string {
  return existsSync(path) && statSync(path).isDirectory()
    ? join(path, 'fuzz.yaml')
    : /\.ya?ml$/.test(path)
      ? path
      : join(path, 'fuzz.yaml');
}
