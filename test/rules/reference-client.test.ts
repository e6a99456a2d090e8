/**
 * Gate 5 for clients: the faultless reference client breaks no rule on any transport and revision that it speaks, and what
 * stays undecided stands on a list with reasons. Some of the settings in `npm test`; all of them with --mode all.
 */
import { describe, expect, test } from 'vitest';
import {
  clientLiberties,
  clientSettings,
  rulesBy,
  runReference,
  type ClientSetting,
} from '../support/reference-client.ts';
import { someOf } from '../support/run/some-of.ts';
import { undecidedOfClients } from './undecided-on-client.ts';

const settings = someOf(clientSettings, 5, ({ transport, revision }) => `reference client ${transport} ${revision}`);
const nameOf = ({ transport, revision }: ClientSetting): string => `${transport} ${revision}`;

describe('the reference client', () => {
  test.each(settings.map((setting) => [nameOf(setting), setting] as const))('over %s', async (_, setting) => {
    const reports = [
      await runReference(setting),
      // What a client leaves out decides the rules about what it does not offer.
      await runReference(setting, { capabilities: {} }),
      await runReference(setting, { capabilities: { elicitation: { form: {} }, sampling: { tools: {} } } }),
    ];
    expect(reports.flatMap((report) => rulesBy(report, 'fail'))).toEqual([]);
    expect(reports.flatMap((report) => rulesBy(report, 'error'))).toEqual([]);
    const open = reports.map((report) => new Set(rulesBy(report, 'not-exercised')));
    const decided = new Set(reports.flatMap((report) => rulesBy(report, 'pass')));
    const undecided = [...open[0]!].filter((rule) => !decided.has(rule));
    const listed = undecidedOfClients(setting);
    expect(undecided.filter((rule) => !listed.has(rule))).toEqual([]);
    expect([...listed].filter((rule) => decided.has(rule))).toEqual([]);
  });
});

describe('what a client is free to do breaks nothing', () => {
  const cases = clientLiberties.flatMap((liberty) =>
    clientSettings.map((setting) => ({ ...liberty, setting, title: `${liberty.name}, ${nameOf(setting)}` })),
  );
  test.concurrent.each(someOf(cases, 80, ({ title }) => title).map((one) => [one.title, one] as const))(
    '%s',
    async (_, { options, setting }) => {
      expect(rulesBy(await runReference(setting, options), 'fail')).toEqual([]);
    },
  );
});
