/**
 * Facts that a house rule brings as code: `<slug>.facts.mjs` in the folder of `<slug>.json` exports `facts`, a list of derived
 * facts whose `read` takes the value of the fact named by `of`. It runs in the process of mcpc, so it is loaded only
 * where the user asks for it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import { asText, isObject } from '../../core/model/json.ts';
import type { DerivedFactEntry } from '../../core/model/rules/derived-fact.ts';
import { matchFiles } from './match-files.ts';
import { RuleFileError } from './rule-file-error.ts';

const ending = '.facts.mjs';

export function isRuleCode(file: string): boolean {
  return file.endsWith(ending);
}

/** Absolute paths of the code of rule files. @param patterns paths or globs of rule files */
export function codeBeside(patterns: readonly string[]): string[] {
  const files = patterns
    .flatMap(matchFiles)
    .map((file) => path.resolve(file.endsWith('.json') ? file.slice(0, -5) + ending : file));
  return [...new Set(files)].filter((file) => isRuleCode(file) && existsSync(file));
}

/**
 * The paths of derived facts with those of the code of the rules.
 * @throws McpcError usage where there is such code and the user has not allowed it
 */
export function withRuleCode(rules: readonly string[], facts: readonly string[], allowed: boolean): string[] {
  const given = facts.find(isRuleCode);
  if (given !== undefined)
    throw usageError(
      `${given} is code, and --facts takes JSON files.`,
      'Put it into the folder of its rule and add --rules-code.',
    );
  const found = codeBeside(rules);
  if (found.length > 0 && !allowed)
    throw usageError(
      `${path.relative('', found[0]!)} is code that a rule needs, and it runs in the process of mcpc.`,
      'Read it, then add --rules-code to run it; or leave out its rule.',
    );
  return [...facts, ...found];
}

/** @throws RuleFileError for code that cannot be loaded or exports something else */
export function loadRuleCode(file: string): DerivedFactEntry[] {
  const fail = (message: string): never => {
    throw new RuleFileError([{ file, path: '', message }]);
  };
  const code = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  let exported: unknown;
  try {
    exported = createRequire(import.meta.url)(file);
  } catch (error) {
    return fail(`cannot be loaded: ${error instanceof Error ? error.message : asText(error)}`);
  }
  const facts = isObject(exported) ? exported['facts'] : undefined;
  if (!Array.isArray(facts) || facts.length === 0) return fail('exports no list "facts"');
  return facts.map((one: unknown, index): DerivedFactEntry => {
    if (!isObject(one) || !['name', 'of', 'says'].every((member) => typeof one[member] === 'string'))
      return fail(`facts[${index}] has no name, of and says, all strings`);
    const { name, of, says, read } = one as unknown as DerivedFactEntry & { read: unknown };
    if (typeof read !== 'function') return fail(`facts[${index}] (${name}) has no function "read"`);
    return { name, of, says, code, read: read as (value: unknown) => unknown };
  });
}
