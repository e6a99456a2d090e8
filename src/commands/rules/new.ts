/** `mcpc rules new`: files to start rules from. */
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../model/errors.ts';
import { BaseCommand } from '../base.ts';
import { houseFlags, overwriteFlag } from '../support/flags/run-flags.ts';

export default class RulesNew extends BaseCommand {
  static override summary = 'Write a rule file to start from.';

  static override description = 'The file is sound but about a method that nobody has, so it decides nothing until you fill it in. docs/rules.md explains each member.';

  static override examples = [
    { description: 'A rule of your own', command: '<%= config.bin %> rules new acme/tool-prefix --requirement acme.tools.prefix --requirements house.md' },
    { description: 'One for each bullet of a requirement file', command: '<%= config.bin %> rules new --from house.md --folder house' },
    { description: 'In a checkout of mcpc, named after its requirement', command: '<%= config.bin %> rules new ping/answer-empty-result' },
  ];

  static override args = { id: Args.string({ description: '<area>/<slug>' }) };

  static override flags = {
    requirement: Flags.string({ summary: 'Requirement that the rule decides.', helpValue: 'ID' }),
    from: Flags.string({ summary: 'A file for each bullet of this requirement file that has none yet.', helpValue: 'house.md', exclusive: ['requirement'] }),
    requirements: houseFlags.requirements,
    folder: Flags.string({ summary: 'Where the areas lie. [default: rules in a checkout of mcpc, else here]', helpValue: 'DIR' }),
    overwrite: overwriteFlag('Replace rule files that are there.'),
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(RulesNew);
    if ((args.id === undefined) === (flags.from === undefined)) {
      throw usageError(args.id === undefined ? 'No rule is named.' : 'A rule is named together with --from.', 'Give either <area>/<slug>, or --from with a requirement file.');
    }
    const [{ defaultRuleFolder, newRule, newRulesFrom }, { openCatalogue }] = await Promise.all([import('../../authoring/new-rule.ts'), import('../../app/project.ts')]);
    const catalogue = openCatalogue([...(flags.requirements ?? []), ...(flags.from === undefined ? [] : [flags.from])]);
    const folder = flags.folder ?? defaultRuleFolder(process.cwd());
    const result = flags.from === undefined ? newRule(args.id!, flags.requirement, { folder, overwrite: flags.overwrite }, catalogue) : newRulesFrom(flags.from, { folder, overwrite: flags.overwrite }, catalogue);
    if (flags.json) this.printJson(result);
    else for (const { file } of result.written) this.print(`${file}\n`);
    for (const { requirement, why } of result.left) this.talk(`Left out ${requirement}: ${why}`);
    if (result.written.length > 0) this.talk('Fill in given, expect, message, fix and examples, then run "mcpc rules lint".');
  }
}
