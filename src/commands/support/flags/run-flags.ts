/** Flags that several commands share: which rules take part, what is printed where, when a run counts as failed. */
import { Flags } from '@oclif/core';
import type { RuleSelection } from '../../../app/check-options.ts';
import { numberFlag, repeatedFlag, splitList } from './flag-values.ts';

const rules = 'RULES';
const output = 'OUTPUT';
const gate = 'GATE';

export const houseFlags = {
  rules: repeatedFlag({ summary: 'Add your own rule files; a path or a glob. Repeats.', helpGroup: rules, helpValue: "'house/**/*.json'" }),
  requirements: repeatedFlag({ summary: 'Add your own requirements, which --rules refer to. Repeats.', helpGroup: rules, helpValue: 'house.md' }),
  facts: repeatedFlag({ summary: 'Add your own derived facts, which --rules name as house.<name>. Repeats.', helpGroup: rules, helpValue: 'house-facts.json' }),
};

export const selectionFlags = {
  only: repeatedFlag({ summary: 'Judge only these: area, rule id, requirement id or glob over rule ids. Repeats, or takes commas.', helpGroup: rules, helpValue: 'ping,tools/*' }),
  skip: repeatedFlag({ summary: 'Leave these out, named in the same way.', helpGroup: rules, helpValue: 'logging' }),
  level: Flags.option({ summary: 'Weakest level that takes part.', helpGroup: rules, options: ['must', 'should', 'may'] as const })(),
  set: Flags.string({ summary: 'Judge by a frozen rule set, so that scores stay comparable.', helpGroup: rules, helpValue: '2025-11-25' }),
  ...houseFlags,
};

export const outputFlags = {
  format: Flags.string({
    summary: 'Report format: terminal, json, html, markdown, junit, sarif, github, badge-json or badge-svg. Repeats, each with an --output; one without goes to stdout.',
    helpGroup: output, helpValue: 'html', multiple: true, multipleNonGreedy: true, char: 'f',
  }),
  output: Flags.string({ summary: 'File for the --format before it; alone, the ending of the name tells the format. Repeats.', helpGroup: output, helpValue: 'report.html', multiple: true, multipleNonGreedy: true, char: 'o' }),
  json: Flags.boolean({ summary: 'Print the report as JSON on stdout (short for --format json).', helpGroup: output }),
  overwrite: overwriteFlag('Write also over files that mcpc did not write; those that it wrote before it replaces anyway.', output),
  templates: Flags.string({ summary: 'Folder whose templates replace those of mcpc.', helpGroup: output, helpValue: 'DIR' }),
  'no-color': Flags.boolean({ summary: 'No colours; NO_COLOR in the environment does the same.', helpGroup: output }),
  quiet: Flags.boolean({ summary: 'Only the score line and the rules that failed.', helpGroup: output, char: 'q', exclusive: ['verbose'] }),
  verbose: Flags.boolean({ summary: 'Also list what passed, show the progress as lines and the stderr of the target.', helpGroup: output }),
};

/** The permission to write over what mcpc did not write. */
export function overwriteFlag(summary: string, helpGroup?: string) {
  return Flags.boolean({ summary, ...(helpGroup === undefined ? {} : { helpGroup }) });
}

export const gateFlags = {
  baseline: Flags.string({ summary: 'File of known failures; only others fail the run, and an entry that passes now does too.', helpGroup: gate, helpValue: 'FILE' }),
  'update-baseline': Flags.boolean({ summary: 'Write what fails now to the --baseline file.', helpGroup: gate, dependsOn: ['baseline'] }),
  'min-score': numberFlag('min-score', { summary: 'Fail below this score.', helpGroup: gate, helpValue: '90', min: 0, max: 100 }),
  'min-grade': Flags.string({ summary: 'Fail below this grade.', helpGroup: gate, helpValue: 'B' }),
};

interface SelectionValues {
  only?: string[];
  skip?: string[];
  level?: 'must' | 'should' | 'may';
  set?: string;
  rules?: string[];
  requirements?: string[];
  facts?: string[];
}

export function selectionOf(flags: SelectionValues): RuleSelection {
  return {
    only: splitList(flags.only),
    skip: splitList(flags.skip),
    ...(flags.level === undefined ? {} : { level: flags.level }),
    ...(flags.set === undefined ? {} : { set: flags.set }),
    houseRules: flags.rules ?? [],
    houseRequirements: flags.requirements ?? [],
    houseFacts: flags.facts ?? [],
  };
}
