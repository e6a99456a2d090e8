/** `mcpc trace import-mcp`: the same as `mcpc import`, with all names as flags. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../support/base.ts';
import { watchDrafts } from '../support/watch-drafts.ts';
import { captureFlags, formatFlag, formatList } from '../support/flags/capture-flags.ts';
import { overwriteFlag } from '../support/flags/run-flags.ts';
import { runImport } from '../support/run-import.ts';

export default class TraceImportMcp extends BaseCommand {
  static override summary = 'The same as "mcpc import", with flags for the names in the episode.';

  static override description =
    `Reads ${formatList}, as import does. Nothing is written when anything is wrong with the capture.`;

  static override examples = [
    {
      description: 'A capture of the deprecated HTTP+SSE transport',
      command:
        '<%= config.bin %> trace import-mcp --input session.json --from http-sse --out-trace session.trace.jsonl',
    },
    {
      description: 'With names for an evaluation',
      command:
        '<%= config.bin %> trace import-mcp --input session.jsonl --from jsonrpc --out-trace run.trace.jsonl --episode-id run-7 --test-id weather --prompt "What is the weather?"',
    },
  ];

  static override flags = {
    input: Flags.string({ summary: 'The capture.', helpValue: 'FILE', required: true }),
    from: formatFlag('Format of the capture; detected when absent. The old name --format does the same.', ['format']),
    'out-trace': Flags.string({
      summary:
        'File for the episode: the tool calls of the conversation and their results, one JSON object a line, for evaluation tools.',
      helpValue: 'FILE',
      required: true,
    }),
    'out-mcpc-trace': Flags.string({
      summary:
        'File for an mcpc trace: everything in the capture, with headers, statuses and event ids. judge and trace read it. The old name --out-wire does the same.',
      helpValue: 'FILE',
      aliases: ['out-wire'],
    }),
    'episode-id': Flags.string({
      summary: 'Name of the episode. [default: the file name of the capture without extension]',
      helpValue: 'NAME',
    }),
    'test-id': Flags.string({ summary: 'Name of the test that the episode belongs to.', helpValue: 'NAME' }),
    prompt: Flags.string({ summary: 'The user prompt to record in the episode.', helpValue: 'TEXT' }),
    overwrite: overwriteFlag('Overwrite files that mcpc did not write.'),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    watchDrafts();
    const { flags } = await this.parse(TraceImportMcp);
    await runImport(
      { ...flags, file: flags.input, outTrace: flags['out-trace'], outWire: flags['out-mcpc-trace'] },
      { print: (text) => this.print(text), talk: (line) => this.talk(line) },
    );
  }
}
