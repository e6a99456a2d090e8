/** `mcpc watch`: runs suites again whenever they, their fixtures or their servers change. */
import { Args, Flags } from '@oclif/core';
import { resolve } from 'node:path';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { durationFlag } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import { plainRun, reachSuiteFlags } from './support/flags.ts';
import type { PreparedRun } from './support/run.ts';

export default class Watch extends BaseCommand {
  static override summary = 'Run suites again whenever they, their fixtures or their servers change.';

  static override description =
    `Runs all cases, then waits. When a suite or its snapshots change, its cases run again; when a fixture or a file of the server does, all of them. Files of a server are those of the same kind in the folder of the program that its command names (node dist/server.js: the scripts in dist). Cases whose result has changed since the last run come first, with the difference between the responses. A change during a run stops that run and starts a new one.

Keys: a runs all cases, f those that failed, p those whose name you type, u stores new responses in snapshots, q quits.

Exit codes: 130 ended by Ctrl-C; ended by q: 0 no case fails, 1 some do; 2 wrong usage, or suites that cannot be read at the start; 4 internal error in mcpc.`;

  static override usage = ['<%= command.id %> SUITE [FLAGS]', '<%= command.id %> SUITE [FLAGS] -- COMMAND [ARGS...]'];

  static override examples = [
    {
      description: 'Suites with files for their servers',
      command: '<%= config.bin %> watch evals --fixture evals/fixtures',
    },
    {
      description: 'Another build of the server, one process for all cases',
      command: '<%= config.bin %> watch evals --session suite -- node dist/server.js',
    },
    {
      description: 'Files on a disk without change notifications, such as a network drive',
      command: '<%= config.bin %> watch --suite evals --interval 2s',
    },
  ];

  static override args = {
    suite: Args.string({ description: 'File or folder of suites.', ignoreStdin: true, required: false }),
  };

  static override flags = {
    ...reachSuiteFlags,
    interval: durationFlag('interval', {
      summary: 'Poll for changes at this interval, such as 2s. [default: notifications of the file system]',
      helpGroup: 'WATCHING',
    }),
    'no-clear': Flags.boolean({ summary: 'Do not clear the terminal before each run.', helpGroup: 'WATCHING' }),
    json: Flags.boolean({ summary: 'Print a line of JSON for each run.', helpGroup: 'OUTPUT' }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags } = await this.parse(Watch, own);
    const [
      { prepareRun },
      { watchLoop },
      { keyHelp, readKeys },
      { showProgress },
      { runLine, runText },
      { parseArgsStringToArgv },
    ] = await Promise.all([
      import('./support/run.ts'),
      import('./support/watch/loop.ts'),
      import('./support/watch/keys.ts'),
      import('./support/output.ts'),
      import('../../report/suite/watched.ts'),
      import('string-argv'),
    ]);
    const { signal } = this.interrupts();
    const suites = [...(args.suite === undefined ? [] : [args.suite]), ...(flags.suite ?? [])];
    let progress = showProgress(0, flags);
    const clears = process.stdout.isTTY === true && !flags.json && !flags['no-clear'];
    let warned = '';
    return watchLoop({
      suites,
      fixture: flags.fixture === undefined ? undefined : resolve(flags.fixture),
      words:
        command.length > 0
          ? command
          : flags.config === undefined && flags.server !== undefined
            ? parseArgsStringToArgv(flags.server)
            : [],
      ...(flags.interval === undefined ? {} : { pollMs: Math.max(50, flags.interval) }),
      signal,
      prepare: async (filter) => {
        const prepared = await prepareRun(
          args.suite,
          { ...plainRun, ...flags, ...(filter === '' ? {} : { filter: [filter] }) },
          command,
          { toolVersion: this.toolVersion, command: 'watch' },
        );
        // Printed again when they change.
        const warnings = prepared.warnings.join('\n');
        if (warnings !== warned && warnings !== '') this.talk(warnings);
        warned = warnings;
        return prepared;
      },
      keys: (report) =>
        readKeys(process.stdin, (text) => void (process.stdin.isTTY === true && process.stderr.write(text)), report),
      update: (prepared, ended) => this.update(prepared, ended),
      begins: (why, cases) => {
        if (clears) process.stdout.write('\u001b[2J\u001b[3J\u001b[H');
        progress = showProgress(cases, flags);
        if (!flags.json && !flags.quiet) this.talk(`Running ${cases} ${cases === 1 ? 'case' : 'cases'}: ${why}`);
      },
      caseBegins: (name) => progress.begins(name),
      ended: (run) => {
        progress.wipe();
        if (flags.json) this.printData(runLine(run));
        else this.print(runText(run, { quiet: flags.quiet, ...(flags['no-color'] ? { color: false } : {}) }));
      },
      waits: () => {
        if (!flags.json)
          this.talk(`Watching; Ctrl-C ends it. ${process.stdin.isTTY === true ? keyHelp : ''}`.trimEnd());
      },
      talk: (line) => this.talk(line),
    });
  }

  /** Stores the answers of the cases with snapshots; returns a line about them. */
  private async update({ options, all }: PreparedRun, signal: AbortSignal): Promise<string> {
    const [{ takeSnapshots }, { hasSnapshots }] = await Promise.all([
      import('../run/take-snapshots.ts'),
      import('../run/snapshot/wanted.ts'),
    ]);
    const cases = options.cases.filter(hasSnapshots);
    if (cases.length === 0) return 'No case has snapshots; "mcpc snapshot --update" makes them.';
    const { counts } = await takeSnapshots({
      run: { ...options, cases, signal },
      all,
      update: true,
      prune: false,
      overwrite: false,
    });
    return `Snapshots: ${counts.new} new, ${counts.updated} updated, ${counts.match} as they were${counts.failed > 0 ? `, ${counts.failed} cases failed` : ''}.`;
  }
}
