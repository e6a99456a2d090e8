/** `mcpc rules lint`: checks rule files with their examples. */
import { Args, Flags } from '@oclif/core';
import { exitCodes, usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../support/base.ts';
import { houseFlags } from '../support/flags/run-flags.ts';

export default class RulesLint extends BaseCommand {
  static override summary =
    'Check rule files: syntax, names, and that each example gets the verdict it is labelled with.';

  static override description = 'Exit codes: 0 no problem, 2 a problem in a file, or wrong usage.';

  static override examples = [
    {
      description: 'Your own rules',
      command: "<%= config.bin %> rules lint 'house/**/*.json' --requirements house.md",
    },
    { description: 'The rules of mcpc', command: '<%= config.bin %> rules lint' },
    {
      description: 'Replace names that have been renamed',
      command: "<%= config.bin %> rules lint --fix 'house/**/*.json' --requirements house.md",
    },
    {
      description: 'For an editor or CI',
      command: '<%= config.bin %> rules lint house/tool-prefix.json --requirements house.md --json',
    },
  ];

  static override strict = false;

  static override args = {
    files: Args.string({ description: 'Paths or globs of rule files. [default: the rules of mcpc]' }),
  };

  static override flags = {
    requirements: houseFlags.requirements,
    facts: houseFlags.facts,
    'rules-code': houseFlags['rules-code'],
    fix: Flags.boolean({
      summary:
        'First replace old names of subject kinds and facts in the files by the new ones; nothing else in them is changed.',
    }),
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<number> {
    const { argv, flags } = await this.parse(RulesLint);
    const [{ lintRules }, { describeProblem }] = await Promise.all([
      import('../../authoring/lint-rules.ts'),
      import('../../../core/rules/rule-problem.ts'),
    ]);
    if (flags.fix && argv.length === 0)
      throw usageError('--fix needs the files to fix.', "For example: mcpc rules lint --fix 'house/**/*.json'.");
    if (flags.fix) {
      const { fixOldNames } = await import('../../authoring/fix-old-names.ts');
      for (const { file, renamed } of fixOldNames([...(argv as string[]), ...(flags.facts ?? [])])) {
        this.talk(
          `Fixed ${file}: ${Object.entries(renamed)
            .map(([old, now]) => `${old} is now ${now}`)
            .join(', ')}.`,
        );
      }
    }
    await this.warnOfHouseFiles({ ...flags, rules: argv as string[] });
    const result = await lintRules(argv as string[], flags.requirements ?? [], flags.facts ?? [], flags['rules-code']);
    if (flags.json) this.printJson(result);
    else for (const problem of result.problems) this.print(`${describeProblem(problem)}\n`);
    const { rules, examples, problems } = result;
    this.talk(
      problems.length === 0
        ? `${rules} rules with ${examples} examples are sound.`
        : `${problems.length} problem${problems.length === 1 ? '' : 's'}; docs/rules.md describes rule files.`,
    );
    return problems.length === 0 ? exitCodes.compliant : exitCodes.usage;
  }
}
