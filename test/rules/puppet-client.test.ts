/**
 * Gate 2 for clients: a puppet client plays each example of a rule about clients against the live situation of the rule, and
 * the example gets its verdict again, on one transport by turns. Some of the rules in `npm test`, and those that changed; with
 * --mode all each of them on every transport, and what cannot be played, to see whether it still cannot.
 */
import { expect, test } from 'vitest';
import { runClientExample } from '../support/puppet-client/run-example.ts';
import { loadProject, settingsOf } from '../support/rules.ts';
import { changed, everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { inTurns } from '../support/turns.ts';
import { needsSpeed, unplayedAreas, whyUnplayed } from './unplayed-client-examples.ts';

const project = await loadProject();
const ofClients = project.sources.filter(
  ({ id, rule }) => rule.role === 'client' && unplayedAreas[id.slice(0, id.indexOf('/'))] === undefined,
);
const due = someOf(
  ofClients,
  20,
  ({ id }) => `puppet client ${id}`,
  ({ id }) => changed.has(id),
).flatMap(({ id, rule }) => {
  const compiled = project.rule(id);
  const playable = rule.examples.map((example, index) => ({
    example,
    index,
    verdict: example.verdict,
    // HTTP+SSE knows no stateless era.
    settings: settingsOf(compiled, example).filter(({ transport, era }) => transport !== 'sse' || era === 'stateful'),
  }));
  const cases = everything
    ? playable.flatMap((one) => one.settings.map((setting) => ({ example: one, setting })))
    : inTurns(id, playable).filter(
        ({ example: { index }, setting }) => whyUnplayed(id, index, setting.transport) === undefined,
      );
  return cases
    .filter(({ example: { index }, setting }) => !needsSpeed(id, index, setting.transport))
    .map(({ example: { example, index }, setting }) => ({ id, compiled, example, index, setting }));
});

for (const { id, compiled, example, index, setting } of due) {
  test.concurrent(`${id}, example ${index}, ${example.verdict}, ${setting.transport}`, async () => {
    const why = whyUnplayed(id, index, setting.transport);
    const expected = why === undefined ? example.verdict : undefined;
    const { verdict, message, missed } = await runClientExample(compiled, example, setting, expected);
    const seen = [message, ...example.trace, ...missed.map((what) => `the live server did not do: ${what}`)].filter(
      (line) => line !== undefined,
    );
    if (why === undefined) expect(verdict, verdict === example.verdict ? '' : seen.join('\n')).toBe(example.verdict);
    else expect(verdict, 'it can be played, and leaves the list of those that cannot').not.toBe(example.verdict);
  });
}
