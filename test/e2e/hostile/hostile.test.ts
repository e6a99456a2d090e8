/**
 * Hostile servers: `mcpc check` ends with the right code and words, within its memory, and leaves no process behind.
 * A few of the quick ones here, by turns; all of them in the full run (--mode all).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everything } from '../../support/run/options.ts';
import { someOf } from '../../support/run/some-of.ts';
import { wholeOf, type HostileCase } from './case.ts';
import { hostileCases } from './cases.ts';
import { runHostile } from './run-hostile.ts';

const list = new URL('../hostile.md', import.meta.url);

/** Those that take longer than two seconds alone are for the full run. */
const due = hostileCases.filter(({ slow }) => everything || slow !== true);
const wholes = due.flatMap((one) => wholeOf(one) ?? []);
const nameOf = ({ id, transport }: HostileCase): string => `${id} ${transport}`;

async function survives(hostile: HostileCase): Promise<void> {
  const { exit, text, kept, peakMb, orphans } = await runHostile(hostile);
  for (const words of hostile.says) expect(text).toMatch(words);
  for (const words of hostile.saysNot ?? []) expect(text).not.toMatch(words);
  expect(text).not.toMatch(/internal error|mcpc itself failed/i);
  expect(exit).toBe(hostile.exit);
  expect(kept).toEqual(hostile.keeps ?? {});
  expect(orphans).toEqual([]);
  expect(peakMb).toBeLessThan(hostile.mostMb ?? 400);
}

/** Those that keep the machine busy come one after another, so that what is told of them is not that of their neighbours; the others mostly wait. */
function trySome(cases: readonly HostileCase[]): void {
  const chosen = someOf(cases, 24, nameOf);
  const isBusy = ({ part, alone }: HostileCase): boolean => alone === true || part === 'memory' || part === 'work';
  test.concurrent.each(chosen.filter((one) => !isBusy(one)))('$part: $id ($transport) $does', survives);
  test.each(chosen.filter(isBusy))('$part: $id ($transport) $does', survives);
}

describe('a hostile server', { timeout: 300_000 }, () => trySome(due));

/** The cases above look at one promise each; here the same servers meet everything that a check asks. */
describe('a hostile server, by all rules', { timeout: 300_000 }, () => trySome(wholes));

test('each is named once', () => {
  const names = hostileCases.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('hostile.md lists them all', () => {
  const rows = hostileCases
    .map(
      (one) =>
        `| ${one.part} | ${one.id} | ${one.transport} | ${one.does} | ${one.exit} | ${(wholeOf(one) ?? one).exit} |`,
    )
    .sort();
  const wanted = [
    '# Hostile servers',
    '',
    `Servers that \`mcpc check\` is tried on (test/e2e/hostile). Written by \`UPDATE_GOLDEN=1 npx vitest run test/e2e/hostile\`.`,
    '',
    '| promise | server | transport | what it does | exit code | of a check by all rules |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(list, wanted);
  expect(readFileSync(list, 'utf8')).toBe(wanted);
});
