/**
 * Writes new rule files and their surroundings. In a checkout of mcpc it removes the entry of the to-do list; elsewhere
 * it adds the schemas, so that an editor knows the members of a rule.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeOutput } from '../../files/output/output.ts';
import { usageError } from '../../core/model/errors.ts';
import type { Requirement } from '../../core/model/rules/requirement.ts';
import { rulesFolder } from '../../files/package/package-root.ts';
import { type Catalogue, isServerObservable } from '../../core/spec/requirements/catalogue.ts';
import { loadRequirementFiles } from '../../files/package/load-catalogue.ts';
import { scaffold, type RuleForm } from './rule-scaffold.ts';

export interface NewRules {
  written: { rule: string; file: string; requirement: string }[];
  /** Requirements without a file, and why. */
  left: { requirement: string; why: string }[];
}

export interface NewRuleOptions {
  folder: string;
  /** Also over rule files that are there. */
  overwrite?: boolean;
  /** Subject of the rule; an exchange when absent. */
  form?: RuleForm;
}

/** The rule id of a requirement: area, slash, the rest with dashes for dots. */
export function ruleIdOf(requirement: string): string {
  return requirement.replace('.', '/').replaceAll('.', '-');
}

/**
 * Writes one file.
 * @param requirement id of its requirement; when absent it follows from the id of the rule
 * @throws McpcError usage for a bad id, an unknown requirement, or an existing file
 */
export function newRule(
  id: string,
  requirement: string | undefined,
  { folder, overwrite = false, form }: NewRuleOptions,
  catalogue: Catalogue,
): NewRules {
  if (!/^[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*$/.test(id))
    throw usageError(
      `"${id}" is no id of a rule.`,
      'It is <area>/<slug> in lower-case words joined by dashes, as in tools/names-unique.',
    );
  const wanted = requirement ?? catalogue.requirements.find((one) => ruleIdOf(one.id) === id)?.id;
  const found = wanted === undefined ? undefined : catalogue.byId.get(wanted);
  if (found === undefined) {
    throw usageError(
      wanted === undefined ? `No requirement has the name of the rule ${id}.` : `There is no requirement "${wanted}".`,
      'Name one with --requirement; rules/spec and files given with --requirements have them.',
    );
  }
  const file = fileOf(id, folder);
  if (!overwrite && existsSync(file))
    throw usageError(
      `The rule file ${file} is there already.`,
      'Edit it, choose another id, or replace it with --overwrite.',
    );
  write(file, found, { folder, overwrite, form });
  return { written: [{ rule: id, file, requirement: found.id }], left: [] };
}

/** Writes a file for each requirement of a user's file that a server can show and that has none yet. */
export function newRulesFrom(
  markdown: string,
  { folder, overwrite = false, form }: NewRuleOptions,
  catalogue: Catalogue,
): NewRules {
  const result: NewRules = { written: [], left: [] };
  for (const { id } of loadRequirementFiles([markdown]).flatMap((spec) => spec.requirements)) {
    const requirement = catalogue.byId.get(id)!;
    const rule = ruleIdOf(id);
    const file = fileOf(rule, folder);
    if (!isServerObservable(requirement))
      result.left.push({ requirement: id, why: requirement.reason ?? 'a server does not show it' });
    else if (!overwrite && existsSync(file)) result.left.push({ requirement: id, why: `${file} is there already` });
    else {
      write(file, requirement, { folder, overwrite, form });
      result.written.push({ rule, file, requirement: id });
    }
  }
  return result;
}

function fileOf(id: string, folder: string): string {
  return path.join(folder, `${id}.json`);
}

function write(file: string, requirement: Requirement, { folder, overwrite = false, form }: NewRuleOptions): void {
  const ours = isOurs(folder);
  writeOutput(
    { path: file, what: 'the rule file', replaces: 'nothing', overwrite },
    scaffold(requirement, { schema: schemaFor(file, folder, overwrite), form, mutated: ours }),
  );
  if (ours) takeFromTodo(requirement.id);
}

/** The rules of the checkout that mcpc runs from. */
function isOurs(folder: string): boolean {
  return path.resolve(folder) === rulesFolder() && existsSync(todoFile());
}

const todoFile = (): string => path.join(rulesFolder(), 'todo.json');

/** A requirement with a rule leaves the list of those without. Other lines stay as they are. */
function takeFromTodo(requirement: string): void {
  const before = readFileSync(todoFile(), 'utf8');
  const lines = before.split('\n').filter((line) => !line.includes(`"requirement": ${JSON.stringify(requirement)},`));
  const last = lines.findLastIndex((line) => line.includes('"requirement":'));
  if (lines[last]?.endsWith(',')) lines[last] = lines[last].slice(0, -1);
  const after = lines.join('\n');
  if (after !== before) writeOutput({ path: todoFile(), what: 'the to-do list', replaces: 'anything' }, after);
}

/** The schema of a rule, and the schemas that it refers to. */
const schemas = ['rule', 'names', 'stimulus', 'situation', 'mutation'].map((name) => `${name}.schema.json`);

/**
 * For editors. The package's schema if it is within the current folder and stays there; else copies next to the rules,
 * in a folder that patterns such as house/** leave out.
 */
function schemaFor(file: string, folder: string, overwrite: boolean): string {
  const language = path.join(rulesFolder(), 'language');
  const near = !path.relative(process.cwd(), language).startsWith('..');
  const place = near ? language : path.resolve(folder, '.mcpc');
  if (!near) {
    for (const name of schemas) {
      const copy = path.join(place, name);
      if (overwrite || !existsSync(copy))
        writeOutput(
          { path: copy, what: 'the schema of rules', replaces: 'nothing', overwrite },
          readFileSync(path.join(language, name), 'utf8'),
        );
    }
  }
  return path
    .relative(path.dirname(path.resolve(file)), path.join(place, schemas[0]!))
    .split(path.sep)
    .join('/');
}

/** Where new rules go by default: the rules of a checkout of mcpc, else the folder at hand. */
export function defaultRuleFolder(cwd: string): string {
  try {
    const { name } = JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8')) as { name?: string };
    if (name === 'mcpc' && existsSync(path.join(cwd, 'rules', 'language'))) return 'rules';
  } catch {
    // No package here.
  }
  return '.';
}
