/** Check, generate, audit and fuzz may call the same tools: one function decides. Proved by what the server was asked. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const server = new URL('../suite/servers/changing.mjs', import.meta.url).pathname;
const safe = ['find_missing', 'get_icon', 'get_time', 'get_visits', 'get_weather', 'greet', 'list_users'];

/** The tools that a command called. */
async function calledBy(name: string, ...words: string[]): Promise<{ called: string[]; stdout: string }> {
  const calls = work.path(`${name}.txt`);
  const { stdout, stderr } = await work.call([...words, '--', 'node', server], { env: { CALLS_FILE: calls } });
  return { called: [...new Set(readFileSync(calls, 'utf8').trim().split('\n'))].toSorted(), stdout: stdout + stderr };
}

test.runIf(thorough)(
  'check, generate, audit and fuzz call the tools that only read, and none whose name says that it tells secrets',
  async () => {
    const check = await calledBy('check', 'check', '--format', 'json', '--profile', 'quick');
    const { skipped } = JSON.parse(
      check.stdout.slice(check.stdout.indexOf('{'), check.stdout.lastIndexOf('}') + 1),
    ) as { skipped: { what: string; why: string; allow?: string }[] };
    expect(
      skipped
        .filter(({ what }) => what.startsWith('tool '))
        .map(({ what }) => what)
        .toSorted(),
    ).toEqual(['tool delete_user', 'tool get_env']);
    expect(skipped.find(({ what }) => what === 'tool get_env')).toMatchObject({
      why: 'its name suggests that it returns secrets or the environment',
      allow: expect.stringContaining('--allow-tool get_env') as string,
    });
    // The rules also ask for a tool that there is not.
    expect(safe).toEqual(expect.arrayContaining(check.called.filter((name) => name !== 'mcpc-no-such-tool')));
    expect((await calledBy('generate', 'generate', '--output', 'evals')).called).toEqual(safe);
    expect((await calledBy('audit', 'audit')).called).toEqual(safe);
    expect((await calledBy('fuzz', 'fuzz', '--runs', '3', '--seed', '1')).called).toEqual(safe);
  },
);

test.runIf(thorough)('a tool that is asked for by name is called by all of them', async () => {
  const asked = [...safe, 'get_env'].toSorted();
  const allowed = ['--allow-tool', 'get_env'];
  expect((await calledBy('generate-asked', 'generate', '--output', 'asked', ...allowed)).called).toEqual(asked);
  expect((await calledBy('audit-asked', 'audit', ...allowed)).called).toEqual(asked);
  expect((await calledBy('fuzz-asked', 'fuzz', '--runs', '3', '--seed', '1', ...allowed)).called).toEqual(asked);
});
