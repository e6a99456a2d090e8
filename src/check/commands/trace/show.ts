/** `mcpc trace show`: a conversation as a timeline. */
import { jsonWithoutCommands } from '../../../core/model/ci-logs.ts';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../support/base.ts';
import { captureFlags, formatFlag, wireChoice } from '../support/flags/capture-flags.ts';
import { repeatedFlag, splitList } from '../support/flags/flag-values.ts';

export default class TraceShow extends BaseCommand {
  static override summary = 'Show a trace or capture as a timeline.';

  static override description =
    'One line for each event: number, time, connection, direction, the message, the request it responds to and how long that took, its size. Errors are red.';

  static override examples = [
    { description: 'What was exchanged', command: '<%= config.bin %> trace show session.jsonl' },
    {
      description: 'Calls of tools with their bodies',
      command: '<%= config.bin %> trace show session.har --method tools/call --full',
    },
  ];

  static override args = { file: Args.string({ description: 'Trace of mcpc, or a capture.', required: true }) };

  static override flags = {
    from: formatFlag('Format of the file, if it is a capture of another tool; detected when absent.'),
    session: repeatedFlag({
      summary: 'Only these connections, by their number in the trace (s1, s2, …). Repeats, or takes commas.',
      helpGroup: 'SELECTION',
      helpValue: 's1',
    }),
    method: repeatedFlag({
      summary: 'Only requests and notifications with these methods, and their responses. Repeats.',
      helpGroup: 'SELECTION',
      helpValue: 'tools/call',
    }),
    messages: Flags.boolean({ summary: 'Only JSON-RPC messages.', helpGroup: 'SELECTION' }),
    full: Flags.boolean({ summary: 'Print each message in full below its line.' }),
    json: Flags.boolean({ summary: 'Print one JSON object per line instead.' }),
    'no-color': Flags.boolean({ summary: 'Disable colours; NO_COLOR in the environment does the same.' }),
    ...captureFlags,
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(TraceShow);
    const [{ openTrace }, { timelineOf }, { timelineLine }] = await Promise.all([
      import('../../capture/open-capture.ts'),
      import('../../reporting/timeline.ts'),
      import('../support/timeline-text.ts'),
    ]);
    const trace = await openTrace(args.file, wireChoice(flags));
    const sessions = splitList(flags.session);
    const methods = splitList(flags.method);
    const style = {
      color: flags['no-color'] ? false : undefined,
      full: flags.full,
      width: process.stdout.columns || 160,
      timed: trace.header.recorded === undefined || trace.header['clock'] === 'capture',
    };
    for await (const entry of timelineOf(trace.events)) {
      if (sessions.length > 0 && !sessions.includes(entry.session)) continue;
      if ((flags.messages || methods.length > 0) && entry.kind !== 'message') continue;
      if (methods.length > 0 && !methods.includes(methodOf(entry))) continue;
      if (flags.json) this.printData(`${jsonWithoutCommands(JSON.stringify(entry))}\n`);
      else this.print(timelineLine(entry, style));
    }
    for (const note of trace.notes()) this.talk(`Note: ${note}`);
  }
}

/** The method of a message, or of the request that it answers. */
function methodOf({ message, answers }: { message?: unknown; answers?: string }): string {
  const method = typeof message === 'object' && message !== null ? (message as { method?: unknown }).method : undefined;
  return typeof method === 'string' ? method : (answers?.split(' ')[0] ?? '');
}
