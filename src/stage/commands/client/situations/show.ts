/** `mcpc client situations show`: what the server does for a rule, and what the client has to do. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../../../check/commands/support/base.ts';
import { usageError } from '../../../../core/model/errors.ts';
import { suggestion } from '../../../../core/model/suggestion.ts';

export default class Show extends BaseCommand {
  static override summary = 'Show the situation of a rule about clients.';

  static override examples = [
    { description: 'A lost session', command: '<%= config.bin %> client situations show session/end-client-restart' },
  ];

  static override args = { rule: Args.string({ description: 'Id of a rule about clients.', required: true }) };

  static override flags = { json: Flags.boolean({ summary: 'Print the situation as JSON.' }) };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(Show);
    const [{ readGeneratedPlan }, { outlineOf }] = await Promise.all([
      import('../../../../check/plan.ts'),
      import('../../../scene/outline.ts'),
    ]);
    const all = readGeneratedPlan().rules.filter(({ role }) => role === 'client');
    const rule = all.find(({ id }) => id === args.rule);
    if (rule === undefined)
      throw usageError(
        `There is no rule about clients with the id "${args.rule}".${suggestion(
          args.rule,
          all.map(({ id }) => id),
        )}`,
        '"mcpc client situations list" shows those with a situation.',
      );
    if (flags.json) return this.printJson(rule.situation ?? null);
    this.print(`${rule.id}: ${rule.title}\n`);
    const lines =
      rule.situation === undefined
        ? ['It is judged in every start, and needs nothing special.']
        : outlineOf(rule.situation);
    for (const line of lines) this.print(`  ${line}\n`);
  }
}
