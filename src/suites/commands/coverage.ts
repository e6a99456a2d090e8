/** `mcpc coverage`: what suites cover of a server, from their files alone. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { exitCodes, McpcError, usageError } from '../../core/model/errors.ts';
import { visible } from '../../report/text.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { numberFlag } from '../../check/commands/support/flags/flag-values.ts';
import { overwriteFlag } from '../../check/commands/support/flags/run-flags.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import { plainRun, reachSuiteFlags } from './support/flags.ts';

const output = 'OUTPUT';
const { jobs: _jobs, session: _session, 'reuse-server': _reuse, ...flagsOfCases } = reachSuiteFlags;

export default class Coverage extends BaseCommand {
  static override summary = 'Show what suites cover of a server, and what is missing.';

  static override description =
    `Lists what the server offers and compares it with the cases: tools, with their optional arguments, enum values and rejected arguments; prompts, resources, resource templates, completions, and client features (sampling, elicitation, roots). Runs no case: "mcpc run --coverage" counts what was sent. Requests of setup, teardown and skipped cases do not count.

Exit codes: 0 whatever is covered, 1 the share of tools is below --min, 2 wrong usage or suite file, 3 server not reachable or not speaking MCP, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = ['<%= command.id %> SUITE [FLAGS]', '<%= command.id %> SUITE [FLAGS] -- COMMAND [ARGS...]'];

  static override examples = [
    { description: 'Of the server that the suite names', command: '<%= config.bin %> coverage evals' },
    {
      description: 'Of another build of it, as a gate, with the numbers as JSON',
      command: '<%= config.bin %> coverage --suite evals --min 80 --coverage-json coverage.json -- node dist/server.js',
    },
    { description: 'Write the cases that are missing', command: '<%= config.bin %> coverage evals --write' },
  ];

  static override args = {
    suite: Args.string({ description: 'File or folder of suites.', ignoreStdin: true, required: false }),
  };

  static override flags = {
    ...flagsOfCases,
    min: numberFlag('min', {
      summary: 'Fail when a smaller percentage of the tools is covered.',
      helpGroup: 'GATE',
      helpValue: 'PERCENT',
      min: 0,
      max: 100,
    }),
    write: Flags.boolean({
      summary:
        'Write starter cases for what is not covered, next to the suite (missing-tools.yaml and others), as "mcpc generate" does.',
      helpGroup: output,
    }),
    json: Flags.boolean({ summary: 'Print the coverage as JSON.', helpGroup: output }),
    'coverage-json': Flags.string({ summary: 'Write the coverage as JSON.', helpGroup: output, helpValue: 'FILE' }),
    overwrite: overwriteFlag('Overwrite files that are there already.'),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags } = await this.parse(Coverage, own);
    const [
      { prepareRun },
      { checkCoverage, writeCoverage },
      { coverageOf },
      { addWritten, noUses },
      { surveyServers },
      { coverageText },
    ] = await Promise.all([
      import('./support/run.ts'),
      import('./support/coverage.ts'),
      import('../run/covered/coverage.ts'),
      import('../run/covered/uses.ts'),
      import('../run/covered/survey.ts'),
      import('../../report/suite/coverage.ts'),
    ]);
    checkCoverage(flags);
    const { overwrite } = flags;
    const prepared = await prepareRun(
      args.suite,
      { ...plainRun, ...flags, session: 'fresh', 'reuse-server': false },
      command,
      { toolVersion: this.toolVersion, command: 'coverage' },
    );
    for (const warning of prepared.warnings) this.talk(warning);
    const { signal } = this.interrupts();
    const run = { ...prepared.options, signal };
    if (!flags.quiet && process.stderr.isTTY) this.talk('Asking the server for its lists …');
    const surveyed = await this.interrupts().within(surveyServers(run));
    if (surveyed === undefined || signal.aborted) throw this.interrupted('Interrupted; nothing was counted.');
    const { offered, failed, clean } = surveyed;
    if (failed.length > 0)
      throw new McpcError('target', failed.join('\n'), {
        remedy: 'Is the command or the address right? "mcpc check" on it shows details.',
      });
    const uses = noUses();
    for (const one of run.cases) addWritten(uses, one);
    const coverage = coverageOf(uses, offered, 'files', clean);
    await writeCoverage(coverage, flags);
    if (flags.json) this.printJson(coverage);
    else this.print(coverageText(coverage, { quiet: flags.quiet, ...(flags['no-color'] ? { color: false } : {}) }));
    if (flags.write) {
      const [{ oneTarget }, { writeStarterSuite, missesCase }] = await Promise.all([
        import('../run/connect/override.ts'),
        import('../authoring/starter-suite/missing.ts'),
      ]);
      // {{fixture}} stays: the writer puts in a copy of its own.
      const target = oneTarget({ ...run, fixture: undefined });
      if (target === undefined)
        throw usageError(
          'The cases have several servers, or none: for which one to write is not clear.',
          'Name it: after "--", by --server or by --url.',
        );
      const written = await this.interrupts().within(
        writeStarterSuite({
          target,
          name: 'server',
          fixture: run.fixture,
          secrets: [...run.secrets],
          spec: run.spec,
          timing: {},
          toolVersion: this.toolVersion,
          signal,
          allowDestructive: false,
          only: ['tools', 'prompts', 'resources'],
          select: (attempt) => missesCase(coverage, attempt),
        }),
      );
      if (written === undefined || signal.aborted) throw this.interrupted('Interrupted; no cases were written.');
      const { checkOutput, writeOutput } = await import('../../files/output/output.ts');
      const folder = folderOf(run.suites[0]!);
      const files = written.files.map(({ name, text, cases }) => ({
        place: { path: join(folder, `missing-${name}`), what: 'the cases', replaces: 'nothing' as const, overwrite },
        text,
        cases,
      }));
      for (const { place } of files) checkOutput(place);
      for (const { place, text, cases } of files) {
        writeOutput(place, text);
        this.talk(`${visible(place.path)}: ${cases} ${cases === 1 ? 'case' : 'cases'}`);
      }
      if (files.length === 0) this.talk('No case is missing that could be written.');
    }
    if (flags.min === undefined || coverage.percentage >= flags.min) return exitCodes.compliant;
    this.talk(`coverage ${coverage.percentage}% is below ${flags.min}%`);
    return exitCodes.notCompliant;
  }
}

function folderOf(suite: string): string {
  return statSync(suite).isDirectory() ? suite : dirname(suite);
}
