/** `mcpc import`: a capture of another tool as an episode of tool calls, and as a trace of mcpc. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from './base.ts';
import { captureFlags, formatFlag, formatList } from './support/flags/capture-flags.ts';
import { overwriteFlag } from './support/flags/run-flags.ts';
import { runImport, stemOf } from './support/run-import.ts';

export default class Import extends BaseCommand {
  static override summary = 'Import a captured MCP session.';

  static override description = `Reads ${formatList} (also sse-legacy for http-sse), plain or gzip, and writes a normalised episode of tool calls (--out-trace), or everything that the capture tells as a trace of mcpc (--out-wire), which judge and trace read. Without either, the episode goes beside the capture as NAME.trace.jsonl. Secrets are taken out.

Nothing is written when anything is wrong with the capture. Exit codes: 0 imported, 2 wrong usage or a capture that cannot be read.`;

  static override examples = [
    { description: 'An episode from a capture of Streamable HTTP', command: '<%= config.bin %> import session.json --format streamable-http --out-trace session.trace.jsonl' },
    { description: 'Everything that the capture tells, to look at and to judge', command: '<%= config.bin %> import session.har --out-wire session.wire.jsonl\n<%= config.bin %> trace show session.wire.jsonl' },
    { description: 'Start an evaluation file from the tools that were called', command: '<%= config.bin %> import session.jsonl --format jsonrpc --init' },
  ];

  static override args = { file: Args.string({ description: 'The capture.', required: true }) };

  static override flags = {
    format: formatFlag('Format of the capture; found out when absent.'),
    'out-trace': Flags.string({ summary: 'File for the episode of tool calls.', helpValue: 'FILE' }),
    'out-wire': Flags.string({ summary: 'File for a trace of mcpc, with headers, statuses and event ids.', helpValue: 'FILE' }),
    overwrite: overwriteFlag('Write also over files that mcpc did not write.'),
    init: Flags.boolean({ summary: 'Also write mcp-eval.yaml, with gates over the tools that were called.' }),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(Import);
    const neither = flags['out-trace'] === undefined && flags['out-wire'] === undefined;
    const outTrace = neither ? `${stemOf(args.file, true)}.trace.jsonl` : flags['out-trace'];
    await runImport({ ...flags, file: args.file, outTrace, outWire: flags['out-wire'] }, { print: (text) => this.print(text), talk: (line) => this.talk(line) });
  }
}
