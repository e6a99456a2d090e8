/** `mcpc trace import-mcp`: the same as `mcpc import`, with all names as flags. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../base.ts';
import { captureFlags, formatFlag, formatList } from '../support/flags/capture-flags.ts';
import { overwriteFlag } from '../support/flags/run-flags.ts';
import { runImport } from '../support/run-import.ts';

export default class TraceImportMcp extends BaseCommand {
  static override summary = 'Import a captured MCP session, with the episode named by flags.';

  static override description = `Reads ${formatList}, as import does. Nothing is written when anything is wrong with the capture.`;

  static override examples = [
    { description: 'A capture of the deprecated HTTP+SSE transport', command: '<%= config.bin %> trace import-mcp --input session.json --format http-sse --out-trace session.trace.jsonl' },
    { description: 'With names for an evaluation', command: '<%= config.bin %> trace import-mcp --input session.jsonl --format jsonrpc --out-trace run.trace.jsonl --episode-id run-7 --test-id weather --prompt "What is the weather?"' },
  ];

  static override flags = {
    input: Flags.string({ summary: 'The capture.', helpValue: 'FILE', required: true }),
    format: formatFlag('Format of the capture; found out when absent.'),
    'out-trace': Flags.string({ summary: 'File for the episode of tool calls.', helpValue: 'FILE', required: true }),
    'out-wire': Flags.string({ summary: 'File for a trace of mcpc, with headers, statuses and event ids.', helpValue: 'FILE' }),
    'episode-id': Flags.string({ summary: 'Name of the episode; by default that of the capture without its ending.', helpValue: 'NAME' }),
    'test-id': Flags.string({ summary: 'Name of the test that the episode belongs to.', helpValue: 'NAME' }),
    prompt: Flags.string({ summary: 'What the user asked for.', helpValue: 'TEXT' }),
    overwrite: overwriteFlag('Write also over files that mcpc did not write.'),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    const { flags } = await this.parse(TraceImportMcp);
    await runImport({ ...flags, file: flags.input, outTrace: flags['out-trace'], outWire: flags['out-wire'] }, { print: (text) => this.print(text), talk: (line) => this.talk(line) });
  }
}
