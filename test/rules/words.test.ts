/**
 * Gate over the words of reports: each failing example of each rule is rendered, and no text may hold what only mcpc
 * understands (names of facts and operators, regular expressions), name properties of another revision, stumble, or
 * be too long to be read.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTextRenderer, verdictOf } from '../../src/app/report/verdict-text.ts';
import { operators } from '../../src/evaluate/operators/operators.ts';
import { factsOf } from '../../src/facts/core/registry.ts';
import type { ReportVerdict } from '../../src/model/reports/run-report.ts';
import type { Revision } from '../../src/model/rules/requirement.ts';
import type { CompiledRule } from '../../src/model/rules/rule.ts';
import { exampleTrace } from '../../src/rules/examples/example-trace.ts';
import { conditionsOf, leavesOf } from '../../src/rules/shared-definitions.ts';
import { revisions } from '../../src/spec/revisions.ts';
import { judgeTrace, loadProject, root, settingsOf } from '../support/rules.ts';

const project = await loadProject();
const render = createTextRenderer();
const derived = (JSON.parse(readFileSync(path.join(root, 'rules/language/facts.json'), 'utf8')) as { facts: { name: string }[] }).facts.map(({ name }) => name.split('.')[1]!);
const vocabulary = new Map<Revision, ReadonlySet<string>>(revisions.map((revision) => [revision, namesOf(revision)]));
const anywhere = new Set([...vocabulary.values()].flatMap((names) => [...names]));
const operatorNames = operators.map(({ name }) => name).filter((name) => /[a-z][A-Z]/.test(name));

const longest = 300;
/** Camel case, which is what facts, operators and properties have in common. */
const camel = /\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g;

/** Methods and properties of a revision. */
function namesOf(revision: Revision): ReadonlySet<string> {
  const text = readFileSync(path.join(root, `rules/messages/${revision}.json`), 'utf8');
  return new Set(text.match(/[A-Za-z_]+(?:\/[A-Za-z_]+)*/g));
}

/** What is wrong with one text. @param said all that was exchanged: whoever quotes it may use its words */
function faultsIn(text: string, rule: CompiledRule, said: string): string[] {
  const facts = new Set([...factsOf(rule.kind).keys(), ...factsOf('connection').keys(), ...derived]);
  const tokens: string[] = text.match(camel) ?? [];
  const patterns = conditionsOf(rule).flatMap((condition) => leavesOf(condition, '').flatMap(({ leaf }) => (leaf.operator.toLowerCase().endsWith('matches') && typeof leaf.value === 'string' && /[\\^$*+?()[\]|]/.test(leaf.value) ? [leaf.value] : [])));
  const found = [
    ...tokens.filter((token) => facts.has(token) && !anywhere.has(token) && !said.includes(token)).map((token) => `names the fact ${token}`),
    ...operatorNames.filter((name) => tokens.includes(name) && !said.includes(name)).map((name) => `names the operator ${name}`),
    ...patterns.filter((pattern) => pattern.length > 3 && text.includes(pattern)).map((pattern) => `holds the regular expression ${pattern}`),
  ];
  if (/\bis (?:result|params|error|id|\w+\[[^\]]*\]|\w+\.\w+)[\w.[\]*]* is\b/.test(text)) found.push('says "is x is"');
  const double = /\b([A-Za-z]{2,})\s+\1\b/.exec(text)?.[0];
  if (double !== undefined && !said.includes(double)) found.push(`says "${double}"`);
  for (const odd of ['[object Object]', 'undefined', '{{', '}}', ' ,', ': .', 'is .', 'with .', 'not so:']) if (text.includes(odd) && !said.includes(odd)) found.push(`holds "${odd}"`);
  if (text.length > longest) found.push(`has ${text.length} characters`);
  return found;
}

/** Properties and methods of other revisions, in what the rule itself says. */
function foreignWords(text: string, revision: Revision, said: string): string[] {
  const own = vocabulary.get(revision)!;
  const words = [...(text.replace(/\{\{[^}]*\}\}/g, ' ').match(camel) ?? []), ...(text.match(/\b[a-z]+(?:\/[a-z_]+)+\b/g) ?? [])];
  return words.filter((word) => anywhere.has(word) && !own.has(word) && !said.includes(word));
}

describe.each(project.sources)('$id', ({ id, rule }) => {
  const compiled = project.rule(id);
  const failing = rule.examples.flatMap((example, index) => (example.verdict === 'fail' ? [{ example, index, setting: settingsOf(compiled, example)[0]! }] : []));

  test('says what is wrong in words of the specification', async () => {
    const found: string[] = [];
    for (const { example, index, setting } of failing) {
      const trace = exampleTrace(example, setting);
      const outcome = (await judgeTrace(compiled, trace))!;
      const verdict: ReportVerdict = verdictOf(outcome, setting, render);
      const said = JSON.stringify(trace.events);
      for (const name of ['message', 'expected', 'actual', 'fix'] as const) {
        const text = verdict[name];
        // An actual value is a quotation, whatever it holds; a failure that nothing could be said of has none.
        if (text === null) continue;
        for (const fault of faultsIn(text, compiled, said)) found.push(`example ${index}: ${name} ${fault}: ${text}`);
      }
    }
    for (const revision of revisions.filter((one) => compiled.at[one] !== undefined)) {
      const said = JSON.stringify([rule.examples, compiled.requirements, compiled.at[revision]]);
      for (const text of [compiled.message, compiled.fix]) for (const word of foreignWords(text, revision, said)) found.push(`${revision}: ${word} is of another revision: ${text}`);
    }
    expect([...new Set(found)]).toEqual([]);
  });
});
