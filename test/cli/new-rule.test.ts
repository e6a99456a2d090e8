/** `rules new` in a checkout of mcpc: the file goes where our rules are, and the to-do list gets shorter by its requirement. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Checkout } from './page-commands.ts';

const checkout = new Checkout();
afterAll(() => checkout.remove());

const read = (name: string): string => readFileSync(join(checkout.folder, name), 'utf8');
const lines = (text: string): string[] => text.split('\n').map((line) => line.replace(/,$/, ''));

test.each([
  ['what binds clients', 'stdio.shutdown.sigterm', /: given: still names /, { role: 'client' }],
  [
    'what a server shows: a fault of the reference server to fill in',
    'ping.answer.empty-result',
    /: mutation: still changes /,
    { role: 'server', mutation: { on: { result: '*' } } },
  ],
])('%s', { timeout: 300_000 }, async (_title, requirement, left, shape) => {
  const before = lines(read('rules/todo.json'));
  const id = requirement.replace('.', '/').replaceAll('.', '-');
  const made = await checkout.run(`npx mcpc rules new ${id} --overwrite`);
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toBe(`rules/${id}.json\n`);
  expect(JSON.parse(read(`rules/${id}.json`))).toMatchObject({
    $schema: '../language/rule.schema.json',
    requirement: [requirement],
    ...shape,
  });
  // The entry is gone, and the other lines stand as they were.
  expect(() => JSON.parse(read('rules/todo.json')) as unknown).not.toThrow();
  expect(lines(read('rules/todo.json'))).toEqual(before.filter((line) => !line.includes(`"${requirement}"`)));
  const lint = await checkout.run(`npx mcpc rules lint rules/${id}.json`);
  expect(lint.code).toBe(2);
  expect(lint.stdout).toMatch(left);
});
