/** A process that a server leaves running is ended and named by each command that starts servers (Linux: elsewhere none is found). */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, Workspace } from '../cli/harness.ts';
import { processesWith } from '../e2e/hostile/processes.ts';

const space = new Workspace();
const leaving = join(root, 'test/e2e/hostile/servers/leftovers.mjs');
const commands: Record<string, string[]> = {
  run: ['run', 'suite.yaml'],
  audit: ['audit'],
  generate: ['generate', '--output', 'evals'],
  fuzz: ['fuzz', '--runs', '2', '--seed', '1'],
};

test.runIf(process.platform === 'linux').each(Object.entries(commands))('%s', async (_name, words) => {
  const mark = randomUUID();
  const server = [leaving, 'starts-a-daemon', mark];
  space.write(
    'suite.yaml',
    `version: 1\nservers: { s: { command: node, args: ${JSON.stringify(server)} } }\ncases: [{ name: ping, server: s, steps: [{ ping: true }] }]\n`,
  );
  const { stderr } = await space.run([...words, ...(words[0] === 'run' ? [] : ['--', 'node', ...server])]);
  expect(stderr).toMatch(new RegExp(`^Left behind by a server, and ended: .*${mark}.* left-by-the-server$`, 'm'));
  expect(processesWith(mark, space.folder)).toEqual([]);
});
