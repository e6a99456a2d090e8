/** `mcpc generate`: a suite to start from, written from a live server. */
import { Args, Flags } from '@oclif/core';
import type { TargetFlagValues } from '../../check/commands/support/flags/target-flags.ts';
import { usageError } from '../../core/model/errors.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { formatFlag } from '../../check/commands/support/flags/capture-flags.ts';
import { overwriteFlag } from '../../check/commands/support/flags/run-flags.ts';
import { splitLine, withAddress } from '../../check/commands/support/flags/target-flags.ts';
import { leftOpen, starterFlags, writeRecordedStarter, writeStarter } from './support/starter.ts';

export default class Generate extends BaseCommand {
  static override summary = 'Write a suite to start from: what the server answers now.';

  static override description =
    `Starts or reaches the server, lists what it offers, and makes requests of each tool, prompt and resource: a valid one, one for each optional argument, and some whose arguments do not fit the schema. Each is sent three times, twice in one session and once in another: values that stayed the same are expected exactly, values that differed only by their type. The suite passes now. It fails when responses change; with mcpc.lock.json in its folder, "mcpc ci" also fails when the server lists anything else.

Only tools that "mcpc check" would call are called: those that say that they only read. The others get a case with skip and the reason.

With --recording no server is started or reached: the cases are the recorded requests and responses of a trace or capture (anything that "mcpc judge" reads), including calls that change something. A server that is named goes into the suite and is not called.`;

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
    '<%= command.id %> [FLAGS] --server "COMMAND"',
    '<%= command.id %> --recording FILE [FLAGS] [-- COMMAND [ARGS...]]',
  ];

  static override examples = [
    'A suite for a server on stdio, and its first run\n<%= config.bin %> generate --output evals -- node server.js\n<%= config.bin %> run evals',
    {
      description: 'A server that works on files, with a copy of a folder',
      command: '<%= config.bin %> generate --fixture fixtures -- node server.js "{{fixture}}"',
    },
    {
      description: 'Also call tools that change something',
      command: "<%= config.bin %> generate --allow-tool 'create_*' -- node server.js",
    },
    {
      description: 'Arguments from a hints file',
      command: '<%= config.bin %> generate --hints hints.yaml --url http://127.0.0.1:3000/mcp',
    },
    'From a recorded conversation\n<%= config.bin %> intercept --trace session.jsonl -- node server.js\n<%= config.bin %> generate --recording session.jsonl',
  ];

  static override args = {
    address: Args.string({
      description: 'Address of the endpoint, the same as --url. A command goes after "--".',
      ignoreStdin: true,
      required: false,
    }),
  };

  static override flags = {
    ...starterFlags,
    form: Flags.option({
      summary: 'Format of the suite: native, or assert: one file for each tool, which mcp-assert reads, too.',
      options: ['native', 'assert'] as const,
      default: 'native',
    })(),
    recording: Flags.string({
      summary: 'Write the cases from a trace or capture, without any server; see "mcpc judge" for the formats.',
      helpValue: 'FILE',
    }),
    from: formatFlag('Format of the recording, if it is a capture of another tool; detected when absent.'),
    output: Flags.string({
      summary: 'Folder of the suite; created if missing.',
      helpValue: 'DIR',
      char: 'o',
      default: 'evals',
    }),
    overwrite: overwriteFlag('Replace files of the suite that are there already.'),
  };

  protected async work(): Promise<void> {
    const { own, command } = splitLine(this.argv);
    const { flags: given, args } = await this.parse(Generate, own);
    const flags = withAddress(given, args.address);
    if (flags.recording !== undefined) {
      const odd = (
        ['hints', 'fixture', 'allow-tool', 'deny-tool', 'allow-destructive', 'include-writes'] as const
      ).find(
        (name) =>
          flags[name] !== undefined &&
          flags[name] !== false &&
          !(Array.isArray(flags[name]) && flags[name].length === 0),
      );
      if (odd !== undefined)
        throw usageError(`--${odd} has no meaning with --recording: no server is started.`, 'Leave it out.');
      if (flags.form === 'assert')
        throw usageError(
          'A recording cannot be written in the form of mcp-assert, which has no steps.',
          'Leave out --form.',
        );
      await this.writeRecorded(flags.recording, flags, command);
      return;
    }
    if (flags.from !== undefined)
      throw usageError('--from has no meaning without --recording.', 'Name the recording, or leave it out.');
    const written = await writeStarter(flags, command, {
      folder: flags.output,
      overwrite: flags.overwrite,
      form: flags.form,
      toolVersion: this.toolVersion,
      interrupts: this.interrupts(),
      talk: (line) => this.talk(line),
    });
    if (!flags.quiet)
      this.talk(
        `${leftOpen(written)}. Run it: mcpc run ${flags.output}${flags.fixture === undefined ? '' : ` --fixture ${flags.fixture}`}`,
      );
  }

  private async writeRecorded(
    file: string,
    flags: TargetFlagValues & {
      headers?: string | undefined;
      lock: boolean;
      from?: Parameters<typeof writeRecordedStarter>[1]['format'];
      output: string;
      overwrite: boolean;
      quiet: boolean;
    },
    command: string[],
  ): Promise<void> {
    const choice = {
      format: flags.from,
      transport: flags.transport,
      revision: flags.spec === 'auto' ? undefined : flags.spec,
    };
    await writeRecordedStarter(file, choice, flags, command, {
      folder: flags.output,
      overwrite: flags.overwrite,
      quiet: flags.quiet,
      talk: (line) => this.talk(line),
    });
  }
}
