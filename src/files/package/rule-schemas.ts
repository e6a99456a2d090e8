/** The JSON Schemas of rule files and files of facts, in one engine. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { caseRuleSchema } from '../../core/rules/compile-case-rule.ts';

/** Names of schemas for separate validation; each operator has another one, named by optionSchema. */
export const ruleSchemaNames = { rule: 'rule.schema.json', caseRule: 'case-rule', facts: 'facts.schema.json' } as const;

export const optionSchema = (operator: string): string => `option-${operator}`;

/**
 * @param rulesFolder the folder that holds language/
 * @param operatorOptions JSON Schema of the option of each operator
 */
export function ruleSchemas(
  rulesFolder: string,
  operatorOptions: ReadonlyMap<string, object>,
  options: Options = {},
): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, ...options });
  addFormats.default(ajv);
  for (const name of [
    'names.schema.json',
    'stimulus.schema.json',
    'situation.schema.json',
    'mutation.schema.json',
    ruleSchemaNames.rule,
    ruleSchemaNames.facts,
  ])
    ajv.addSchema(JSON.parse(readFileSync(path.join(rulesFolder, 'language', name), 'utf8')) as object);
  ajv.addSchema(caseRuleSchema, ruleSchemaNames.caseRule);
  for (const [operator, schema] of operatorOptions) ajv.addSchema(schema, optionSchema(operator));
  return ajv;
}
