/** `mcpc trace validate`: whether a file is what it should be. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../support/base.ts';
import { formatFlag } from '../support/flags/capture-flags.ts';

export default class TraceValidate extends BaseCommand {
  static override summary = 'Check that traces and captures are well-formed and complete.';

  static override description =
    `Reads each file to its end. Does not judge the messages; "mcpc judge" does. The format of traces is published as rules/language/trace.schema.json.

Exit codes: 0 well-formed and complete, 1 truncated or incomplete, 2 not well-formed.`;

  static override examples = [
    'A trace, and a capture of another tool\n<%= config.bin %> trace validate session.trace.jsonl\n<%= config.bin %> trace validate session.har',
  ];

  static override strict = false;

  static override args = {
    file: Args.string({ description: 'Trace or capture; several may be named.', required: true }),
  };

  static override flags = {
    from: formatFlag('Format of the files, if they are captures of other tools; detected when absent.'),
    'strict-ids': Flags.boolean({ summary: 'Also reject objects with duplicate keys.' }),
  };

  protected async work(): Promise<number> {
    const { argv, flags } = await this.parse(TraceValidate);
    const { validateTrace } = await import('../../capture/convert-trace.ts');
    let worst = 0;
    for (const file of argv as string[]) {
      const { format, events, sessions, problems } = await validateTrace(file, {
        format: flags.from,
        strict: flags['strict-ids'],
      });
      this.print(
        `${file}: ${problems.length === 0 ? 'whole' : problems.join('; ')} (${format}, ${events} events, ${sessions} connection${sessions === 1 ? '' : 's'})\n`,
      );
      if (problems.length > 0) worst = 1;
    }
    return worst;
  }
}
