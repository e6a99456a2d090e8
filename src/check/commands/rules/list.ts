/** `mcpc rules list`: the rules, one a line. */
import { Flags } from '@oclif/core';
import { usageError } from '../../../core/model/errors.ts';
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import { listedRule } from '../../authoring/listed-rule.ts';
import { BaseCommand } from '../support/base.ts';
import { selectionFlags, selectionOf } from '../support/flags/run-flags.ts';

export default class RulesList extends BaseCommand {
  static override summary = 'List the rules.';

  static override examples = [
    { description: 'All rules', command: '<%= config.bin %> rules list' },
    {
      description: 'What a server of one revision has to do, on one transport',
      command: '<%= config.bin %> rules list --spec 2025-11-25 --level must --transport stdio',
    },
    { description: 'What a server may use, or leave', command: '<%= config.bin %> rules list --features' },
    {
      description: 'An area, and rules of your own',
      command: "<%= config.bin %> rules list --only tools --rules 'house/**/*.json' --requirements house.md",
    },
    { description: 'For scripts', command: '<%= config.bin %> rules list --json' },
  ];

  static override flags = {
    spec: Flags.string({
      summary: 'Only rules that apply to this revision of the specification.',
      helpValue: 'REVISION',
    }),
    transport: Flags.option({
      summary: 'Only rules that can be judged on this transport.',
      options: ['stdio', 'http', 'sse'] as const,
    })(),
    features: Flags.boolean({ summary: 'Only rules of level MAY: they report which optional features a target uses.' }),
    ...selectionFlags,
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<void> {
    const { flags } = await this.parse(RulesList);
    const { spec, transport } = flags;
    if (spec !== undefined && !isKnownRevision(spec))
      throw usageError(`There is no revision "${spec}".`, `Use one of ${revisions.join(', ')}.`);
    const { loadPlan } = await import('../../plan.ts');
    await this.warnOfHouseFiles(flags);
    const plan = await loadPlan(selectionOf(flags));
    const chosen = plan.rules.filter(
      (rule) =>
        (!flags.features || rule.feature === true) &&
        (spec === undefined || rule.at[spec] !== undefined) &&
        (transport === undefined || rule.transports.includes(transport)),
    );
    if (flags.json) {
      this.printJson({ digest: plan.digest, rules: chosen.map(listedRule) });
      return;
    }
    if (chosen.length > 0)
      this.print(`${linesOf(chosen.map((rule) => [rule.id, levelText(rule, spec), rule.title]))}\n`);
    const features = chosen.filter(({ feature }) => feature === true).length;
    const rest = features === 0 ? '' : `, and ${features} of level MAY that report optional features`;
    this.talk(`${chosen.length - features} of ${plan.total} rules${rest}, digest ${plan.digest}`);
  }
}

/** Columns, and two blanks between them. Ids and levels are ASCII, so that their length is their width; a library for tables takes longer for it than all the rest. */
function linesOf(rows: readonly (readonly [id: string, level: string, title: string])[]): string {
  const wide = (column: 0 | 1): number => rows.reduce((most, row) => Math.max(most, row[column].length), 0) + 2;
  const [ids, levels] = [wide(0), wide(1)];
  return rows.map(([id, level, title]) => `${id.padEnd(ids)}${level.padEnd(levels)}${title}`.trimEnd()).join('\n');
}

/** The level in the revision asked for, or of the newest revision that has the rule. */
function levelText(rule: CompiledRule, spec: string | undefined): string {
  const place = spec === undefined ? Object.values(rule.at).at(-1) : rule.at[spec];
  return place?.level ?? '';
}
