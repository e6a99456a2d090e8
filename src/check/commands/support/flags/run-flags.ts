/** Flags that several commands share: which rules take part, what is printed where, when a run counts as failed. */
import { Flags } from '@oclif/core';
import type { RuleSelection } from '../../../check-options.ts';
import { usageError } from '../../../../core/model/errors.ts';
import { suggestion } from '../../../../core/model/suggestion.ts';
import { numberFlag, repeatedFlag, splitList } from './flag-values.ts';
import { settingFlags } from './setting-flags.ts';

const rules = 'RULES';
const output = 'OUTPUT';
const gate = 'GATE';

const levels = ['must', 'should', 'may'] as const;

/** A level of requirement, in either letter case. */
const levelFlag = Flags.custom<(typeof levels)[number]>({
  parse: (input) => {
    const found = levels.find((level) => level === input.toLowerCase());
    if (found === undefined)
      return Promise.reject(
        usageError(`--level takes must, should or may, not "${input}".${suggestion(input.toLowerCase(), levels)}`),
      );
    return Promise.resolve(found);
  },
});

export const houseFlags = {
  rules: repeatedFlag({
    summary: 'Add your own rule files; a path or a glob. See docs/rules.md. Repeats.',
    helpGroup: rules,
    helpValue: "'house/**/*.json'",
  }),
  requirements: repeatedFlag({
    summary: 'Add a Markdown file with your own requirements, for your own rules to refer to. Repeats.',
    helpGroup: rules,
    helpValue: 'house.md',
  }),
  facts: repeatedFlag({
    summary: 'Add your own derived facts, which your own rules use as house.<name>. See docs/rules.md. Repeats.',
    helpGroup: rules,
    helpValue: 'house-facts.json',
  }),
  'rules-code': Flags.boolean({
    summary:
      'Run the code that your own rules bring (<rule>.facts.mjs in its folder). It runs as you, without a sandbox: read it first. Off by default.',
    helpGroup: rules,
  }),
};

export const selectionFlags = {
  only: repeatedFlag({
    summary:
      'Judge only these rules: an area (the part of a rule id before the slash), a rule id, a requirement id or a glob over rule ids. Repeats, or takes commas.',
    helpGroup: rules,
    helpValue: 'ping,tools/*',
  }),
  skip: repeatedFlag({
    summary: 'Leave these rules out, named in the same way.',
    helpGroup: rules,
    helpValue: 'logging',
  }),
  level: levelFlag({
    summary: 'Lowest requirement level to include: must leaves out SHOULD and MAY, may includes all. [default: may]',
    helpGroup: rules,
    helpValue: 'must|should|may',
  }),
  set: Flags.string({
    summary:
      'Judge by a frozen set of rules, named by a revision of the specification: rules that were added later do not count, so that scores stay comparable.',
    helpGroup: rules,
    helpValue: '2025-11-25',
  }),
  ...houseFlags,
};

export const evaluatorFlag = {
  evaluator: Flags.option({
    summary:
      'What evaluates the conditions of rules: fast functions, which json-rules-engine confirms where a rule fails and for its first 20 passes; or json-rules-engine alone, which takes much longer.',
    helpGroup: rules,
    options: ['fast', 'engine'] as const,
    default: 'fast',
  })(),
};

export const outputFlags = {
  format: Flags.string({
    summary:
      'Report format: terminal, json, html, markdown, junit, sarif, github, badge-json or badge-svg. Repeats, each with an --output; one without goes to stdout.',
    helpGroup: output,
    helpValue: 'html',
    multiple: true,
    multipleNonGreedy: true,
    char: 'f',
  }),
  output: Flags.string({
    summary: 'File for the --format before it; without one, the extension gives the format. Repeats.',
    helpGroup: output,
    helpValue: 'report.html',
    multiple: true,
    multipleNonGreedy: true,
    char: 'o',
  }),
  json: Flags.boolean({ summary: 'Print the report as JSON on stdout (short for --format json).', helpGroup: output }),
  overwrite: overwriteFlag(
    'Overwrite files that mcpc did not write; its own earlier files are always replaced.',
    output,
  ),
  templates: Flags.string({
    summary: 'Directory with templates (Handlebars) that replace those of mcpc with the same file name.',
    helpGroup: output,
    helpValue: 'DIR',
  }),
  'junit-skipped': Flags.boolean({
    summary: 'In JUnit, list the rules without a verdict, too, as skipped.',
    helpGroup: output,
  }),
  'no-color': Flags.boolean({
    summary: 'Disable colours; NO_COLOR in the environment does the same.',
    helpGroup: output,
  }),
  quiet: Flags.boolean({
    summary: 'Print only the score line and the failed rules.',
    helpGroup: output,
    char: 'q',
    exclusive: ['verbose'],
  }),
  verbose: Flags.boolean({
    summary: 'Also list passed and undecided rules, print progress as lines, and show the stderr of the server.',
    helpGroup: output,
  }),
};

/** The permission to write over what mcpc did not write. */
export function overwriteFlag(summary: string, helpGroup?: string) {
  return Flags.boolean({ summary, helpGroup });
}

export const gateFlags = {
  ...settingFlags('gate'),
  'update-baseline': Flags.boolean({
    summary: 'Write the current failures to the --baseline file.',
    helpGroup: gate,
    dependsOn: ['baseline'],
  }),
  'min-score': numberFlag('min-score', {
    summary: 'Exit with 1 when the score is lower than N, from 0 to 100.',
    helpGroup: gate,
    helpValue: 'N',
    min: 0,
    max: 100,
  }),
  'min-grade': Flags.string({
    summary: 'Exit with 1 when the grade is worse than this one.',
    helpGroup: gate,
    helpValue: 'GRADE',
  }),
};

interface SelectionValues {
  only?: string[];
  skip?: string[];
  level?: 'must' | 'should' | 'may';
  set?: string;
  rules?: string[];
  requirements?: string[];
  facts?: string[];
  'rules-code'?: boolean;
}

export function selectionOf(flags: SelectionValues): RuleSelection {
  return {
    only: splitList(flags.only),
    skip: splitList(flags.skip),
    level: flags.level,
    set: flags.set,
    houseRules: flags.rules ?? [],
    houseRequirements: flags.requirements ?? [],
    houseFacts: flags.facts ?? [],
    rulesCode: flags['rules-code'] === true,
  };
}
