/** The order in which checks of a fleet are begun. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { inGoodOrder } from '../../src/fleet/queue/order.ts';
import { lastedBefore } from '../../src/fleet/run/earlier-times.ts';
import type { FleetEntry } from '../../src/check/settings/fleet-entry.ts';

const entry = (name: string, url?: string): FleetEntry => ({
  name,
  id: name,
  from: 'f',
  folder: '/',
  reach: { kind: 'command', command: 'x', args: [], ...(url === undefined ? {} : { url }) },
  env: {},
  headers: {},
  spec: 'auto',
  timeouts: {},
  tags: [],
  allowDestructive: false,
});
const named = (list: string): FleetEntry[] =>
  list.split(' ').map((name) => entry(name, name.startsWith('h') ? 'http://127.0.0.1:{{port}}/mcp' : undefined));
const order = (list: string, lasted: Record<string, number> = {}): string =>
  inGoodOrder(named(list), new Map(Object.entries(lasted)))
    .map(({ name }) => name)
    .join(' ');

describe('checks are begun', () => {
  test('as they stand in the file, with those at an address spread among those on stdio', () => {
    expect(order('a b c')).toBe('a b c');
    expect(order('h1 h2')).toBe('h1 h2');
    expect(order('a b c d h1 h2')).toBe('a h1 b c h2 d');
    expect(order('h1 a b c d e f')).toBe('a b c h1 d e f');
  });

  test('the longest first, where an earlier run took more than twice as long for them as for most', () => {
    expect(order('a b c d e', { a: 10, b: 21, c: 10, d: 90, e: 19 })).toBe('d a b c e');
    expect(order('a b c d e', { a: 10, b: 21, c: 10, d: 90, e: 9 })).toBe('d b a c e');
    // Of one that was not there then nothing is known.
    expect(order('new a h1 c d', { a: 10, h1: 50, c: 10, d: 10 })).toBe('h1 new a c d');
    expect(order('a b', { gone: 500 })).toBe('a b');
  });

  test('each once, whatever is known of them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.boolean(), fc.nat(50)), { selector: String, maxLength: 30 }),
        fc.array(fc.option(fc.nat(1000), { nil: undefined }), { maxLength: 30 }),
        (kinds, times) => {
          const entries = kinds.map(([isAddressed, number]) =>
            entry(`${isAddressed ? 'h' : 's'}${number}`, isAddressed ? 'http://x' : undefined),
          );
          const known = new Map(
            entries.flatMap(({ id }, index) => (times[index] === undefined ? [] : [[id, times[index]!] as const])),
          );
          expect(
            inGoodOrder(entries, known)
              .map(({ id }) => id)
              .sort(),
          ).toEqual(entries.map(({ id }) => id).sort());
        },
      ),
    );
  });
});

describe('how long checks took', () => {
  let folder = '';
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A run with its header, and a report unless it was cut off. */
  function run(name: string, startedAt: string, ms?: number, profile?: 'quick', id = 'a'): string {
    const directory = path.join(folder, name);
    const ruleSet = { digest: 'd', rules: 1, ...(profile === undefined ? {} : { profile }) };
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      path.join(directory, 'run.json'),
      JSON.stringify({ format: 'mcpc-fleet-run', version: 1, startedAt, ruleSet, servers: [] }),
    );
    if (ms !== undefined)
      writeFileSync(
        path.join(directory, 'fleet.json'),
        JSON.stringify({
          format: 'mcpc-fleet-report',
          version: 1,
          startedAt,
          ruleSet,
          incomplete: null,
          servers: [{ id, durationMs: ms }],
        }),
      );
    return directory;
  }

  test('is what the quick look before the run says, else the run beside it that went before', () => {
    folder = mkdtempSync(path.join(tmpdir(), 'mcpc-order-'));
    const now = run('now', '2026-11-03T00:00:00.000Z');
    expect(lastedBefore(now, ['a', 'b'])).toEqual(new Map());
    run('first', '2026-11-01T00:00:00.000Z', 700);
    run('second', '2026-11-02T00:00:00.000Z', 800);
    expect(lastedBefore(now, ['a', 'b'])).toEqual(new Map([['a', 800]]));
    // One that checked another server alone hides nothing of those before it.
    run('third', '2026-11-02T12:00:00.000Z', 90, undefined, 'b');
    expect(lastedBefore(now, ['a', 'b'])).toEqual(
      new Map([
        ['b', 90],
        ['a', 800],
      ]),
    );
    rmSync(path.join(folder, 'third'), { recursive: true });
    run('now/quick', '2026-11-03T00:00:00.000Z', undefined, 'quick');
    expect(lastedBefore(now, ['a', 'b'])).toEqual(new Map([['a', 800]]));
    run('now/quick', '2026-11-03T00:00:00.000Z', 60, 'quick');
    expect(lastedBefore(now, ['a', 'b'])).toEqual(new Map([['a', 60]]));
  });
});
