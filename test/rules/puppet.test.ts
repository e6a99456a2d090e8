/**
 * Gate 2: played live by the puppet, each example gets its verdict again: on one transport by turns, so that each
 * rule meets all of its transports. An eighth of the rules is due in `npm test`, and those that changed;
 * with --mode all every one, on every transport.
 */
import { afterAll, expect, test } from 'vitest';
import { runExample } from '../support/live-run.ts';
import { loadProject, settingsOf } from '../support/rules.ts';
import { changed, everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { openStdioPuppets } from '../support/stdio-puppets.ts';
import { traceText } from '../support/trace-text.ts';
import { inTurns } from '../support/turns.ts';

const project = await loadProject();
const puppets = await openStdioPuppets({ processes: 'where needed' });
afterAll(() => puppets.dispose());

// Rules of level MAY send nothing of their own; what of them shows live the gate of the reference server tells.
const ofServers = project.sources.filter(({ rule }) => rule.role === 'server' && rule.uses === undefined);
const played = someOf(
  ofServers,
  16,
  ({ id }) => `puppet ${id}`,
  ({ id }) => changed.has(id),
).flatMap(({ id, rule }) => {
  const compiled = project.rule(id);
  const playable = rule.examples.flatMap((example, index) =>
    example.notLive === undefined
      ? [{ example, index, verdict: example.verdict, settings: settingsOf(compiled, example) }]
      : [],
  );
  const cases = everything
    ? playable.flatMap((one) => one.settings.map((setting) => ({ example: one, setting })))
    : inTurns(id, playable);
  return cases.map(({ example: { example, index }, setting }) => ({ id, compiled, example, index, setting }));
});

for (const { id, compiled, example, index, setting } of played) {
  test.concurrent(`${id}, example ${index}, ${example.verdict}, ${setting.transport}`, async () => {
    const run = await runExample(compiled, example, setting, puppets);
    const seen = run.outcome?.status ?? `no verdict (${run.unreachable ?? 'the rule was not judged'})`;
    const told = () => [
      `wanted ${example.verdict}, came to ${seen} at ${setting.revision}`,
      run.outcome?.actual && `actual: ${run.outcome.actual}`,
      run.unreachable && `probing: ${run.unreachable}`,
      ...example.trace,
      'live:',
      traceText(run.trace),
    ];
    expect(seen, seen === example.verdict ? '' : told().filter(Boolean).join('\n')).toBe(example.verdict);
  });
}
