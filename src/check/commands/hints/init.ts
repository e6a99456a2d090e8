/** `mcpc hints init`: hints about a server to start from. */
import { Args, Flags } from '@oclif/core';
import { visible } from '../../../report/text.ts';
import { BaseCommand } from '../support/base.ts';
import { overwriteFlag } from '../support/flags/run-flags.ts';
import { splitLine, targetFlags, targetOptions, withAddress } from '../support/flags/target-flags.ts';

export default class HintsInit extends BaseCommand {
  static override aliases = ['rules:hints'];

  static override summary = 'Write a hints file for a server: tool arguments and the like, to edit.';

  static override description =
    'Starts or reaches the server as "mcpc check" does, lists its tools, prompts and resources, and prints as YAML what a check would do with them: arguments of each tool, which tools it takes for slow or failing, and so on. Places to fill in say TODO. No tool is called. docs/hints.md describes the file.';

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL [--serve COMMAND]',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    {
      description: 'Hints for a server on stdio',
      command: '<%= config.bin %> hints init -- node server.js > hints.yaml',
    },
    {
      description: 'Into a file that must not exist yet',
      command: '<%= config.bin %> hints init --output hints.yaml --url http://127.0.0.1:3000/mcp',
    },
  ];

  static override args = {
    address: Args.string({
      description: 'Address of the endpoint, the same as --url. A command goes after "--".',
      ignoreStdin: true,
      required: false,
    }),
  };

  static override flags = {
    ...targetFlags,
    output: Flags.string({
      summary: 'File to write; an existing file is kept unless --overwrite is given.',
      helpValue: 'hints.yaml',
      char: 'o',
    }),
    overwrite: overwriteFlag('Replace the file.'),
    verbose: Flags.boolean({ summary: 'Show the stderr of the target.' }),
  };

  protected async work(): Promise<void> {
    const { own, command } = splitLine(this.argv);
    const { flags: given, args } = await this.parse(HintsInit, own);
    const flags = withAddress(given, args.address);
    const { hintsFile: _hints, notices = [], ...target } = await targetOptions(flags, command);
    for (const line of notices) this.talk(visible(line));
    const [{ writeStarterHints }, { checkOutput, writeOutput }] = await Promise.all([
      import('../../authoring/starter-hints.ts'),
      import('../../../files/output/output.ts'),
    ]);
    const place =
      flags.output === undefined
        ? undefined
        : { path: flags.output, what: 'the hints', replaces: 'nothing' as const, overwrite: flags.overwrite };
    if (place) checkOutput(place);
    const written = await this.interrupts().within(
      writeStarterHints({
        ...target,
        toolVersion: this.toolVersion,
        signal: this.interrupts().signal,
        onStderr: (line) => {
          this.rememberStderr(line);
          if (flags.verbose) this.talk(visible(line));
        },
      }),
    );
    if (written === undefined) throw this.interrupted('Interrupted; nothing was written.');
    const { yaml, open } = written;
    if (place) writeOutput(place, yaml);
    else this.print(yaml);
    this.talk(open === 0 ? 'Nothing is left to fill in.' : `${open} ${open === 1 ? 'place says' : 'places say'} TODO.`);
  }
}
