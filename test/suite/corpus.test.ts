/**
 * A corpus of files in mcp-assert's form, each with the result that is wanted in its first line and the rows of the
 * contract that it shows in the second. Most share servers, which has to change nothing; those with the tag `own`
 * have one each.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { root, Workspace } from '../cli/harness.ts';
import { everything, thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const corpus = 'test/suite/corpus';
const work = new Workspace();

interface Wanted {
  file: string;
  status: string;
  words: RegExp | undefined;
  own: boolean;
  rows: string[];
}

const wanted = readdirSync(join(root, corpus), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file): Wanted => {
    const text = readFileSync(join(root, corpus, file), 'utf8');
    const [, status = '', words] = /^# wanted: (\w+)(?: (.*))?$/m.exec(text) ?? [];
    return {
      file: join(corpus, file),
      status,
      words: words === undefined ? undefined : new RegExp(words, 's'),
      own: text.includes('\ntags: [own]\n'),
      rows: /^# rows: (.*)$/m.exec(text)?.[1]?.split(' ') ?? [],
    };
  });

/** Runs the corpus from the root of the project, where its paths begin. */
async function run(name: string, args: string[]): Promise<SuiteReport> {
  const file = work.path(`${name}.json`);
  const child = spawn(
    process.execPath,
    [
      join(root, 'bin/mcpc.js'),
      'run',
      corpus,
      '--fixture',
      `${corpus}/fixture`,
      '--timeout',
      '120s',
      '--format',
      'json',
      '--output',
      file,
      ...args,
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 1) throw new Error(`exit code ${String(code)}: ${told}`);
  return JSON.parse(readFileSync(file, 'utf8')) as SuiteReport;
}

/** The cases that came out otherwise. */
function differences(report: SuiteReport, of: readonly Wanted[]): string[] {
  const found = new Map(report.cases.map((one) => [one.file, one]));
  return of.flatMap(({ file, status, words }) => {
    const seen = found.get(file);
    if (seen?.status !== status) return [`${file}: want ${status}, got ${seen?.status}: ${seen?.detail}`];
    return words === undefined || words.test(seen.detail) ? [] : [`${file}: want ${words}, got ${seen.detail}`];
  });
}

describe('the corpus', () => {
  it('has at least 150 files, each with a wanted result and the rows that it shows', () => {
    expect(wanted.length).toBeGreaterThanOrEqual(150);
    expect(
      wanted.filter(
        ({ status, rows }) =>
          !['pass', 'fail', 'skip', 'empty'].includes(status) ||
          rows.length === 0 ||
          rows.some((row) => !/^A-\d{3}$/.test(row)),
      ),
    ).toEqual([]);
  });

  it.runIf(thorough)('comes out as wanted where cases share servers', { timeout: 600_000 }, async () => {
    expect(
      differences(
        await run('shared', ['--skip-tag', 'own', '--reuse-server']),
        wanted.filter(({ own }) => !own),
      ),
    ).toEqual([]);
  });

  // A quarter of them in `npm test`; all with --mode all.
  const shards = everything ? [1] : [1, 2, 3, 4];
  it.runIf(thorough).each(someOf(shards, shards.length, (shard) => `own ${shard}`))(
    `comes out as wanted where each has a server of its own, share %d of ${shards.length}`,
    { timeout: 600_000 },
    async (shard) => {
      const report = await run(`own${shard}`, ['--tag', 'own', '--shard', `${shard}/${shards.length}`]);
      expect(report.cases.length).toBeGreaterThanOrEqual(
        Math.floor(wanted.filter(({ own }) => own).length / shards.length),
      );
      expect(
        differences(
          report,
          wanted.filter(({ file }) => report.cases.some((one) => one.file === file)),
        ),
      ).toEqual([]);
    },
  );
});
