/** `mcpc init`: a folder of suites to start from, by a template or from a live server with its snapshots. */
import { join } from 'node:path';
import { Args } from '@oclif/core';
import { exitCodes } from '../../../core/model/errors.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { overwriteFlag } from '../../../check/commands/support/flags/run-flags.ts';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';
import { plainRun } from '../support/flags.ts';
import { leftOpen, starterFlags, writeStarter } from '../support/starter.ts';
import type { WrittenStarter } from '../support/starter.ts';

export default class Init extends BaseCommand {
  static override summary = 'Start a folder of suites: a template, or cases and snapshots of a live server.';

  static override description =
    `Without a server, writes an example case and a file that it uses. With one, writes what "mcpc generate" writes and stores the responses as "mcpc snapshot --update" does. With mcpc.lock.json in the folder, "mcpc ci" also fails when the server lists anything else. Only tools that certainly change nothing are called; the others get a case with skip and the reason. Existing files are kept unless --overwrite is given.

Exit codes: 0 written, 1 written, but some responses could not be stored, 2 wrong usage, or a file exists already, 3 server not reachable or not speaking MCP, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = [
    '<%= command.id %> [DIR] [FLAGS]',
    '<%= command.id %> [DIR] [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [DIR] --server "COMMAND"',
  ];

  static override examples = [
    { description: 'A template', command: '<%= config.bin %> init' },
    { description: 'Cases and snapshots of a server', command: '<%= config.bin %> init evals -- node server.js' },
    {
      description: 'The same, with the flag that mcp-assert has',
      command: '<%= config.bin %> init evals --server "node server.js"',
    },
  ];

  static override args = {
    dir: Args.string({ description: 'Folder of the suites; created if missing.', default: 'evals' }),
  };

  static override flags = {
    ...starterFlags,
    overwrite: overwriteFlag('Replace files that are there already.'),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags } = await this.parse(Init, own);
    if (command.length === 0 && flags.url === undefined && flags.config === undefined && flags.server === undefined)
      return this.writeTemplate(args.dir, flags);
    const written = await writeStarter(flags, command, {
      folder: args.dir,
      overwrite: flags.overwrite,
      toolVersion: this.toolVersion,
      interrupts: this.interrupts(),
      talk: (line) => this.talk(line),
    });
    return this.store(args.dir, written, flags);
  }

  private async writeTemplate(
    folder: string,
    { overwrite, quiet }: { overwrite: boolean; quiet: boolean },
  ): Promise<number> {
    const [{ templateFiles }, { checkOutput, writeOutput }] = await Promise.all([
      import('../../authoring/starter-suite/template.ts'),
      import('../../../files/output/output.ts'),
    ]);
    const files = Object.entries(templateFiles).map(([name, text]) => ({
      text: text.replaceAll('FOLDER', folder),
      place: { path: join(folder, name), what: 'the suite', replaces: 'nothing' as const, overwrite },
    }));
    for (const { place } of files) checkOutput(place);
    for (const { place, text } of files) {
      writeOutput(place, text);
      this.talk(place.path);
    }
    if (!quiet) this.talk(`Name your server in it, then: mcpc run ${folder} --fixture ${join(folder, 'fixtures')}`);
    return exitCodes.compliant;
  }

  /** Stores what the server that was just asked answers to each case. */
  private async store(
    folder: string,
    written: WrittenStarter,
    { quiet, overwrite, fixture }: { quiet: boolean; overwrite: boolean; fixture?: string | undefined },
  ): Promise<number> {
    const [{ prepareRun }, { takeSnapshots }, { snapshotLines }] = await Promise.all([
      import('../support/run.ts'),
      import('../../run/take-snapshots.ts'),
      import('../../../report/suite/snapshots.ts'),
    ]);
    const suite = written.files.map(({ name }) => join(folder, name));
    const { signal } = this.interrupts();
    const prepared = await prepareRun(
      undefined,
      {
        ...plainRun,
        suite,
        fixture,
        session: 'suite',
        'reuse-server': false,
        spec: 'auto',
        recursive: false,
        strict: false,
        'no-commands': false,
        quiet,
        'no-color': false,
        insecure: false,
        'no-proxy': false,
      },
      [],
      { toolVersion: this.toolVersion, command: 'init' },
    );
    const { entries, counts, incomplete } = await takeSnapshots({
      // Variables in the files are known here.
      run: { ...prepared.options, override: { target: written.target }, secrets: written.secrets, signal },
      all: prepared.all,
      update: true,
      prune: false,
      overwrite,
    });
    if (signal.aborted) return exitCodes.interrupted;
    const failed = entries.filter(({ status }) => status === 'failed');
    if (failed.length > 0) this.talk(snapshotLines(failed, {}).trimEnd());
    this.talk(`${counts.new + counts.updated + counts.match} answers are stored next to the suites.`);
    const files = fixture === undefined ? '' : ` --fixture ${fixture}`;
    if (!quiet)
      this.talk(
        [
          `${leftOpen(written)}. Next:`,
          `  mcpc run ${folder}${files}                  judge the cases`,
          `  mcpc snapshot ${folder}${files}             show which answers have changed`,
          `  mcpc ci ${folder}${files} --threshold 95    the same as a gate`,
          `  mcpc watch ${folder}${files}                again, whenever something changes`,
        ].join('\n'),
      );
    return counts.failed > 0 || incomplete !== null ? exitCodes.notCompliant : exitCodes.compliant;
  }
}
