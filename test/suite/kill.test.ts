/** What a run leaves behind that is killed or interrupted: no process, and no copy of the fixture for long. */
import { mkdirSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allGone, Workspace } from '../cli/harness.ts';

const work = new Workspace();
/** A temporary folder of its own, so that copies are seen. */
const temporary = work.path('tmp');
mkdirSync(temporary);
const env = { TMPDIR: temporary };
work.write('fx/hello.txt', 'hello');
work.write('hang.mjs', "import { writeFileSync } from 'node:fs';\nwriteFileSync('pid', String(process.pid));\nprocess.on('SIGTERM', () => {});\nconsole.error('the server hangs');\nsetInterval(() => {}, 1000);\n");
work.write('hang/a.yaml', `server: { command: node, args: [${JSON.stringify(work.path('hang.mjs'))}, "{{fixture}}"] }\nassert: { tool: x }\n`);
work.write('skip/a.yaml', 'skip: true\nassert: { tool: x }\n');

const copies = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('mcpc-fixture-'));
const written = async (): Promise<number> => {
  // The server writes its id when it has been started; vitest's own limit ends the wait.
  while (!work.has('pid') || work.read('pid') === '') await new Promise((resolve) => setTimeout(resolve, 20));
  return Number(work.read('pid'));
};

it('killed: its processes end, and the next run removes its copies', async () => {
  work.write('pid', '');
  const running = work.start(['run', 'hang', '--fixture', 'fx'], { env });
  const server = await written();
  expect(copies()).toHaveLength(1);
  running.kill('SIGKILL');
  await running.ended;
  await allGone([server]);
  expect(copies()).toHaveLength(1);
  await work.call(['run', 'skip', '--fixture', 'fx'], { env });
  expect(copies()).toEqual([]);
});

it('interrupted: nothing is left, and the exit code says so', async () => {
  work.write('pid', '');
  const running = work.start(['run', 'hang', '--fixture', 'fx'], { env });
  const server = await written();
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  await allGone([server]);
  expect(copies()).toEqual([]);
});
