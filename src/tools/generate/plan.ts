/** Compiles rules/ to generated/plan.json, and writes what readers need to know of rules and facts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compileOwnRules, openRuleChecker } from '../../check/project.ts';
import { operators } from '../../core/evaluate/operators/operators.ts';
import { factTable, sessionFactTable } from '../../core/facts/registry/registry.ts';
import type { DerivedFactEntry } from '../../core/model/rules/derived-fact.ts';
import { append } from '../../core/model/lists.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import { ofConnection } from '../../core/rules/derived-facts.ts';
import { readFactFiles } from '../../files/package/load-rules.ts';
import { revisions } from '../../core/spec/revisions.ts';
import { renderCoverage, type TodoEntry } from './coverage.ts';
import type { Generator } from './outputs.ts';
import { catalogueFromSources, readSpecSources } from './requirements.ts';

/** generated/plan.json, RULES.md, FACTS.md and COVERAGE.md. */
export const generatePlan: Generator = async (root) => {
  const catalogue = catalogueFromSources(await readSpecSources(root));
  const { plan } = compileOwnRules(catalogue, root);
  const todo = JSON.parse(await readFile(path.join(root, 'rules', 'todo.json'), 'utf8')) as { entries: TodoEntry[] };
  return {
    'generated/plan.json': `{"digest":${JSON.stringify(plan.digest)},"rules":[\n${plan.rules.map((rule) => JSON.stringify(rule)).join(',\n')}\n]}\n`,
    'generated/RULES.md': renderRules(plan.rules, plan.digest),
    'generated/FACTS.md': renderFacts(derivedFactsOf(root)),
    'generated/COVERAGE.md': renderCoverage(catalogue, plan.rules, todo.entries),
  };
};

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function renderRules(rules: readonly CompiledRule[], digest: string): string {
  const areas = [...new Set(rules.map((rule) => rule.area))];
  const features = rules.filter(({ feature }) => feature === true).length;
  const lines = [
    '# Rules',
    '',
    `Written by \`npm run generate\` from rules/. ${rules.length - features} rules that can be broken, and ${features} of level MAY that report optional features; digest \`${digest}\`. Levels by revision; \`·\`: the requirement does not stand there; \`w\`: a failure is a warning whatever the level.`,
  ];
  for (const area of areas) {
    lines.push(
      '',
      `## ${area}`,
      '',
      `| rule | what holds | transports | ${revisions.join(' | ')} |`,
      `|---|---|---|${revisions.map(() => '---|').join('')}`,
    );
    for (const rule of rules.filter((one) => one.area === area)) {
      const levels = revisions.map((revision) => levelCell(rule, revision));
      lines.push(`| \`${rule.id}\` | ${cell(rule.title)} | ${rule.transports.join(', ')} | ${levels.join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function levelCell(rule: CompiledRule, revision: string): string {
  const place = rule.at[revision];
  if (!place) return '·';
  const softened = place.level.startsWith('MUST') && place.severity !== 'error';
  return `${place.level}${softened ? ' w' : ''}`;
}

/** rules/language/facts.json; that it is sound was found when the rules were compiled. */
function derivedFactsOf(root: string): DerivedFactEntry[] {
  return readFactFiles(path.join(root, 'rules'), [], openRuleChecker(root)).flatMap(({ facts }) => facts);
}

function renderFacts(derived: readonly DerivedFactEntry[]): string {
  const withDerived = (scope: string, facts: Record<string, string>, from = derived): Record<string, string> => {
    const own = from.filter(({ name }) => name.startsWith(`${scope}.`));
    const made = ({ of, path: within, do: what }: DerivedFactEntry): string =>
      [what, `of ${of}`, within && `at ${within}`].filter(Boolean).join(' ');
    return {
      ...facts,
      ...Object.fromEntries(own.map((one) => [one.name.slice(scope.length + 1), `${one.says} (${made(one)})`])),
    };
  };
  const lines = [
    '# Facts and operators',
    '',
    'Written by `npm run generate`. What conditions of rules may name; docs/rules.md explains how rules are judged.',
    '',
    '## session',
    '',
    'The connection that a subject belongs to, as `session.<fact>`; offered by every kind but `trace`.',
    '',
    ...factRows(withDerived('session', sessionFactTable, ofConnection(derived))),
  ];
  for (const [kind, { description, facts }] of Object.entries(factTable)) {
    append(lines, ['', `## subject: ${kind}`, '', description, '', ...factRows(withDerived(kind, facts))]);
  }
  lines.push('', '## Operators', '', '| operator | holds for | option |', '|---|---|---|');
  for (const operator of operators)
    lines.push(
      `| \`${operator.name}\` | ${cell(operator.description)} | \`${cell(JSON.stringify(operator.option))}\` |`,
    );
  return `${lines.join('\n')}\n`;
}

function factRows(facts: Record<string, string>): string[] {
  return [
    '| fact | meaning |',
    '|---|---|',
    ...Object.entries(facts).map(([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`),
  ];
}
