/**
 * Gate 5 for clients: each fault of the reference client is failed by the rule that it breaks and by no unrelated one. Some of
 * them in `npm test`, on one setting each; all of them on each setting with --mode all.
 */
import { expect, test } from 'vitest';
import { changed, everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { clientFaults, rulesBy, runFault, settingsOfFault, unrelatedRules } from '../support/reference-client.ts';
import { loadProject } from '../support/rules.ts';

const faults = clientFaults(await loadProject());
const due = someOf(
  faults,
  20,
  ({ id }) => `client ${id}`,
  ({ rule }) => changed.has(rule),
).flatMap((fault) => {
  const settings = settingsOfFault(fault);
  return (everything ? settings : settings.slice(-1)).map((setting) => ({ fault, setting }));
});

for (const { fault, setting } of due) {
  const { id, rule, description } = fault;
  test.concurrent(`${id}, ${setting.transport} ${setting.revision}`, async () => {
    const found = rulesBy(await runFault(setting, fault), 'fail');
    expect(found, description).toContain(rule);
    expect(unrelatedRules(fault, found)).toEqual([]);
  });
}
