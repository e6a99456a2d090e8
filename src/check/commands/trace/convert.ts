/** `mcpc trace convert`: the messages of a trace or capture in another format. */
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../support/base.ts';
import { watchDrafts } from '../support/watch-drafts.ts';
import { captureFlags, formatFlag, wireChoice } from '../support/flags/capture-flags.ts';
import { overwriteFlag } from '../support/flags/run-flags.ts';
import { runImport } from '../support/run-import.ts';

export default class TraceConvert extends BaseCommand {
  static override summary = 'Write a trace or capture in another format.';

  static override description =
    `Information that the other format cannot hold is dropped: times in jsonrpc, exchanges and statuses in all but mcpc, everything but tool calls in episode. Only mcpc holds several connections: of a trace that has more, --session names the one to write.`;

  static override examples = [
    {
      description: 'JSON-RPC lines of a trace',
      command: '<%= config.bin %> trace convert session.trace.jsonl --to jsonrpc --output session.jsonl',
    },
    {
      description: 'One connection of several',
      command: '<%= config.bin %> trace convert run.trace.jsonl --to inspector --session s2 --output s2.json',
    },
    {
      description: 'A trace of a capture',
      command: '<%= config.bin %> trace convert session.har --to mcpc --output session.trace.jsonl',
    },
  ];

  static override args = { file: Args.string({ description: 'Trace of mcpc, or a capture.', required: true }) };

  static override flags = {
    to: Flags.option({
      summary:
        'Format to write: mcpc is a trace, episode the tool calls for evaluation tools, the others are formats of captures (docs/import.md).',
      options: ['mcpc', 'episode', 'jsonrpc', 'inspector', 'streamable-http', 'http-sse'] as const,
      required: true,
    })(),
    output: Flags.string({ summary: 'File to write.', helpValue: 'FILE', char: 'o', required: true }),
    session: Flags.string({ summary: 'Only this connection (see mcpc trace show).', helpValue: 'NAME' }),
    overwrite: overwriteFlag('Overwrite a file that mcpc did not write.'),
    from: formatFlag('Format of the file, if it is a capture of another tool; detected when absent.'),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    watchDrafts();
    const { args, flags } = await this.parse(TraceConvert);
    const printer = { print: (text: string) => this.print(text), talk: (line: string) => this.talk(line) };
    if (flags.to === 'episode' && flags.session !== undefined)
      throw usageError('An episode is made of all connections of a capture.', 'Leave --session out.');
    if (flags.to === 'episode') return runImport({ ...flags, file: args.file, outTrace: flags.output }, printer);
    const { convertTrace } = await import('../../capture/convert-trace.ts');
    if (flags['keep-secrets']) this.talk('Secrets of the capture are written as they are (--keep-secrets).');
    const choice = { ...wireChoice(flags), overwrite: flags.overwrite, session: flags.session };
    const count = await convertTrace(args.file, flags.to, flags.output, choice);
    this.print(`Wrote ${count} events to ${flags.output} (${flags.to}).\n`);
  }
}
