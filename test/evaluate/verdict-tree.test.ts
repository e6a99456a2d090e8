/**
 * What the tree says of subjects is what each rule would have said of each of them: all subjects of all examples,
 * twice over, judged with trees and without. The examples of a twentieth of the rules in `npm test`; all with --mode all.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { createConditionFactory } from '../../src/core/evaluate/conditions/engine.ts';
import type { OperatorContext } from '../../src/core/evaluate/operators/operator.ts';
import { createLeafTests } from '../../src/core/evaluate/conditions/leaf.ts';
import { leafOf } from '../../src/core/evaluate/conditions/questions.ts';
import { createRuleJudge, type RuleJudge } from '../../src/core/evaluate/rule-judge.ts';
import { createTrees, selectsBy } from '../../src/core/evaluate/trees.ts';
import { createFold, type NextSubject } from '../../src/core/facts/core/fold.ts';
import { settled } from '../../src/core/facts/core/reading.ts';
import type { Subject } from '../../src/core/facts/core/subject.ts';
import { createUnrecorded } from '../../src/core/facts/core/unrecorded.ts';
import { mergeMethodTables } from '../../src/core/facts/jsonrpc/method-table.ts';
import { createJsonSchemas } from '../../src/core/json-schema/json-schemas.ts';
import type { CompiledRule } from '../../src/core/model/rules/rule.ts';
import type { Recorded, TransportKind } from '../../src/core/model/trace.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { loadValidators } from '../../src/files/package/load-validators.ts';
import { methodTables } from '../../src/files/package/method-tables.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { loadProject, settingsOf } from '../support/rules.ts';
import { changed, everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { eachSubject } from '../support/each-subject.ts';

const project = await loadProject();
const methods = mergeMethodTables(await methodTables());
const settings = (['stdio', 'http', 'sse'] as const).flatMap((transport) =>
  revisions.map((revision) => ({ transport, revision })),
);
const due = someOf(
  project.sources,
  20,
  ({ id }) => `tree ${id}`,
  ({ id }) => changed.has(id),
);

/** All subjects that the examples of the rules make in a setting, in sessions of their own. */
function subjectsIn(transport: TransportKind, revision: string): Subject[] {
  const subjects: Subject[] = [];
  for (const { id, rule } of due) {
    for (const example of rule.examples) {
      const setting = settingsOf(project.rule(id), example).find(
        (one) => one.transport === transport && one.revision === revision,
      );
      if (!setting) continue;
      const fold = createFold({ transport, methods, knownRevisions: revisions });
      const keep = (next: NextSubject): void => {
        for (const one of eachSubject(next)) subjects.push({ ...one, facts: settled(one.facts) });
      };
      for (const event of exampleTrace(example, setting).events) keep(fold.push(event));
      keep(fold.end());
    }
  }
  return subjects;
}

/** Judges of their own for a run, and the promises that they leave. */
function judgesOf(
  rules: readonly CompiledRule[],
  context: OperatorContext,
): { judges: RuleJudge[]; due: Promise<void>[] } {
  const due: Promise<void>[] = [];
  const factory = createConditionFactory(context);
  const tests = createLeafTests(context, leafOf);
  return {
    judges: rules.map((rule) =>
      createRuleJudge(rule, { factory, tests, context }, { wait: (one) => void due.push(one) }),
    ),
    due,
  };
}

async function outcomesOf({ judges, due }: { judges: RuleJudge[]; due: Promise<void>[] }, transport: TransportKind) {
  await Promise.all(due);
  return Object.fromEntries(
    judges.map((judge) => {
      const { status, judged, failed, selected, evidence, reason } = judge.outcome(transport);
      return [judge.rule.id, { status, judged, failed, selected, evidence, reason }];
    }),
  );
}

function selects({ filter }: CompiledRule, { facts }: Subject): boolean {
  return Object.entries(filter).every(([name, wanted]) => [wanted].flat().includes(facts[name]));
}

/** Trees are compiled at once, and again as they grow, so that both ways through them are gone. */
const walks = 1;

/** Captures that lack something: facts are hidden, of some subjects more than of others. */
const captures: (Recorded | undefined)[] = [
  undefined,
  {
    transport: true,
    exchanges: false,
    streams: false,
    timing: false,
    bytes: false,
    start: true,
    order: true,
    direction: true,
  },
  {
    transport: true,
    exchanges: true,
    streams: false,
    timing: false,
    bytes: false,
    start: false,
    order: false,
    direction: true,
  },
];

/** One of them in `npm test`. */
function lacking(transport: TransportKind): (Recorded | undefined)[] {
  return someOf([...captures.entries()], captures.length, ([at]) => `tree ${transport} ${at}`).map(
    ([, recorded]) => recorded,
  );
}

// All examples of all rules, twice: on a busy machine that takes its time.
describe('a tree changes no verdict, no count and no evidence', { timeout: 300_000 }, () => {
  let judgedSomewhere = false;
  afterAll(() => expect(judgedSomewhere).toBe(true));

  test.each(settings)('over $transport at $revision', async ({ transport, revision }) => {
    const validators = await loadValidators(revision);
    const context: OperatorContext = {
      schemaFindings: (type, value) => (validators.has(type) ? validators.validate(type, value) : undefined),
      jsonSchemas: createJsonSchemas(revision),
    };
    const rules = project.sources
      .map(({ id }) => project.rule(id))
      .filter((rule) => rule.at[revision] !== undefined && rule.transports.includes(transport));
    // What hides facts is the same everywhere; two settings have all kinds of subjects.
    const some =
      revision === (transport === 'http' ? '2026-07-28' : '2025-11-25') ? lacking(transport) : captures.slice(0, 1);
    for (const recorded of some) {
      const gaps = createUnrecorded(recorded, transport, methods);
      const once = subjectsIn(transport, revision).flatMap((subject) => (gaps ? (gaps.hide(subject) ?? []) : subject));
      const [plain, together] = [judgesOf(rules, context), judgesOf(rules, context)];
      const treeOf = createTrees(together.judges, createLeafTests(context, leafOf), walks);
      for (const subject of [...once, ...once]) {
        treeOf(subject)?.take(subject);
        for (const judge of plain.judges) {
          if (judge.rule.kind !== subject.kind || !selects(judge.rule, subject)) continue;
          // What a rule selects by may come from a gap: the case is dropped.
          if (selectsBy(judge.rule, subject.hidden ?? new Set())) judge.drop(subject);
          else judge.take(subject);
        }
      }
      const expected = await outcomesOf(plain, transport);
      expect(await outcomesOf(together, transport)).toEqual(expected);
      const isJudged = Object.values(expected).some(({ judged }) => judged > 0);
      judgedSomewhere ||= isJudged;
      // Of a part of the rules, a setting may have subjects that none of them judges.
      if (everything && once.length > 0) expect(isJudged).toBe(true);
    }
  });
});
