/** `mcpc rules new`: files to start rules from. */
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../support/base.ts';
import { houseFlags, overwriteFlag } from '../support/flags/run-flags.ts';

export default class RulesNew extends BaseCommand {
  static override summary = 'Write a template for a new rule file.';

  static override description =
    'The file is valid, but it matches no real method, so it judges nothing until you fill it in; "mcpc rules lint" names what is left. The JSON Schemas for editors are written next to it (.mcpc), unless mcpc is installed in the folder. docs/rules.md explains each property.';

  static override examples = [
    {
      description: 'A rule of your own',
      command: '<%= config.bin %> rules new acme/tool-prefix --requirement acme.tools.prefix --requirements house.md',
    },
    {
      description: 'One for each bullet of a requirement file',
      command: '<%= config.bin %> rules new --requirements-from house.md --folder house',
    },
    {
      description: 'About an order, or about uniqueness',
      command:
        '<%= config.bin %> rules new acme/rising --about group --requirement acme.progress.rising --requirements house.md',
    },
    {
      description: 'In a checkout of mcpc, named after its requirement',
      command: '<%= config.bin %> rules new ping/answer-empty-result',
    },
  ];

  static override args = { id: Args.string({ description: 'Id of the rule: <area>/<name>, as in acme/tool-prefix.' }) };

  static override flags = {
    requirement: Flags.string({ summary: 'Id of the requirement that the rule checks.', helpValue: 'ID' }),
    'requirements-from': Flags.string({
      summary:
        'Write a file for each requirement (bullet) of this Markdown file that has no rule yet. The old name --from does the same.',
      helpValue: 'house.md',
      exclusive: ['requirement'],
      aliases: ['from'],
    }),
    requirements: houseFlags.requirements,
    folder: Flags.string({
      summary:
        'Folder that holds one folder per area. [default: rules in a checkout of mcpc, else the current directory]',
      helpValue: 'DIR',
    }),
    about: Flags.option({
      summary:
        'What the rule is about: one request with its answer, all messages that share a key (group), or a message and the one that is to follow it (pair).',
      options: ['exchange', 'group', 'pair'] as const,
      default: 'exchange',
    })(),
    overwrite: overwriteFlag('Overwrite existing rule files.'),
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(RulesNew);
    if ((args.id === undefined) === (flags['requirements-from'] === undefined)) {
      throw usageError(
        args.id === undefined ? 'No rule is named.' : 'A rule is named together with --requirements-from.',
        'Give either <area>/<slug>, or --requirements-from with a requirement file.',
      );
    }
    const [{ defaultRuleFolder, newRule, newRulesFrom }, { openCatalogue }] = await Promise.all([
      import('../../authoring/new-rule.ts'),
      import('../../project.ts'),
    ]);
    const catalogue = openCatalogue([
      ...(flags.requirements ?? []),
      ...(flags['requirements-from'] === undefined ? [] : [flags['requirements-from']]),
    ]);
    const folder = flags.folder ?? defaultRuleFolder(process.cwd());
    const options = { folder, overwrite: flags.overwrite, form: flags.about };
    const result =
      flags['requirements-from'] === undefined
        ? newRule(args.id!, flags.requirement, options, catalogue)
        : newRulesFrom(flags['requirements-from'], options, catalogue);
    if (flags.json) this.printJson(result);
    else for (const { file } of result.written) this.print(`${file}\n`);
    for (const { requirement, why } of result.left) this.talk(`Left out ${requirement}: ${why}`);
    if (result.written.length > 0)
      this.talk('Fill in given, expect, message, fix and examples, then run "mcpc rules lint".');
  }
}
