/** `mcpc snapshot`: stores what the steps of suites answer, and compares with it. */
import { Args, Flags } from '@oclif/core';
import { exitCodes } from '../../core/model/errors.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import { plainRun, reachSuiteFlags } from './support/flags.ts';

export default class Snapshot extends BaseCommand {
  static override summary = 'Store the responses that cases of suites get, and show what changed.';

  static override description =
    `Runs the cases of suites and compares each response with the snapshot file next to the suite (tools.yaml.snap for tools.yaml). The expectations of the cases are not judged here. Snapshots leave out times, ids, hashes, ports, durations, local paths, secrets, and whatever a case lists under volatile.

Exit codes: 0 everything is as stored, or was stored; 1 a response differs or is not stored, a case could not run, or no case was chosen; 2 wrong usage or suite file; 4 internal error in mcpc; 130 interrupted.`;

  static override usage = ['<%= command.id %> SUITE [FLAGS]', '<%= command.id %> SUITE [FLAGS] -- COMMAND [ARGS...]'];

  static override examples = [
    { description: 'Store the responses of today', command: '<%= config.bin %> snapshot evals --update' },
    { description: 'Show what has changed since', command: '<%= config.bin %> snapshot evals' },
    {
      description: 'The same for another build of the server',
      command: '<%= config.bin %> snapshot --suite evals -- node dist/server.js',
    },
    { description: 'Remove what no case has any more', command: '<%= config.bin %> snapshot evals --prune' },
  ];

  static override args = {
    suite: Args.string({ description: 'File or folder of suites.', ignoreStdin: true, required: false }),
  };

  static override flags = {
    ...reachSuiteFlags,
    update: Flags.boolean({ char: 'u', summary: 'Store new and changed responses.', helpGroup: 'SNAPSHOTS' }),
    prune: Flags.boolean({
      summary: 'Remove stored responses that no step of the suites gets any more.',
      helpGroup: 'SNAPSHOTS',
    }),
    overwrite: Flags.boolean({
      summary: 'Replace a file of snapshots that mcpc did not write, or cannot read.',
      helpGroup: 'SNAPSHOTS',
    }),
    json: Flags.boolean({ summary: 'Print the result as JSON.', helpGroup: 'OUTPUT' }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags } = await this.parse(Snapshot, own);
    const [{ prepareRun }, { takeSnapshots }, { snapshotLines, snapshotSummary }, { showProgress }] = await Promise.all(
      [
        import('./support/run.ts'),
        import('../run/take-snapshots.ts'),
        import('../../report/suite/snapshots.ts'),
        import('./support/output.ts'),
      ],
    );
    const prepared = await prepareRun(args.suite, { ...plainRun, ...flags }, command, {
      toolVersion: this.toolVersion,
      command: 'snapshot',
    });
    for (const warning of prepared.warnings) this.talk(warning);
    const { signal } = this.interrupts();
    const options = { quiet: flags.quiet, ...(flags['no-color'] ? { color: false } : {}) };
    const progress = showProgress(prepared.options.cases.length, flags);
    const report = await takeSnapshots({
      run: { ...prepared.options, signal, onBegin: ({ name }) => progress.begins(name) },
      all: prepared.all,
      update: flags.update,
      prune: flags.prune,
      overwrite: flags.overwrite,
      onEntries: (entries) => {
        progress.wipe();
        if (!flags.json)
          this.print(
            snapshotLines(flags.update ? entries.filter(({ status }) => status !== 'match') : entries, options),
          );
      },
    });
    progress.wipe();
    for (const notice of report.notices) this.talk(notice);
    if (flags.json) this.printJson(report);
    else this.print(snapshotSummary(report, options));
    const { changed, missing, failed } = report.counts;
    if (signal.aborted) return exitCodes.interrupted;
    if (prepared.options.cases.length === 0) this.talk('No case was chosen.');
    return changed + missing + failed > 0 || report.incomplete !== null || prepared.options.cases.length === 0
      ? exitCodes.notCompliant
      : exitCodes.compliant;
  }
}
