/**
 * Scaffolds rule files: complete and sound, but about a method that nobody has, so that a file which is not
 * finished yet never decides anything.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeOutput } from '../files/output.ts';
import { usageError } from '../model/errors.ts';
import type { Requirement } from '../model/rules/requirement.ts';
import type { FeatureFile, RuleFile } from '../model/rules/rule.ts';
import { packageRoot } from '../spec/package-root.ts';
import { type Catalogue, isServerObservable } from '../spec/requirements/catalogue.ts';
import { loadRequirementFiles } from '../spec/requirements/load-catalogue.ts';

export interface NewRules {
  written: { rule: string; file: string; requirement: string }[];
  /** What got no file, and why. */
  left: { requirement: string; why: string }[];
}

export interface NewRuleOptions {
  folder: string;
  /** Also over rule files that are there. */
  overwrite?: boolean;
  /** What the rule is about; an exchange when absent. */
  form?: RuleForm;
}

/** The rule id of a requirement: area, slash, the rest with dashes for dots. */
export function ruleIdOf(requirement: string): string {
  return requirement.replace('.', '/').replaceAll('.', '-');
}

/**
 * Writes one file.
 * @param requirement id of its requirement; when absent the one that the id of the rule is made from
 * @throws McpcError usage for a bad id, an unknown requirement, or a file that is there already
 */
