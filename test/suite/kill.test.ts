/** What a run leaves behind that is killed or interrupted: no process, and no copy of the fixture for long. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allGone, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
/** A temporary folder of its own, so that copies are seen. */
const temporary = work.path('tmp');
mkdirSync(temporary);
const env = { TMPDIR: temporary };
work.write('fx/hello.txt', 'hello');
work.write(
  'hang.mjs',
  "import { writeFileSync } from 'node:fs';\nwriteFileSync('pid', String(process.pid));\nprocess.on('SIGTERM', () => {});\nconsole.error('the server hangs');\nsetInterval(() => {}, 1000);\n",
);
work.write(
  'hang/a.yaml',
  `server: { command: node, args: [${JSON.stringify(work.path('hang.mjs'))}, "{{fixture}}"] }\nassert: { tool: x }\n`,
);
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
  await work.call(['run', 'skip'], { env });
  expect(copies()).toEqual([]);
});

it.runIf(thorough)('interrupted: nothing is left, and the exit code says so', async () => {
  work.write('pid', '');
  const running = work.start(['run', 'hang', '--fixture', 'fx'], { env });
  const server = await written();
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  await allGone([server]);
  expect(copies()).toEqual([]);
});

/** Stands for an engine of containers: what it runs goes on when it is ended, and it knows the names of what is there. */
work.write(
  'bin/docker',
  `#!/bin/sh
folder=${temporary}/containers
mkdir -p "$folder"
case $1 in
run) echo up > "$folder/$3"; trap '' TERM; while :; do sleep 1; done;;
rm) rm -f "$folder/$3";;
esac
`,
);
chmodSync(work.path('bin/docker'), 0o755);
work.write('boxed/a.yaml', 'server: { command: srv, docker: image }\nassert: { tool: x }\ntimeout: 1h\n');

it.each(['SIGKILL', 'SIGINT'] as const)('a container does not outlive a run that %s ended', async (signal) => {
  const folder = `${temporary}/containers`;
  rmSync(folder, { recursive: true, force: true });
  const running = work.start(['run', 'boxed', '--spec', '2025-11-25'], {
    env: { ...env, PATH: `${work.path('bin')}:${process.env['PATH']}` },
  });
  const there = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  while (there().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(there()).toEqual([expect.stringMatching(new RegExp(`^mcpc-${running.pid}-[0-9a-f]{12}$`))]);
  running.kill(signal);
  expect((await running.ended).code).toBe(signal === 'SIGINT' ? 130 : null);
  // Killed, the watchdog removes it a moment later; vitest's own limit ends the wait.
  while (there().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});
