/** Writes generated/types.d.ts: names of rules, requirements, facts and operators, and the shape of a RunReport. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { compileOwnRules } from '../../check/project.ts';
import { operators } from '../../core/evaluate/operators/operators.ts';
import { factTable, sessionFactTable } from '../../core/facts/registry/registry.ts';
import type { Generator } from './outputs.ts';
import { catalogueFromSources, readSpecSources } from './requirements.ts';

export const generateTypes: Generator = async (root) => {
  const catalogue = catalogueFromSources(await readSpecSources(root));
  const { plan } = compileOwnRules(catalogue, root);
  const facts = Object.entries(factTable).map(
    ([kind, { facts: own }]) => `  ${kind}: ${union(Object.keys(own).map((name) => `subject.${name}`))};`,
  );
  const schema = JSON.parse(
    await readFile(path.join(root, 'rules', 'language', 'run-report.schema.json'), 'utf8'),
  ) as Record<string, unknown>;
  const report = await compile({ ...schema, title: 'RunReport' }, 'RunReport', {
    bannerComment: '',
    format: true,
    unknownAny: true,
  });
  const parts = [
    '// Written by `npm run generate`.',
    `export type RuleId = ${union(plan.rules.map((rule) => rule.id))};`,
    `export type RequirementId = ${union(catalogue.requirements.map((one) => one.id))};`,
    `export type OperatorName = ${union(operators.map((one) => one.name))};`,
    `export type SessionFact = ${union(Object.keys(sessionFactTable).map((name) => `session.${name}`))};`,
    `export interface SubjectFacts {\n${facts.join('\n')}\n}`,
    report.trim(),
  ];
  return { 'generated/types.d.ts': `${parts.join('\n\n')}\n` };
};

function union(names: readonly string[]): string {
  return names.map((name) => `\n  | '${name}'`).join('');
}
