/** The profile of a client: what it declared and was seen to do, in the report and on pages. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { RunReport } from '../../src/api/client.ts';
import { Workspace } from '../cli/harness.ts';

const space = new Workspace();
const client = fileURLToPath(new URL('clients/raw-client.mjs', import.meta.url));

test('a profile has what a client declared and did, and a saved trace has the same', async () => {
  const outputs = ['-f', 'json', '-o', space.path('r.json'), '-f', 'markdown', '-o', space.path('r.md')];
  await space.run([
    'client',
    ...['--only', 'lifecycle', '--only', 'roots', '--trace', space.path('t.jsonl')],
    ...outputs,
    ...['-f', 'html', '-o', space.path('r.html'), '--', 'node', client],
  ]);
  const report = JSON.parse(readFileSync(space.path('r.json'), 'utf8')) as RunReport;
  const { profile } = report;
  expect(report.target.kind).toBe('client');
  expect(profile).toMatchObject({ clientInfo: { name: 'raw' }, requested: ['2025-11-25'] });
  expect(profile!.declared).toContain('roots');
  const times = Object.fromEntries(profile!.abilities.map(({ ability, times }) => [ability, times]));
  expect(times).toMatchObject({ 'token-requests': 0, tasks: 0 });
  expect(times['roots']).toBeGreaterThan(0);
  expect(times['paging']).toBeGreaterThan(0);
  expect(readFileSync(space.path('r.md'), 'utf8')).toContain('| Answers with its roots | ');
  expect(readFileSync(space.path('r.html'), 'utf8')).toContain('<th scope="row">Answers with its roots</th>');
  const again = await space.call(['judge', space.path('t.jsonl'), '--only', 'lifecycle', '-f', 'json']);
  expect((JSON.parse(again.stdout) as RunReport).profile).toEqual(profile);
});
