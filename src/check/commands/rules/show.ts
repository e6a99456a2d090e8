/** `mcpc rules show`: one rule in full. */
import { existsSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import pc from 'picocolors';
import { append } from '../../../core/model/lists.ts';
import type { DerivationStep, DerivedFact } from '../../../core/model/rules/derived-fact.ts';
import type { CompiledRule, RuleExample } from '../../../core/model/rules/rule.ts';
import { conditionsOf, leavesOf, otherFact } from '../../../core/rules/shared-definitions.ts';
import { BaseCommand } from '../support/base.ts';
import { houseFlags, selectionOf } from '../support/flags/run-flags.ts';
import { namedRule } from '../support/named-rule.ts';

export default class RulesShow extends BaseCommand {
  static override summary = 'Show a rule: its requirement, where the specification says so, and its examples.';

  static override examples = [
    { description: 'By its id', command: '<%= config.bin %> rules show ping/answer-empty-result' },
    {
      description: 'A rule of your own',
      command: '<%= config.bin %> rules show house/tool-prefix --rules house/tool-prefix.json --requirements house.md',
    },
    {
      description: 'The file and its compiled form, for scripts',
      command: '<%= config.bin %> rules show ping/answer-empty-result --json',
    },
  ];

  static override args = {
    rule: Args.string({ description: 'Id of the rule, as in "mcpc rules list".', required: true }),
  };

  static override flags = {
    ...houseFlags,
    json: Flags.boolean({ summary: 'Print JSON.' }),
    'no-color': Flags.boolean({ summary: 'Disable colours; NO_COLOR in the environment does the same.' }),
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(RulesShow);
    const [{ loadPlan }, { readRuleSource }] = await Promise.all([
      import('../../plan.ts'),
      import('../../authoring/rule-source.ts'),
    ]);
    await this.warnOfHouseFiles(flags);
    const rule = namedRule((await loadPlan(selectionOf(flags))).rules, args.rule);
    const { file, rule: source } = readRuleSource(rule.id, flags.rules ?? []);
    if (flags.json)
      this.printJson({ id: rule.id, file, rule: source, derivedFacts: derivedFactsOf(rule), compiled: rule });
    else this.print(ruleText(rule, file, source.examples));
  }
}

function ruleText(rule: CompiledRule, file: string, examples: readonly RuleExample[]): string {
  const lines = [
    `${pc.bold(rule.id)}`,
    rule.title,
    '',
    `${pc.dim('file')}        ${placeOf(file)}`,
    `${pc.dim('requirement')} ${rule.requirements.join(', ')}`,
    `${pc.dim('role')}        ${rule.role}`,
    `${pc.dim('transports')}  ${rule.transports.join(', ')}`,
  ];
  lines.push('', pc.bold('Levels'));
  for (const [revision, place] of Object.entries(rule.at)) {
    const weight = place.severity === 'error' ? '' : ` (${place.severity})`;
    lines.push(`  ${revision}  ${place.level}${weight}  ${pc.cyan(place.link ?? place.ref)}`);
  }
  const statements = [...new Set(Object.values(rule.at).map((place) => place.statement))];
  append(lines, ['', pc.bold('Requirement'), ...statements.map((statement) => `  ${statement}`)]);
  const parts: [string, unknown][] = [
    ['Sent for it', rule.stimulus],
    ['Applies when', rule.applies],
    ['Judges', { [rule.kind]: rule.filter }],
    ...((rule.feature === true
      ? [['Used when', rule.when]]
      : [
          ['Decided when', rule.when],
          ['Demands', rule.expect],
        ]) as [string, unknown][]),
  ];
  for (const [name, value] of parts) {
    if (value !== undefined) append(lines, ['', pc.bold(name), ...indented(value)]);
  }
  const derived = derivedFactsOf(rule);
  if (derived.length > 0)
    append(lines, [
      '',
      pc.bold('Derived facts'),
      ...derived.map(({ name, of, steps }) => `  ${name} is ${of}: ${steps.map(stepText).join(', then ')}`),
    ]);
  if (rule.feature !== true)
    lines.push('', pc.bold('When it fails'), `  ${rule.message}`, `  ${pc.dim('fix')} ${rule.fix}`);
  lines.push('', pc.bold('Examples'));
  for (const { verdict, note, trace } of examples) {
    append(lines, [
      `  ${pc.bold(verdict)}${note === undefined ? '' : `  ${pc.dim(note)}`}`,
      ...trace.map((line) => `    ${line}`),
    ]);
  }
  return `${lines.join('\n')}\n`;
}

interface ShownFact extends DerivedFact {
  name: string;
}

/** The derived facts that the rule's conditions name, each with the fact that code gives and what is done with it. */
function derivedFactsOf(rule: CompiledRule): ShownFact[] {
  const named = conditionsOf(rule).flatMap((condition) =>
    leavesOf(condition, '').flatMap(({ leaf }) => [leaf, otherFact(leaf.value)]),
  );
  const found = new Map(
    named.flatMap((one) => (one?.derived ? [[one.fact, { name: one.fact, ...one.derived }] as const] : [])),
  );
  return [...found.values()];
}

/** `count`, or `count of $.path`. */
function stepText({ path, do: what }: DerivationStep): string {
  if (what === undefined) return path ?? '';
  return path === undefined ? what : `${what} of ${path}`;
}

/** JSON, short conditions on one line. */
function indented(value: unknown): string[] {
  const short = JSON.stringify(value);
  return (short.length <= 100 ? short : JSON.stringify(value, null, 2)).split('\n').map((line) => `  ${line}`);
}

/** A rule of an installed mcpc has no file of its own. */
function placeOf(file: string): string {
  return existsSync(file) ? file : 'packed with mcpc; --json prints it';
}
