/**
 * Checks that the texts of a rule are readable. Rendered for a failing example they must not contain names of facts and
 * operators or regular expressions, must be fluent and short, and must not name a property or method of another
 * revision.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openRuleChecker } from '../project.ts';
import { operators } from '../../core/evaluate/operators/operators.ts';
import { factsOf } from '../../core/facts/registry/registry.ts';
import type { ReportVerdict } from '../../core/model/reports/run-report.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import { readFactFiles } from '../../files/package/load-rules.ts';
import { conditionsOf, leavesOf } from '../../core/rules/shared-definitions.ts';
import { rulesFolder } from '../../files/package/package-root.ts';
import { revisions } from '../../core/spec/revisions.ts';
import { asObject } from '../../core/model/json.ts';

export interface WordProblem {
  /** Text of the rule, or of what its conditions say. */
  text: 'message' | 'expected' | 'actual' | 'fix';
  /** The problem, with the text. */
  why: string;
}

export interface RuleWords {
  /**
   * @param said all exchanged messages, as JSON: a text may quote their words
   * @returns problems in the texts of a verdict of the rule
   */
  ofVerdict(verdict: ReportVerdict, rule: CompiledRule, said: string): WordProblem[];
  /**
   * Numbers that a text tests for presence without handling 0: an error code may be 0, and then the text would speak of
   * a result.
   *
   * @param facts of a subject that breaks the rule
   */
  zeroes(rule: CompiledRule, facts: Record<string, unknown>): WordProblem[];
  /**
   * Names of foreign revisions in the texts of a rule.
   * @param said its examples, as JSON
   */
  foreign(rule: CompiledRule, said: string): WordProblem[];
}

const longest = 300;
const askedFor = /\{\{(?:#if|#unless|else if) ([\w.]+)[^}]*\}\}/g;
/** Derived facts of these are numbers. */
const counts: ReadonlySet<string> = new Set(['count', 'length', 'min', 'max', 'spread', 'time']);
/** Camel case, which is what facts, operators and properties have in common. */
const camel = /\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g;
const methodName = /\b[a-z]+(?:\/[a-z_]+)+\b/g;
const isXIs = /\bis (?:result|params|error|id|\w+\[[^\]]*\]|\w+\.\w+)[\w.[\]*]* is\b/;
const doubled = /\b([A-Za-z]{2,})\s+\1\b/;
const unfinished = ['[object Object]', 'undefined', '{{', '}}', ' ,', ': .', 'is .', 'with .', 'not so:'];

/**
 * @param houseFacts paths of files of derived facts
 * @throws RuleFileError when one of them is broken
 */
export function openRuleWords(houseFacts: readonly string[]): RuleWords {
  // Without their scope.
  const derived = readFactFiles(rulesFolder(), houseFacts, openRuleChecker()).flatMap(({ facts }) =>
    facts.map(({ name }) => name.slice(name.indexOf('.') + 1)),
  );
  const vocabulary = new Map<Revision, ReadonlySet<string>>(revisions.map((revision) => [revision, namesOf(revision)]));
  const anywhere = new Set([...vocabulary.values()].flatMap((names) => [...names]));
  const operatorNames = operators.map(({ name }) => name).filter((name) => /[a-z][A-Z]/.test(name));

  function faultsIn(text: string, rule: CompiledRule, said: string): string[] {
    const facts = new Set([...factsOf(rule.kind).keys(), ...factsOf('connection').keys(), ...derived]);
    const tokens: string[] = text.match(camel) ?? [];
    const found = [
      ...tokens
        .filter((token) => facts.has(token) && !anywhere.has(token) && !said.includes(token))
        .map((token) => `names the fact ${token}`),
      ...operatorNames
        .filter((name) => tokens.includes(name) && !said.includes(name))
        .map((name) => `names the operator ${name}`),
      ...patternsOf(rule)
        .filter((pattern) => text.includes(pattern))
        .map((pattern) => `holds the regular expression ${pattern}`),
    ];
    if (isXIs.test(text)) found.push('says "is x is"');
    const double = doubled.exec(text)?.[0];
    if (double !== undefined && !said.includes(double)) found.push(`says "${double}"`);
    for (const odd of unfinished) if (text.includes(odd) && !said.includes(odd)) found.push(`holds "${odd}"`);
    if (text.length > longest) found.push(`has ${text.length} characters, where ${longest} are the most`);
    return found;
  }

  return {
    ofVerdict(verdict, rule, said) {
      return (['message', 'expected', 'actual', 'fix'] as const).flatMap((name) => {
        const text = verdict[name];
        // A failure that nothing could be said of has none.
        return text === null
          ? []
          : faultsIn(text, rule, said).map((fault) => ({ text: name, why: `${fault}: ${text}` }));
      });
    },
    zeroes(rule, facts) {
      return (['message', 'fix'] as const).flatMap((text) =>
        [...rule[text].matchAll(askedFor)].flatMap(([whole, name]): WordProblem[] =>
          whole.includes('includeZero=') || !isNumber(rule, name!, facts)
            ? []
            : [
                {
                  text,
                  why: `asks whether ${name} is there, and takes 0 for absent: write {{#if ${name} includeZero=true}}, or false where 0 means none`,
                },
              ],
        ),
      );
    },
    foreign(rule, said) {
      return revisions.flatMap((revision) => {
        const own = rule.at[revision] === undefined ? undefined : vocabulary.get(revision);
        if (own === undefined) return [];
        const allSaid = `${said}${JSON.stringify([rule.requirements, rule.at[revision]])}`;
        return (['message', 'fix'] as const).flatMap((name) => {
          const text = rule[name].replace(/\{\{[^}]*\}\}/g, ' ');
          const words = [...(text.match(camel) ?? []), ...(text.match(methodName) ?? [])];
          return words
            .filter((word) => anywhere.has(word) && !own.has(word) && !allSaid.includes(word))
            .map(
              (word): WordProblem => ({
                text: name,
                why: `${word} is of another revision than ${revision}: ${rule[name]}`,
              }),
            );
        });
      });
    },
  };
}

/** True if the fact, or the given part of it, is a number. */
function isNumber(rule: CompiledRule, name: string, facts: Record<string, unknown>): boolean {
  const [fact, ...parts] = name.split('.') as [string, ...string[]];
  if (factsOf(rule.kind).get(fact)?.definition.number === true) return true;
  if (counts.has(rule.textFacts?.[fact]?.steps.at(-1)?.do ?? '')) return true;
  return typeof parts.reduce<unknown>((value, part) => asObject(value)?.[part], facts[fact]) === 'number';
}

/** Regular expressions in the conditions of a rule, except those that read as plain text. */
function patternsOf(rule: CompiledRule): string[] {
  return conditionsOf(rule).flatMap((condition) =>
    leavesOf(condition, '').flatMap(({ leaf: { operator, value } }) =>
      operator.toLowerCase().endsWith('matches') &&
      typeof value === 'string' &&
      value.length > 3 &&
      /[\\^$*+?()[\]|]/.test(value)
        ? [value]
        : [],
    ),
  );
}

/** Methods and properties of a revision. */
function namesOf(revision: Revision): ReadonlySet<string> {
  return new Set(
    readFileSync(path.join(rulesFolder(), `messages/${revision}.json`), 'utf8').match(/[A-Za-z_]+(?:\/[A-Za-z_]+)*/g),
  );
}
