/** `mcpc generate`: a suite to start from, written from a live server. */
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { usageError } from '../model/errors.ts';
import { visible } from '../report/text.ts';
import { BaseCommand } from './base.ts';
import { overwriteFlag } from './support/flags/run-flags.ts';
import { splitLine, targetFlags, targetOptions, withAddress } from './support/flags/target-flags.ts';
import { toolConsent, toolFlags } from './support/flags/tool-flags.ts';

const { serve: _serve, ...reachedFlags } = targetFlags;
const { plan: _plan, ...consentFlags } = toolFlags;

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
    ...reachedFlags,
    ...consentFlags,
    'include-writes': Flags.boolean({ summary: 'The same as --allow-destructive.', helpGroup: 'TOOLS' }),
    hints: Flags.string({ summary: 'What the tools want as arguments, and which may be called; docs/hints.md.', helpGroup: 'TOOLS', helpValue: 'hints.yaml' }),
    output: Flags.string({ summary: 'Folder of the suite; made when it is not there.', helpValue: 'DIR', char: 'o', default: 'evals' }),
    overwrite: overwriteFlag('Replace files of the suite that are there already.'),
    quiet: Flags.boolean({ summary: 'Say nothing but what was written.', char: 'q' }),
  };

  protected async work(): Promise<void> {
    const { own, command } = splitLine(this.argv);
    const { flags: given, args } = await this.parse(Generate, own);
    const flags = withAddress(given, args.address);
    const { hintsFile, notices = [], ...target } = await targetOptions(flags, command);
    for (const line of notices) this.talk(visible(line));
    const [{ starterFiles, writeStarterSuite }, { checkOutput, writeOutput }, { readHints }] = await Promise.all([import('../authoring/starter-suite/starter-suite.ts'), import('../files/output.ts'), import('../target/hints-file.ts')]);
    const place = (name: string) => ({ path: join(flags.output, name), what: 'the suite', replaces: 'nothing' as const, overwrite: flags.overwrite });
    for (const name of starterFiles) checkOutput(place(`${name}.yaml`));
    const hints = flags.hints ?? hintsFile;
    const consent = toolConsent(flags);
    const { signal } = this.interrupts();
    const written = await this.interrupts().within(
      writeStarterSuite({
        ...target,
        ...consent,
        allowDestructive: consent.allowDestructive || flags['include-writes'],
        ...(hints === undefined ? {} : { hints: readHints(hints) }),
        toolVersion: this.toolVersion,
        signal,
        onSession: (session, requests) => {
          if (!flags.quiet) this.talk(`Session ${session} of 2: ${session === 1 ? requests * 2 : requests} requests …`);
        },
      }),
    );
    if (written === undefined) throw this.interrupted('Interrupted; nothing was written.');
    if (written.files.length === 0) throw usageError('The server lists no tools, prompts or resources: there is nothing to write a case for.', 'Write one by hand; docs/suites.md describes suites.');
    for (const { name, text, cases } of written.files) {
      writeOutput(place(name), text);
      this.talk(`${join(flags.output, name)}: ${cases} ${cases === 1 ? 'case' : 'cases'}`);
    }
    if (written.skipped.length > 0 && !flags.quiet) {
      this.talk(`Not called, and written with skip: ${written.skipped.map(({ name }) => visible(name)).join(', ')}. --allow-tool NAME, --allow-destructive or a file of hints has them called.`);
    }
    if (!flags.quiet) this.talk(`${written.open === 0 ? 'Nothing is left to fill in' : `${written.open} ${written.open === 1 ? 'place says' : 'places say'} TODO`}. Run it: mcpc run ${flags.output}`);
  }
}
