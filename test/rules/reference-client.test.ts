/**
 * Gate 5 for clients: the faultless reference client breaks no rule on any transport and revision that it speaks, and what
 * stays undecided stands on a list with reasons. Some of the settings in `npm test`; all of them with --mode all.
 */
import { describe, expect, test } from 'vitest';
import { clientSettings, rulesBy, runReference, type ClientSetting } from '../support/reference-client.ts';
import { someOf } from '../support/run/some-of.ts';
import type { ReferenceOptions, Variant } from '../reference-client/client.ts';
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
  const free: Record<string, ReferenceOptions['capabilities'] | Variant> = {
    'has no capability': {},
    'offers forms alone': { elicitation: {} },
    ...Object.fromEntries(
      (
        [
          'declines',
          'string-ids',
          'lists-nothing',
          'pings-early',
          'keeps-its-session',
          'gives-up',
          'in-parallel',
          'resumes-late',
          'lists-once',
        ] as const
      ).map((variant) => [variant, variant]),
    ),
  };
  const cases = Object.entries(free).flatMap(([name, how]) =>
    clientSettings.map((setting) => ({ name, how, setting, title: `${name}, ${nameOf(setting)}` })),
  );
  test.concurrent.each(someOf(cases, 24, ({ title }) => title).map((one) => [one.title, one] as const))(
    '%s',
    async (_, one) => {
      const { how, setting } = one;
      const options = typeof how === 'string' ? { variant: new Set([how as Variant]) } : { capabilities: how! };
      expect(rulesBy(await runReference(setting, options), 'fail')).toEqual([]);
    },
  );
});