export function newRule(id: string, requirement: string | undefined, { folder, overwrite = false, form }: NewRuleOptions, catalogue: Catalogue): NewRules {
  if (!/^[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*$/.test(id)) throw usageError(`"${id}" is no id of a rule.`, 'It is <area>/<slug> in lower-case words joined by dashes, as in tools/names-unique.');
  const wanted = requirement ?? catalogue.requirements.find((one) => ruleIdOf(one.id) === id)?.id;
  const found = wanted === undefined ? undefined : catalogue.byId.get(wanted);
  if (found === undefined) {
    throw usageError(
      wanted === undefined ? `No requirement has the name of the rule ${id}.` : `There is no requirement "${wanted}".`,
      'Name one with --requirement; rules/spec and files given with --requirements have them.',
    );
  }
  const file = fileOf(id, folder);
  if (!overwrite && existsSync(file)) throw usageError(`The rule file ${file} is there already.`, 'Edit it, choose another id, or replace it with --overwrite.');
  write(file, found, { overwrite, form });
  return { written: [{ rule: id, file, requirement: found.id }], left: [] };
}

/** Writes a file for each requirement of a user's file that a server can show and that has none yet. */
export function newRulesFrom(markdown: string, { folder, overwrite = false, form }: NewRuleOptions, catalogue: Catalogue): NewRules {
  const result: NewRules = { written: [], left: [] };
  for (const { id } of loadRequirementFiles([markdown]).flatMap((spec) => spec.requirements)) {
    const requirement = catalogue.byId.get(id)!;
    const rule = ruleIdOf(id);
    const file = fileOf(rule, folder);
    if (!isServerObservable(requirement)) result.left.push({ requirement: id, why: requirement.reason ?? 'a server does not show it' });
    else if (!overwrite && existsSync(file)) result.left.push({ requirement: id, why: `${file} is there already` });
    else {
      write(file, requirement, { overwrite, form });
      result.written.push({ rule, file, requirement: id });
    }
  }
  return result;
}

function fileOf(id: string, folder: string): string {
  return path.join(folder, `${id}.json`);
}

function write(file: string, requirement: Requirement, { overwrite, form }: { overwrite: boolean; form: RuleForm | undefined }): void {
  writeOutput({ path: file, what: 'the rule file', replaces: 'nothing', overwrite }, scaffold(requirement, file, form));
}

/** What a new rule is about: one exchange, all messages that share a key, or a message and the one that is to follow it. */
export type RuleForm = 'exchange' | 'group' | 'pair';

const notPlayed = 'The stimulus does not send this method yet.';

const method = 'replace/me';
const exampleLine = (value: number): string => `< {"method":"${method}","params":{"key":"a","value":${value}}}`;

/** Given, expect and examples of each form: sound, and about a method that nobody has. */
const forms: Record<RuleForm, Pick<RuleFile, 'given' | 'expect'> & { examples: { verdict: string; note?: string; trace: string[] }[] }> = {
  exchange: {
    given: { exchange: { from: 'client', method, outcome: ['result'] } },
    expect: { fact: 'subject.result', path: '$.member', operator: 'exists', value: true },
    examples: [
      { verdict: 'pass', trace: [`> {"id":1,"method":"${method}"}`, '< {"id":1,"result":{"member":1}}'] },
      { verdict: 'fail', trace: [`> {"id":1,"method":"${method}"}`, '< {"id":1,"result":{}}'] },
      { verdict: 'not-exercised', note: 'nothing of the kind was asked', trace: ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'] },
    ],
  },
  group: {
    given: { group: { of: { message: { from: 'server', method } }, by: '$.params.key', within: 'session', values: { value: '$.params.value' } } },
    expect: { fact: 'subject.values.value', operator: 'isMonotonic', value: 'increasing' },
    examples: [
      { verdict: 'pass', trace: [exampleLine(1), exampleLine(2)] },
      { verdict: 'fail', trace: [exampleLine(2), exampleLine(1)] },
      { verdict: 'not-exercised', note: 'no such message came', trace: ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'] },
    ],
  },
  pair: {
    given: { pair: { first: { message: { from: 'client', method } }, then: { message: { from: 'server', method } }, match: [['$.params.key', '$.params.key']] } },
    expect: { fact: 'subject.then', operator: 'exists', value: true },
    examples: [
      { verdict: 'pass', trace: [exampleLine(1).replace('<', '>'), exampleLine(1)] },
      { verdict: 'fail', trace: [exampleLine(1).replace('<', '>')] },
      { verdict: 'not-exercised', note: 'nothing asked for it', trace: ['> {"id":1,"method":"ping"}', '< {"id":1,"result":{}}'] },
    ],
  },
};

/** The text of a file that passes every check and judges nothing until it is filled in. */
export function scaffold(requirement: Requirement, file: string, form: RuleForm = 'exchange'): string {
  const levels = Object.values(requirement.levels);
  if (levels.length > 0 && form === 'exchange' && levels.every((level) => level === 'MAY')) return featureScaffold(requirement, file);
  const { given, expect, examples } = forms[form];
  const rule: RuleFile = {
    ...schemaLink(file),
    title: titleOf(requirement.statement),
    requirement: [requirement.id],
    role: 'server',
    stimulus: ['handshake', 'use:tour'],
    given,
    expect,
    message: 'Say what was seen: {{seen}}.',
    fix: 'Say how an author fixes it.',
    examples: examples.map((example) => ({ ...example, notLive: notPlayed })) as RuleFile['examples'],
  };
  return `${JSON.stringify(rule, null, 2)}\n`;
}

/** The same for a permission: a rule of level MAY, which tells whether something is used. */
function featureScaffold(requirement: Requirement, file: string): string {
  const trace = (result: string): string[] => [`> {"id":1,"method":"${method}"}`, `< {"id":1,"result":${result}}`];
  const rule: FeatureFile = {
    ...schemaLink(file),
    title: titleOf(requirement.statement),
    requirement: [requirement.id],
    role: 'server',
    stimulus: ['handshake', 'use:tour'],
    given: forms.exchange.given,
    uses: forms.exchange.expect,
    examples: [
      { verdict: 'used', trace: trace('{"member":1}'), notLive: notPlayed },
      { verdict: 'not-seen', trace: trace('{}'), notLive: notPlayed },
    ],
  };
  return `${JSON.stringify(rule, null, 2)}\n`;
}

/** For editors; a path only where it will still hold tomorrow. */
function schemaLink(file: string): { $schema?: string } {
  const schema = path.join(packageRoot(), 'rules', 'language', 'rule.schema.json');
  const relative = path.relative(path.dirname(path.resolve(file)), schema);
  const near = !path.relative(process.cwd(), schema).startsWith('..');
  return near ? { $schema: relative.split(path.sep).join('/') } : {};
}

function titleOf(statement: string): string {
  const title = statement.replace(/\.$/, '');
  if (title.length > 120) return `${title.slice(0, 119).replace(/\s+\S*$/, '')}…`;
  return title.length < 10 ? `${title} holds`.padEnd(10, '.') : title;
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
