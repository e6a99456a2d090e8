/** `mcpc client conformance list`: the client scenarios of the official suite. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../../../check/commands/support/base.ts';
import { revisions } from '../../../../core/spec/revisions.ts';

export default class ConformanceList extends BaseCommand {
  static override summary = 'List the client scenarios of the official conformance suite.';

  static override examples = [
    { description: 'All of them', command: '<%= config.bin %> client conformance list' },
    {
      description: 'Those for a revision',
      command: '<%= config.bin %> client conformance list --spec-version 2025-11-25',
    },
  ];

  static override flags = {
    client: Flags.boolean({
      summary: 'Accepted for the official command line; these are the client scenarios.',
      hidden: true,
    }),
    suite: Flags.string({ summary: 'Those of one suite.', default: 'all', helpValue: 'SUITE' }),
    'spec-version': Flags.option({ summary: 'Those for one revision.', options: revisions })(),
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<void> {
    const { flags } = await this.parse(ConformanceList);
    const { scenariosOf } = await import('../../../conformance/scenarios.ts');
    const all = scenariosOf(flags.suite, flags['spec-version']);
    if (flags.json)
      return this.printJson(
        all.map(({ scenario, description, since, until, extension, suites, waits, checks }) => ({
          scenario,
          description,
          since,
          until,
          extension,
          suites,
          waits,
          checks: checks.map(({ id, rule, suiteOnly }) => ({ id, rule, suiteOnly })),
        })),
      );
    this.print('Client scenarios (test against a client):\n');
    for (const { scenario, since, until, extension, waits } of all) {
      const where = extension ?? (since === until ? since : `${since} to ${until ?? 'now'}`);
      this.print(`  - ${scenario} [${where}]${waits === undefined ? '' : ' not yet'}\n`);
    }
  }
}
