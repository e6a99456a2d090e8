/**
 * The fast path and json-rules-engine, whether it evaluates all leaves or stops where it can, say the same of every
 * subject in every example of every rule; of a quarter of the rules in `npm test`, and of all with --mode all.
 */
import { expect, test } from 'vitest';
import { createConditionFactory } from '../../src/core/evaluate/conditions/engine.ts';
import { readNow, readRecorded } from '../../src/core/evaluate/conditions/fact-reader.ts';
import type { OperatorContext } from '../../src/core/evaluate/operators/operator.ts';
import { compilePredicate } from '../../src/core/evaluate/conditions/predicate.ts';
import { createFold } from '../../src/core/facts/fold/fold.ts';
import { settled } from '../../src/core/facts/core/reading.ts';
import type { Subject } from '../../src/core/facts/state/subject.ts';
import { mergeMethodTables } from '../../src/core/facts/requests/method-table.ts';
import { createJsonSchemas } from '../../src/core/json-schema/json-schemas.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import type { Condition } from '../../src/core/model/rules/rule.ts';
import type { Trace } from '../../src/core/model/trace.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { conditionsOf } from '../../src/core/rules/shared-definitions.ts';
import { loadValidators } from '../../src/files/package/load-validators.ts';
import { methodTables } from '../../src/files/package/method-tables.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { changed, thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { loadProject, settingsOf } from '../support/rules.ts';

const project = await loadProject();
const methods = mergeMethodTables(await methodTables());

function subjectsOf(trace: Trace): Subject[] {
  const subjects: Subject[] = [];
  const fold = createFold({ transport: trace.header.transport, methods, knownRevisions: revisions });
  const keep = (next: Iterable<Subject>): void => {
    for (const one of next) subjects.push({ ...one, facts: settled(one.facts) });
  };
  for (const event of trace.events) keep(fold.push(event));
  keep(fold.end());
  return subjects;
}

/** Both evaluations of a condition, compiled once for a revision. */
async function createBoth(revision: Revision) {
  const validators = await loadValidators(revision);
  const context: OperatorContext = {
    schemaFindings: (type, value) => (validators.has(type) ? validators.validate(type, value) : []),
    jsonSchemas: createJsonSchemas(revision),
  };
  const factory = createConditionFactory(context);
  return (condition: Condition) => ({
    predicate: compilePredicate(condition, context),
    check: factory.compile(condition),
  });
}

test.runIf(thorough)('both evaluations of every condition agree', async () => {
  const both = new Map(
    await Promise.all(revisions.map(async (revision) => [revision, await createBoth(revision)] as const)),
  );
  let compared = 0;
  const due = someOf(
    project.sources,
    4,
    ({ id }) => `predicate ${id}`,
    ({ id }) => changed.has(id),
  );
  for (const { id, rule: source } of due) {
    const rule = project.rule(id);
    const compiled = new Map(revisions.map((revision) => [revision, conditionsOf(rule).map(both.get(revision)!)]));
    for (const example of source.examples) {
      const [setting] = settingsOf(rule, example);
      if (!setting) continue;
      const subjects = subjectsOf(exampleTrace(example, setting)).filter((one) => one.kind === rule.kind);
      for (const { predicate, check } of compiled.get(setting.revision)!) {
        for (const subject of subjects) {
          const { holds } = await check.run(readNow(subject));
          compared += 1;
          const decided = await check.decide(readRecorded(subject));
          if (decided !== holds)
            expect.fail(
              `${id}: the engine says ${holds} of all leaves, ${decided} in order, on ${JSON.stringify(subject.facts)}`,
            );
          if (predicate(subject) !== holds)
            expect.fail(`${id}: predicate ${!holds}, engine ${holds}, on ${JSON.stringify(subject.facts)}`);
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(due.length);
});
