/** `mcpc generate`: a suite to start from, written from a live server. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from './base.ts';
import { overwriteFlag } from './support/flags/run-flags.ts';
import { splitLine, withAddress } from './support/flags/target-flags.ts';
import { leftOpen, starterFlags, writeStarter } from './support/suite/starter.ts';

export default class Generate extends BaseCommand {
  static override summary = 'Write a suite to start from: what the server answers now.';

  static override description = `Starts or reaches the server, lists what it offers, and makes requests of each tool, prompt and resource: a valid one, one for each optional argument, and some whose arguments do not fit. Each is made three times, twice in one session and once in another; what stayed the same is expected as it stands, what differed by its type. The suite passes as it is written, and fails when the server changes.

Called are the tools that "mcpc check" calls: those that say that they only read. The others are written down with skip and the reason.`;

  static override usage = ['generate [FLAGS] -- COMMAND [ARGS...]', 'generate [FLAGS] --url URL', 'generate [FLAGS] --config FILE [--server NAME]'];

  static override examples = [
    { description: 'A suite for a server on stdio, and its first run', command: '<%= config.bin %> generate --output evals -- node server.js\n<%= config.bin %> run evals' },
    { description: 'Let a tool be called that changes something', command: "<%= config.bin %> generate --allow-tool 'create_*' -- node server.js" },
    { description: 'Arguments from a file of hints', command: '<%= config.bin %> generate --hints hints.yaml --url http://127.0.0.1:3000/mcp' },
  ];

  static override args = { address: Args.string({ description: 'Address of the endpoint, the same as --url. A command stands behind "--".', required: false }) };

  static override flags = {
    ...starterFlags,
    form: Flags.option({ summary: 'Form of the files: native, or assert for one file for each tool that mcp-assert reads too.', options: ['native', 'assert'] as const, default: 'native' })(),
    output: Flags.string({ summary: 'Folder of the suite; made when it is not there.', helpValue: 'DIR', char: 'o', default: 'evals' }),
    overwrite: overwriteFlag('Replace files of the suite that are there already.'),
  };

  protected async work(): Promise<void> {
    const { own, command } = splitLine(this.argv);
    const { flags: given, args } = await this.parse(Generate, own);
    const flags = withAddress(given, args.address);
    const written = await writeStarter(flags, command, { folder: flags.output, overwrite: flags.overwrite, form: flags.form, toolVersion: this.toolVersion, interrupts: this.interrupts(), talk: (line) => this.talk(line) });
    if (!flags.quiet) this.talk(`${leftOpen(written)}. Run it: mcpc run ${flags.output}`);
  }
}
