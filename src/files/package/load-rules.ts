/** Reads rule files from disk, checks them against the schema of a rule, compiles them to a plan. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { DerivedFactEntry } from '../../core/model/rules/derived-fact.ts';
import { append } from '../../core/model/lists.ts';
import type { CompiledRule, Plan, RuleFile } from '../../core/model/rules/rule.ts';
import { packedRules, readMaybePacked } from './packed-files.ts';
import type { Catalogue } from '../../core/spec/requirements/catalogue.ts';
import { withClientTwin } from '../../core/rules/client-twin.ts';
import { compileRule, type CompileContext, type RuleSource } from '../../core/rules/compile-rule.ts';
import { resolveDerivedFacts, type DerivedFactFile } from '../../core/rules/derived-facts.ts';
import { matchFiles } from './match-files.ts';
import { methodNames } from './method-tables.ts';
import { withNewNames } from './old-names.ts';
import { RuleFileError } from './rule-file-error.ts';
import { type RuleProblem } from '../../core/rules/rule-problem.ts';
import { optionSchema, ruleSchemaNames } from './rule-schemas.ts';
import { isRuleCode, loadRuleCode } from './rule-code.ts';
import { ruleValidators } from './rule-validators.ts';
import { schemaProblems } from '../../core/rules/schema-problems.ts';
import type { SharedDefinitions } from '../../core/rules/shared-definitions.ts';
import { asText } from '../../core/model/json.ts';

export interface RuleChecker {
  /** Problems of a parsed file of derived facts against its schema. */
  checkFacts(file: string, value: unknown): RuleProblem[];
  /** Problems of a parsed rule file against the schema. */
  check(file: string, value: unknown): RuleProblem[];
  /** The same of the conditions of a case (compile-case-rule.ts). */
  checkCase(value: unknown): RuleProblem[];
  operators: ReadonlySet<string>;
  checkOption(operator: string, option: unknown): string | undefined;
}

/**
 * @param rulesFolder the folder that holds language/ and the rules
 * @param operatorOptions JSON Schema of the option of each operator
 */
export function createRuleChecker(rulesFolder: string, operatorOptions: ReadonlyMap<string, object>): RuleChecker {
  const validatorOf = ruleValidators(rulesFolder, operatorOptions);
  const problemsOf = (name: string, file: string, value: unknown): RuleProblem[] => {
    const validate = validatorOf(name)!;
    return validate(value) ? [] : schemaProblems(file, validate.errors ?? []);
  };
  return {
    operators: new Set(operatorOptions.keys()),
    check: (file, value) => problemsOf(ruleSchemaNames.rule, file, value),
    checkCase: (value) => problemsOf(ruleSchemaNames.caseRule, '', value),
    checkFacts: (file, value) => problemsOf(ruleSchemaNames.facts, file, value),
    checkOption(operator, option) {
      const check = validatorOf(optionSchema(operator));
      if (!check || check(option)) return undefined;
      return errorsText(check.errors);
    },
  };
}

/** Fault in the value of an option, on one line. */
function errorsText(errors: readonly ErrorObject[] | null | undefined): string {
  return (errors ?? []).map(({ instancePath, message }) => `value${instancePath} ${message}`).join(', ');
}

/**
 * Reads files of derived facts: rules/language/facts.json, and those of the user.
 * @throws RuleFileError for a file that cannot be read or has the wrong shape
 */
export function readFactFiles(
  rulesFolder: string,
  houseFiles: readonly string[],
  checker: RuleChecker,
): DerivedFactFile[] {
  const own = path.join(rulesFolder, 'language', 'facts.json');
  const files = [{ file: own, house: false }, ...houseFiles.map((file) => ({ file, house: true }))];
  const read = files
    .filter(({ file }) => !isRuleCode(file))
    .map(({ file, house }) => ({ file, house, value: readJson(file) }));
  const problems = read.flatMap(({ file, value }) => checker.checkFacts(file, value));
  if (problems.length > 0) throw new RuleFileError(problems);
  return [
    ...read.map(({ file, house, value }) => ({ file, house, facts: (value as { facts: DerivedFactEntry[] }).facts })),
    ...houseFiles.filter(isRuleCode).map((file) => ({ file, house: true, facts: loadRuleCode(file) })),
  ];
}

