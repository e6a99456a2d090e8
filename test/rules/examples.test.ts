/**
 * Gate 1: each example of each rule gets the verdict that it is labelled with, from that rule alone: on one transport by
 * turns, so that each rule meets all of its transports; on every one for rules that changed, and with
 * --mode all.
 */
import { describe, expect, test } from 'vitest';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { judgeAny, loadProject, settingsOf } from '../support/rules.ts';
import { changed, everything } from '../support/run/options.ts';
import { inTurns } from '../support/turns.ts';

const project = await loadProject();

describe.each(project.sources)('$id', ({ id, rule }) => {
  const compiled = project.rule(id);
  const examples = rule.examples.map((example, index) => ({
    example,
    index,
    verdict: example.verdict,
    settings: settingsOf(compiled, example),
  }));
  const all = everything || changed.has(id);
  const cases = all
    ? examples.flatMap((one) => one.settings.map((setting) => ({ example: one, setting })))
    : inTurns(id, examples);
  test.each(cases.map(({ example: { example, index }, setting }) => ({ example, index, ...setting })))(
    'example $index ($example.verdict) on $transport at $revision',
    async ({ example, transport, revision, era }) => {
      const trace = exampleTrace(example, { transport, revision, era });
      const outcome = await judgeAny(compiled, trace);
      expect({ verdict: outcome?.status, reason: outcome?.reason, actual: outcome?.actual }).toMatchObject({
        verdict: example.verdict,
      });
    },
  );
});
