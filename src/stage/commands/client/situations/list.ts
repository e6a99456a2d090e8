/** `mcpc client situations list`: what a client meets, start by start. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../../../check/commands/support/base.ts';
import { selectionFlags, selectionOf } from '../../../../check/commands/support/flags/run-flags.ts';
import { revisions } from '../../../../core/spec/revisions.ts';

export default class List extends BaseCommand {
  static override summary = 'List the starts of "mcpc client" and the rules that each is for.';

  static override examples = [
    { description: 'All of them', command: '<%= config.bin %> client situations list' },
    {
      description: 'Over stdio, for one revision',
      command: '<%= config.bin %> client situations list --transport stdio --spec 2025-06-18',
    },
  ];

  static override flags = {
    transport: Flags.option({
      summary: 'Transport.',
      options: ['http', 'stdio', 'sse'] as const,
      default: 'http' as const,
    })(),
    spec: Flags.option({ summary: 'Revision; all when absent.', options: revisions })(),
    json: Flags.boolean({ summary: 'Print JSON.' }),
    ...selectionFlags,
  };

  protected async work(): Promise<void> {
    const { flags } = await this.parse(List);
    const [{ loadPlan }, { planStarts }] = await Promise.all([
      import('../../../../check/plan.ts'),
      import('../../../scene/start-plan.ts'),
    ]);
    const plan = await loadPlan(selectionOf(flags));
    const starts = planStarts(plan.rules, { transport: flags.transport, revision: flags.spec });
    if (flags.json) return this.printJson(starts);
    for (const [index, { name, title, rules }] of starts.entries()) {
      this.print(`${index === 0 ? '' : '\n'}${name}  ${title}\n`);
      for (const rule of rules) this.print(`  ${rule}\n`);
    }
  }
}