/** Reads rules/language/shared.json. @throws RuleFileError */
export function readSharedDefinitions(rulesFolder: string): SharedDefinitions {
  const file = path.join(rulesFolder, 'language', 'shared.json');
  return readJson(file) as SharedDefinitions;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(withNewNames(readMaybePacked(file)).text);
  } catch (error) {
    throw new RuleFileError([{ file, path: '', message: error instanceof Error ? error.message : asText(error) }]);
  }
}

const notRules = new Set(['language', 'spec', 'messages', 'sets', 'conformance']);

/** Our own rules: rules/<area>/<slug>.json, sorted by id; not what rules/language says of their form. */
export function readRuleFolder(rulesFolder: string): RuleSource[] {
  return ruleFiles(rulesFolder)
    .flatMap(({ area, name }) => readRule(path.join(rulesFolder, area, name), `${area}/${name.slice(0, -5)}`))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The files of our own rules; those of an installed package are packed. */
export function ruleFiles(rulesFolder: string): { area: string; name: string }[] {
  // Every checkout has rules about ping.
  if (!existsSync(path.join(rulesFolder, 'ping'))) {
    return Object.keys(packedRules()).map((file) => ({ area: file.split('/')[1]!, name: path.posix.basename(file) }));
  }
  return readdirSync(rulesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notRules.has(entry.name))
    .flatMap((entry) =>
      readdirSync(path.join(rulesFolder, entry.name))
        .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
        .map((name) => ({ area: entry.name, name })),
    );
}

/** A user's rule files; the id is the last folder and the name. @throws RuleFileError when nothing matches */
export function readHouseRules(patterns: readonly string[]): RuleSource[] {
  return patterns.flatMap((pattern) => {
    const files = matchFiles(pattern);
    if (files.length === 0) throw new RuleFileError([{ file: pattern, path: '', message: 'no rule file matches' }]);
    return files.flatMap((file) => {
      const absolute = path.resolve(file);
      return readRule(file, `${path.basename(path.dirname(absolute))}/${path.basename(file, '.json')}`);
    });
  });
}

/** One rule, or two where the file also speaks of the client. What has the wrong shape is left to the checker. */
function readRule(file: string, id: string): RuleSource[] {
  const source = { file, id, rule: readJson(file) as RuleFile };
  try {
    return withClientTwin(source);
  } catch {
    return [source];
  }
}

/**
 * Compiles rules.
 * @param factFiles files of derived facts: our own, and those of the user
 * @throws RuleFileError with every problem of every file
 */
export function compileRules(
  sources: readonly RuleSource[],
  checker: RuleChecker,
  catalogue: Catalogue,
  shared: SharedDefinitions,
  factFiles: readonly DerivedFactFile[],
): Plan {
  const problems: RuleProblem[] = [];
  const derived = resolveDerivedFacts(factFiles, problems);
  const rules: CompiledRule[] = [];
  const seen = new Map<string, string>();
  const context: CompileContext = {
    methods: methodNames,
    catalogue,
    derived,
    shared,
    operators: checker.operators,
    checkOption: checker.checkOption,
  };
  for (const source of sources) {
    const wrong = checker.check(source.file, source.rule);
    if (wrong.length > 0) {
      append(problems, wrong);
      continue;
    }
    const other = seen.get(source.id);
    if (other !== undefined)
      problems.push({ file: source.file, path: '', message: `the id ${source.id} is taken by ${other}` });
    seen.set(source.id, source.file);
    const compiled = compileRule(source, context, problems);
    if (compiled) rules.push(compiled);
  }
  if (problems.length > 0) throw new RuleFileError(problems);
  return { digest: digestOf(rules), rules };
}

/** Names a rule set: equal digests mean equal rules, so that scores can be compared. */
export function digestOf(rules: readonly CompiledRule[]): string {
  const hash = createHash('sha256');
  for (const rule of rules) hash.update(JSON.stringify(rule)).update('\n');
  return hash.digest('hex').slice(0, 16);
}
