/** `mcpc import`: a capture of another tool as an episode of tool calls, and as a trace of mcpc. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from './support/base.ts';
import { watchDrafts } from './support/watch-drafts.ts';
import { captureFlags, formatFlag, formatList } from './support/flags/capture-flags.ts';
import { overwriteFlag } from './support/flags/run-flags.ts';
import { runImport, stemOf } from './support/run-import.ts';

export default class Import extends BaseCommand {
  static override summary =
    'Convert a capture of another tool to an mcpc trace, or to a list of its tool calls (an episode).';

  static override description =
    `Reads ${formatList} (also sse-legacy for http-sse), plain or gzip, and writes an episode (--out-trace): the tool calls and their results, for evaluation tools; or an mcpc trace (--out-mcpc-trace): everything in the capture, for "mcpc judge" and "mcpc trace". Without either flag it writes the episode to NAME.trace.jsonl next to the capture. Secrets are redacted.

Nothing is written when anything is wrong with the capture. Exit codes: 0 imported, 2 wrong usage or a capture that cannot be read.`;

  static override examples = [
    {
      description: 'An episode from a capture of Streamable HTTP',
      command: '<%= config.bin %> import session.json --from streamable-http --out-trace session.trace.jsonl',
    },
    'Everything in the capture, to look at and to judge\n<%= config.bin %> import session.har --out-mcpc-trace session.mcpc.jsonl\n<%= config.bin %> trace show session.mcpc.jsonl',
    {
      description: 'Start an evaluation file from the tools that were called',
      command: '<%= config.bin %> import session.jsonl --from jsonrpc --init',
    },
  ];

  static override args = { file: Args.string({ description: 'The capture.', required: true }) };

  static override flags = {
    from: formatFlag('Format of the capture; detected when absent. The old name --format does the same.', ['format']),
    'out-trace': Flags.string({
      summary:
        'File for the episode: the tool calls of the conversation and their results, one JSON object a line, for evaluation tools.',
      helpValue: 'FILE',
    }),
    'out-mcpc-trace': Flags.string({
      summary:
        'File for an mcpc trace: everything in the capture, with headers, statuses and event ids. judge and trace read it. The old name --out-wire does the same.',
      helpValue: 'FILE',
      aliases: ['out-wire'],
    }),
    overwrite: overwriteFlag('Overwrite files that mcpc did not write.'),
    init: Flags.boolean({ summary: 'Also write mcp-eval.yaml: assertions about the tools that were called, to edit.' }),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    watchDrafts();
    const { args, flags } = await this.parse(Import);
    const neither = flags['out-trace'] === undefined && flags['out-mcpc-trace'] === undefined;
    const outTrace = neither ? `${stemOf(args.file, true)}.trace.jsonl` : flags['out-trace'];
    await runImport(
      { ...flags, file: args.file, outTrace, outWire: flags['out-mcpc-trace'] },
      { print: (text) => this.print(text), talk: (line) => this.talk(line) },
    );
  }
}
