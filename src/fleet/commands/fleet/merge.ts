/** `mcpc fleet merge`: several runs as one. */
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { concludeFleet } from '../support/conclude.ts';
import { fleetGateFlags, fleetOutputFlags } from '../support/run-flags.ts';

export default class FleetMerge extends BaseCommand {
  static override aliases = ['factory:merge'];

  static override summary = 'Join runs of a fleet, such as the shares of a CI matrix, into one.';

  static override description =
    `Copies the reports and traces of several run directories into a new one, with the journal, fleet.json and dashboard of a single run. Runs that were judged by different rules, and different servers of one name, are rejected unless --mixed is given. For a server that is in several runs, a result with a verdict wins over one without, then the later one over the earlier.

Exit codes: as for "mcpc fleet check".`;

  static override examples = [
    {
      description: 'The shares of a matrix',
      command: '<%= config.bin %> fleet merge shard-1 shard-2 shard-3 shard-4 --out merged',
    },
  ];

  static override usage = ['<%= command.id %> RUN RUN... --out DIR'];
  static override strict = false;
  static override args = { run: Args.string({ description: 'Folders of the runs.', required: true }) };

  static override flags = {
    out: Flags.string({ summary: 'Directory for the merged run.', helpGroup: 'RUN', helpValue: 'DIR', required: true }),
    mixed: Flags.boolean({ summary: 'Also merge runs that used different rule sets.', helpGroup: 'RUN' }),
    ...fleetGateFlags,
    ...fleetOutputFlags,
  };

  protected async work(): Promise<number> {
    const { flags, argv, raw } = await this.parse(FleetMerge);
    const runs = argv as string[];
    const stray = runs.find((one) => one.startsWith('-'));
    if (stray !== undefined) throw usageError(`Unknown flag ${stray}.`, 'Add --help to see all flags.');
    const [{ planFleetSinks }, { readOutcomeWish }, { mergeFleetRuns }] = await Promise.all([
      import('../support/sinks.ts'),
      import('../../compare/outcome.ts'),
      import('../../compare/merge-runs.ts'),
    ]);
    const sinks = planFleetSinks(raw, flags.json, { overwrite: flags.overwrite });
    const wish = {
      since: flags.since,
      minGrade: flags['min-grade']?.toUpperCase(),
      minScore: flags['min-score'],
      maxRegressions: flags['max-regressions'],
    };
    const { older } = readOutcomeWish(wish);
    const report = await mergeFleetRuns(runs, flags.out, flags.mixed);
    return concludeFleet(
      { directory: flags.out, report, wish, older, sinks, flags },
      { print: (text) => this.printData(text), talk: (line) => this.talk(line) },
    );
  }
}
