/**
 * The workflows of the documentation: each installs the released package, by its exact name and version, before it
 * uses mcpc, never lets npx fetch it, and uses commands and flags that there are.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { blocksOf } from './page-commands.ts';
import { exampleServer, root, Workspace } from './harness.ts';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const space = new Workspace();

interface Step {
  run?: string;
}

/** The steps of each job, also where a page shows steps alone; of GitLab the lines of a script. */
function jobsOf(yaml: string): Step[][] {
  const page = parse(yaml) as { steps?: Step[]; jobs?: Record<string, { steps?: Step[] }> };
  if (page.steps) return [page.steps];
  if (page.jobs) return Object.values(page.jobs).map(({ steps }) => steps ?? []);
  const scripts = Object.values(page as Record<string, { script?: unknown } | null>).map((job) => job?.script);
  return scripts.flatMap((script) => (Array.isArray(script) ? [(script as string[]).map((run) => ({ run }))] : []));
}

const pages = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const jobs = pages.flatMap((page) =>
  blocksOf(readFileSync(path.join(root, page), 'utf8'))
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ lines }) => jobsOf(lines.join('\n')))
    .map((steps) => ({ page, runs: steps.flatMap(({ run }) => (run === undefined ? [] : [run])) }))
    .filter(({ runs }) => runs.some((run) => /\bmcpc\b/.test(run))),
);

test('there are such workflows in the README, and in the pages about one server and about many', () => {
  expect([...new Set(jobs.map(({ page }) => page))]).toEqual(
    expect.arrayContaining(['README.md', 'docs/ci.md', 'docs/fleet.md']),
  );
});

test.each(jobs)('$page: the release is installed by name and version before it is used', ({ runs }) => {
  const installs = runs.findIndex((run) =>
    new RegExp(`^npm install .*\\bmcpc-${version.replaceAll('.', '\\.')}\\.tgz`).test(run),
  );
  const uses = runs.findIndex((run) => /(?:^|[\s(&|;])mcpc\s/.test(run));
  expect(installs, runs.join('\n')).toBeGreaterThanOrEqual(0);
  expect(uses).toBeGreaterThan(installs);
  for (const run of runs) expect(run).not.toMatch(/\bnpx\s/);
});

describe('docs/ci.md', () => {
  const checks = jobs
    .filter(({ page }) => page === 'docs/ci.md')
    .map(({ runs }) => runs.find((run) => run.startsWith('mcpc check'))!);

  test.each(checks)('%s', async (line) => {
    const words = line.trim().split(/\s+/).slice(1);
    const end = words.indexOf('--');
    expect(words.slice(end)).toEqual(['--', 'node', 'server.js']);
    space.write('mcp-baseline.json', { format: 'mcpc-baseline', version: 1, revision: '2025-11-25', failures: [] });
    const { code, stdout, stderr } = await space.call([
      ...words.slice(0, end),
      '--overwrite',
      '--spec',
      '2025-11-25',
      '--only',
      'ping',
      '--',
      'node',
      exampleServer,
      'stdio',
    ]);
    expect(code, stdout + stderr).toBe(0);
    for (const [index, word] of words.entries())
      if (word === '-o' || word === '--trace') expect(space.has(words[index + 1]!), words[index + 1]).toBe(true);
  });
});
