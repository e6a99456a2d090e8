/**
 * `mcpc check`, ended at any moment: nothing runs on, and the trace can be read. Each way and signal at one
 * moment, half of them in `npm test`; with --mode all at twenty.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleServer, Workspace } from '../../cli/harness.ts';
import { thorough } from '../../support/run/options.ts';
import { killAt, momentsOf, readTraceLines, signals } from './moments.ts';
import { someOf } from '../../support/run/some-of.ts';

const space = new Workspace();
const stubborn = join(import.meta.dirname, 'stubborn.mjs');
/** Some moments are before the first process, some after the last one on a fast machine. */
const longestMs = 4_000;

const ways = {
  'on stdio': ['--', process.execPath, stubborn, exampleServer, 'stdio'],
  'with --serve': [
    '--serve',
    `${process.execPath} ${stubborn} ${exampleServer} http --port {{port}}`,
    '--url',
    'http://127.0.0.1:{{port}}/mcp',
  ],
};

const cases = Object.entries(ways).flatMap(([name, words]) =>
  signals.flatMap((signal) =>
    momentsOf(`${name} ${signal}`, longestMs).map((afterMs) => ({ name, signal, afterMs, words })),
  ),
);

test.runIf(thorough).each(someOf(cases, 2, ({ name, signal }) => `${name} ${signal}`))(
  `check $name, $signal after $afterMs ms`,
  { timeout: 120_000 },
  async ({ name, signal, afterMs, words }) => {
    const folder = space.path(`${name} ${signal} ${afterMs}`.replaceAll(' ', '-'));
    mkdirSync(folder);
    const {
      code,
      left,
      stderr,
      signal: by,
    } = await killAt(['check', '--spec', '2025-11-25', '--trace', 'trace.jsonl', '-o', 'report.json', ...words], {
      folder,
      afterMs,
      signal,
    });
    expect(left, stderr).toEqual([]);
    // It may be through before the moment comes; and before it listens for signals it ends by them, as any program does.
    expect([0, 1, ...(signal === 'SIGKILL' ? [] : [130]), ...(by === signal ? [null] : [])], stderr).toContain(code);
    const [header, ...events] = readTraceLines(join(folder, 'trace.jsonl'));
    if (header !== undefined) expect(header).toMatchObject({ format: 'mcpc-trace' });
    for (const event of events)
      expect(event).toSatisfy((one) => typeof one === 'object' && one !== null && ('seq' in one || 'footer' in one));
  },
);
