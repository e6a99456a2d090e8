/** `mcpc trace diff`: what differs in the behaviour of two conversations. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../support/base.ts';
import { formatFlag } from '../support/flags/capture-flags.ts';
import { repeatedFlag, splitList } from '../support/flags/flag-values.ts';

export default class TraceDiff extends BaseCommand {
  static override summary = 'Compare the protocol behaviour in two traces or captures.';

  static override description =
    `Requests are paired with their responses and compared in order: outcome, results, errors, HTTP status, notifications. Ids, progress tokens, cursors, times, session ids and the order of independent notifications are ignored.

Exit codes: 0 no difference, 1 some, 2 wrong usage or unreadable files.`;

  static override examples = [
    {
      description: 'A new run against a good one',
      command: '<%= config.bin %> trace diff good.trace.jsonl new.trace.jsonl',
    },
    {
      description: 'Texts of tools may differ',
      command: `<%= config.bin %> trace diff good.jsonl new.jsonl --ignore 'tools/call/result/content/**'`,
    },
  ];

  static override args = {
    left: Args.string({ description: 'Reference trace or capture.', required: true }),
    right: Args.string({ description: 'Trace or capture to compare with it.', required: true }),
  };

  static override flags = {
    ignore: repeatedFlag({
      summary:
        'Ignore differences at paths that match this glob; paths read method/part/property. Repeats, or takes commas.',
      helpGroup: 'SELECTION',
      helpValue: "'*/result/_meta/**'",
    }),
    from: formatFlag('Format of the files, if they are captures of other tools; detected when absent.'),
    json: Flags.boolean({ summary: 'Print the differences as JSON.' }),
    'no-color': Flags.boolean({ summary: 'Disable colours; NO_COLOR in the environment does the same.' }),
  };

  protected async work(): Promise<number> {
    const { args, flags } = await this.parse(TraceDiff);
    const [{ compareFiles }, { differenceLines }] = await Promise.all([
      import('../../capture/compare.ts'),
      import('../support/difference-text.ts'),
    ]);
    const differences = await compareFiles(args.left, args.right, {
      left: { format: flags.from },
      right: { format: flags.from },
      ignore: splitList(flags.ignore),
    });
    if (flags.json) this.printJson(differences);
    else
      this.print(
        `${differenceLines(differences, args.left, args.right, flags['no-color'] ? false : undefined).join('\n')}\n`,
      );
    return differences.length === 0 ? 0 : 1;
  }
}
