/** `mcpc fleet diff`: what two runs over a fleet have not in common. */
import { reportForLog } from '../../../core/model/ci-logs.ts';
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { numberFlag } from '../../../check/commands/support/flags/flag-values.ts';

const formats = ['terminal', 'markdown', 'json'] as const;

export default class FleetDiffCommand extends BaseCommand {
  static override aliases = ['factory:diff'];

  static override summary = 'Compare two runs over a fleet.';

  static override description =
    `Lists regressions (rules that fail now and did not before), servers that can no longer be checked, fixes, rules that only the newer rule set has, and changed scores. A regression counts when it costs compliance and is not in a baseline; a lost server counts, too.

Exit codes: 0 no regression that counts, 1 some, 2 wrong usage or unreadable runs.`;

  static override examples = [
    {
      description: 'Last night against the night before',
      command: '<%= config.bin %> fleet diff mcpc-fleet/20261121T051500Z mcpc-fleet/20261122T051500Z',
    },
    {
      description: 'For the summary of a GitHub job',
      command: '<%= config.bin %> fleet diff main.json branch.json --format markdown >> "$GITHUB_STEP_SUMMARY"',
    },
  ];

  static override args = {
    old: Args.string({ description: 'Folder of the older run, or its fleet.json.', required: true }),
    new: Args.string({ description: 'The newer one.', required: true }),
  };

  static override flags = {
    format: Flags.option({ summary: 'Output format.', options: formats, char: 'f', helpGroup: 'OUTPUT' })(),
    json: Flags.boolean({
      summary: 'Print the comparison as JSON (short for --format json).',
      helpGroup: 'OUTPUT',
      exclusive: ['format'],
    }),
    'no-color': Flags.boolean({
      summary: 'Disable colours; NO_COLOR in the environment does the same.',
      helpGroup: 'OUTPUT',
    }),
    'max-regressions': numberFlag('max-regressions', {
      summary: 'Exit with 1 when there are more than N regressions. [default: 0]',
      helpGroup: 'GATE',
      helpValue: 'N',
      min: 0,
      max: 1_000_000,
      whole: true,
    }),
  };

  protected async work(): Promise<number> {
    const { args, flags } = await this.parse(FleetDiffCommand);
    const [{ compareRuns, openFleetRun }, { renderFleetDiff }, { validateFleetReport }] = await Promise.all([
      import('../../compare/open-run.ts'),
      import('../../../report/fleet/render.ts'),
      import('../../../report/fleet/validate-fleet.ts'),
    ]);
    const [older, newer] = await Promise.all([openFleetRun(args.old), openFleetRun(args.new)]);
    if (older.file === newer.file)
      throw usageError('Both names are those of the same run.', 'Name an older run and a newer one.');
    const diff = compareRuns(
      validateFleetReport(older.report, older.file),
      validateFleetReport(newer.report, newer.file),
    );
    const format = flags.json ? 'json' : (flags.format ?? 'terminal');
    if (format === 'json') this.printJson(diff);
    else this.printData(reportForLog(renderFleetDiff(diff, format, flags['no-color'] ? { color: false } : {}), format));
    return diff.worse > (flags['max-regressions'] ?? 0) ? 1 : 0;
  }
}
