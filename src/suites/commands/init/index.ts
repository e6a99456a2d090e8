/** `mcpc init`: a folder of suites to start from, by a template or from a live server with its snapshots. */
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { exitCodes, usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { overwriteFlag } from '../../../check/commands/support/flags/run-flags.ts';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';
import { leftOpen, starterFlags, writeStarter } from '../support/starter.ts';
import type { WrittenStarter } from '../support/starter.ts';
import type { NamedTarget } from '../support/project/drafts.ts';
import { shownFile } from '../support/project/shown-file.ts';
import { scriptName, workflowPath } from '../../authoring/project/names.ts';

interface ProjectFlags extends NamedTarget {
  'dry-run': boolean;
  package?: string | undefined;
  quiet: boolean;
}

/** Flags that a set-up takes; what others say about a server belongs into the project file. */
const projectFlags = ['project', 'dry-run', 'package', 'url', 'config', 'server', 'name', 'quiet'];

/** @throws McpcError usage */
function refuseForProject(given: readonly string[]): void {
  const other = given.find((flag) => !projectFlags.includes(flag));
  if (other === undefined) return;
  throw usageError(
    `--${other} has no meaning with --project.`,
    'Leave it out: a server that is started has the environment of mcpc. Or write mcpc.yaml first, with what the server needs (docs/fleet.md); --project goes by it.',
  );
}

export default class Init extends BaseCommand {
  static override summary =
    'Start a folder of suites: a template, or cases and snapshots of a live server; with --project all that CI needs.';

  static override description =
    `Without a server, writes an example case and a file that it uses. With one, writes what "mcpc generate" writes and stores the responses as "mcpc snapshot --update" does. With mcpc.lock.json in the folder, "mcpc ci" also fails when the server lists anything else. Only tools that certainly change nothing are called; the others get a case with skip and the reason. Existing files are kept unless --overwrite is given.

--project sets a project up. It finds the server (package.json, pyproject.toml, configurations of MCP clients in the folder; or the one that the line names), starts it, and writes what the folder lacks: mcpc.yaml, a suite, a baseline with what fails today, ${workflowPath}, the packed mcpc that the workflow installs (tools/), and the script ${scriptName} in package.json. Files that are there are never changed, but for package.json, which gets that script if it has none of that name. It asks nothing; --dry-run prints everything and writes nothing; a second run changes nothing.

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
    {
      description: 'What --project would write for the server in this folder',
      command: '<%= config.bin %> init --project --dry-run',
    },
    {
      description: 'The same for another server, and written',
      command: '<%= config.bin %> init --project -- node dist/server.js',
    },
    {
      description: 'With mcpc from a registry of your own',
      command: '<%= config.bin %> init --project --package @acme/mcpc@0.1.0',
    },
  ];

  static override args = {
    dir: Args.string({ description: 'Folder of the suites; created if missing.', default: 'evals' }),
  };

  static override flags = {
    ...starterFlags,
    overwrite: overwriteFlag('Replace files that are there already.'),
    project: Flags.boolean({
      summary: 'Set the project in this folder up: project file, suite, baseline, workflow, script.',
      helpGroup: 'PROJECT',
      exclusive: ['overwrite'],
    }),
    'dry-run': Flags.boolean({
      summary: 'Print what --project would write; the server is started, nothing is written.',
      helpGroup: 'PROJECT',
      dependsOn: ['project'],
    }),
    package: Flags.string({
      summary:
        'What the workflow installs mcpc from: a packed file, or name and version. [default: tools/mcpc-VERSION.tgz, which is written]',
      helpGroup: 'PROJECT',
      helpValue: 'FILE|NAME@VERSION',
      dependsOn: ['project'],
    }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags, raw } = await this.parse(Init, own);
    if (flags.project) {
      refuseForProject(raw.flatMap((token) => (token.type === 'flag' ? [token.flag] : [])));
      return this.setUpProject(args.dir, flags, command);
    }
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

  private async setUpProject(suites: string, flags: ProjectFlags, command: string[]): Promise<number> {
    const { planProject, projectExit, writeProject } = await import('../support/project/write-project.ts');
    const { signal, within } = this.interrupts();
    const folder = process.cwd();
    const talk = (line: string): void => {
      if (!flags.quiet) this.talk(line);
    };
    const done = await within(
      planProject(
        flags,
        command,
        { folder, suites, package: flags.package, toolVersion: this.toolVersion, signal, talk },
        (plan) => {
          for (const path of plan.kept) talk(`${path}: kept`);
          if (flags['dry-run']) for (const file of plan.files) this.print(shownFile(file));
          else writeProject(plan, folder);
          for (const { path } of plan.files)
            this.talk(`${path}${path === 'package.json' ? `: the script ${scriptName}` : ''}`);
          return plan;
        },
      ),
    );
    if (done === undefined) return exitCodes.interrupted;
    if (done.failed > 0) this.talk(`${done.failed} answers could not be stored; "mcpc snapshot ${suites}" says why.`);
    talk(
      flags['dry-run']
        ? `Nothing was written. ${done.files.length === 0 ? 'Everything is there.' : 'Without --dry-run these files are.'}`
        : done.files.length === 0
          ? 'Everything is there; nothing was changed.'
          : `Commit these. Next: mcpc check && mcpc ci${done.servers.length > 1 ? `, each with the name of a server (${done.servers.join(', ')})` : ''}`,
    );
    return projectExit(done);
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
    const [{ storeAnswers }, { snapshotLines }] = await Promise.all([
      import('../support/starter-answers.ts'),
      import('../../../report/suite/snapshots.ts'),
    ]);
    const { signal } = this.interrupts();
    const suite = written.files.map(({ name }) => join(folder, name));
    const { entries, counts, incomplete } = await storeAnswers(suite, written, {
      fixture,
      quiet,
      overwrite,
      toolVersion: this.toolVersion,
      signal,
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
