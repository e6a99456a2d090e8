/** Gate 1: each example of each rule gets the verdict that it is labelled with, from that rule alone. */
import { describe, expect, test } from 'vitest';
import { exampleTrace } from '../../src/rules/examples/example-trace.ts';
import { judgeTrace, loadProject, settingsOf } from '../support/rules.ts';

const project = await loadProject();

describe.each(project.sources)('$id', ({ id, rule }) => {
  const compiled = project.rule(id);
  test.each(rule.examples.flatMap((example, index) => settingsOf(compiled, example).map((setting) => ({ example, index, ...setting }))))(
    'example $index ($example.verdict) on $transport at $revision',
    async ({ example, transport, revision, era }) => {
      const trace = exampleTrace(example, { transport, revision, era });
      const outcome = await judgeTrace(compiled, trace);
      expect({ verdict: outcome?.status, reason: outcome?.reason, actual: outcome?.actual }).toMatchObject({ verdict: example.verdict });
    },
  );
});
