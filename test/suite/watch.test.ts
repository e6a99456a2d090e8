/** `mcpc watch`: what a change has run again, what is told of it, keys, and its end. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Workspace, errorOf, root } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();

interface Run {
  why: string;
  flips: { name: string; was: string; is: string; detail: string; diff: string | null }[];
  counts: Record<string, number>;
  cases: { name: string; status: string }[];
  error: string | null;
}

/** A watch whose keys can be pressed, and whose runs are read one after another. */
function watching(args: readonly string[]): {
  next(): Promise<Run>;
  press(key: string): void;
  talk(): string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<number | null>;
} {
  const { FORCE_COLOR: _force, ...env } = process.env;
  const child = spawn(process.execPath, [join(root, 'bin/mcpc.js'), 'watch', ...args], {
    cwd: work.folder,
    env: { ...env, NO_COLOR: '1' },
    stdio: 'pipe',
  });
  const runs: Run[] = [];
  let [text, read, stderr, over] = ['', 0, '', false];
  let wake = (): void => {};
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n');
    text = lines.pop()!;
    for (const line of lines) runs.push(JSON.parse(line) as Run);
    wake();
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      over = true;
      wake();
      resolve(code);
    }),
  );
  return {
    ended,
    talk: () => stderr,
    press: (key) => void child.stdin.write(key),
    kill: (signal) => void child.kill(signal),
    async next() {
      while (runs.length <= read) {
        if (over) throw new Error(`it has ended: ${stderr}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return runs[read++]!;
    },
  };
}

const names = ({ cases }: Run): string[] => cases.map(({ name, status }) => `${name} ${status}`);

/** A server that says what stands in the fixture. */
const server = (greeting: string): string => `
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { greeting } from './words.mjs';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/call' ? { content: [{ type: 'text', text: params.name === 'file' ? readFileSync(process.argv[2] + '/a.txt', 'utf8') : 'one\\n' + greeting + '\\nthree' }] } : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
// ${greeting}
`;

test.runIf(thorough)(
  'suites, fixtures and the server; what flipped first, with its diff (A-146, A-147, A-148)',
  async () => {
    work.write('app/server.mjs', server(''));
    work.write('app/words.mjs', `export const greeting = 'hello';\n`);
    work.write('fx/a.txt', 'apple');
    const command = 'server: { command: node, args: [app/server.mjs, "{{fixture}}"] }';
    work.write('evals/file.yaml', `name: file\n${command}\nassert: { tool: file, expect: { equals: apple } }\n`);
    work.write(
      'evals/sub/greets.yaml',
      `version: 1\nservers: { s: { command: node, args: [app/server.mjs, "{{fixture}}"] } }\ncases:\n  - { name: greets, steps: [{ call: greet, expect: { contains: [hello] } }] }\n`,
    );
    const seen = watching(['evals', '--fixture', 'fx', '--json']);
    const first = await seen.next();
    expect({ cases: names(first), flips: first.flips, counts: first.counts }).toEqual({
      cases: ['file pass', 'greets pass'],
      flips: [],
      counts: { pass: 2, fail: 0, skip: 0, undecided: 0 },
    });

    // A file of the server that its command does not name.
    writeFileSync(work.path('app/words.mjs'), `export const greeting = 'good day';\n`);
    const second = await seen.next();
    expect(names(second)).toEqual(['file pass', 'greets fail']);
    expect(second.why).toContain('words.mjs');
    expect(second.flips).toMatchObject([{ name: 'greets', was: 'pass', is: 'fail' }]);
    expect(second.flips[0]!.diff).toMatch(/^tools\/call greet\n[^]*^-.*hello$[^]*^\+.*good day$/m);

    // A suite in a folder below: its own case alone.
    writeFileSync(
      work.path('evals/sub/greets.yaml'),
      readFileSync(work.path('evals/sub/greets.yaml'), 'utf8').replace('[hello]', '[good]'),
    );
    const third = await seen.next();
    expect(names(third)).toEqual(['greets pass']);
    expect(third.flips).toMatchObject([{ name: 'greets', was: 'fail', is: 'pass', diff: null }]);
    expect(third.counts).toMatchObject({ pass: 2, fail: 0 });

    // A fixture: all.
    writeFileSync(work.path('fx/a.txt'), 'pear');
    expect(names(await seen.next())).toEqual(['file fail', 'greets pass']);

    // A suite that cannot be read is told, and the watching goes on; one that is gone is forgotten.
    work.write('evals/broken.yaml', 'assert: [\n');
    expect((await seen.next()).error).toMatch(/broken\.yaml:\d/);
    unlinkSync(work.path('evals/broken.yaml'));
    expect((await seen.next()).error).toBe('No case was chosen.');

    // Keys: those that failed, those of a name, all, new snapshots, the end.
    seen.press('f');
    expect(names(await seen.next())).toEqual(['file fail']);
    seen.press('pgre*\n');
    expect(names(await seen.next())).toEqual(['greets pass']);
    // What is typed can be taken back; a key within a name is no command.
    seen.press('pqa\u007f\u007ffile\r');
    expect(names(await seen.next())).toEqual(['file fail']);
    seen.press('p\n');
    expect(names(await seen.next())).toEqual(['file fail', 'greets pass']);
    seen.press('pfile\n');
    expect(names(await seen.next())).toEqual(['file fail']);
    seen.press('a');
    const all = await seen.next();
    expect(names(all)).toEqual(['file fail', 'greets pass']);
    expect(all.flips).toEqual([]);
    work.write('evals/shot.yaml', `name: shot\n${command}\nassert: { tool: greet, expect: { snapshot: true } }\n`);
    expect(names(await seen.next())).toEqual(['shot fail']);
    seen.press('u');
    const updated = await seen.next();
    expect(names(updated)).toEqual(['shot pass']);
    expect(seen.talk()).toContain('Snapshots: 1 new');
    rmSync(work.path('evals/file.yaml'));
    await seen.next();
    seen.press('q');
    expect(await seen.ended).toBe(0);
  },
  180_000,
);

test('for a reader, looking in an interval; a run under way is given up, and Ctrl-C ends it', async () => {
  work.write(
    'slow/server.mjs',
    server('').replace(`import { greeting } from './words.mjs';`, `const greeting = 'hi';`),
  );
  work.write(
    'slow/evals/a.yaml',
    `version: 1\nservers: { s: { command: node, args: [slow/server.mjs] } }\ncases:\n  - { name: quick, steps: [{ call: greet, expect: { contains: [hi] } }] }\n  - { name: waits, steps: [{ await: notifications/never }] }\n`,
  );
  const running = work.start(['watch', '--suite', 'slow/evals', '--interval', '100ms', '--timeout', '60s']);
  await running.shows('Running 2 cases: the first run');
  const mended = readFileSync(work.path('slow/evals/a.yaml'), 'utf8').replace(/ {2}- \{ name: waits.*\n/, '');
  // Whoever looks in intervals may look for the first time after the first of these.
  let shown = false;
  const shows = running.shows('1 run; of all cases 1 passed').then(() => (shown = true));
  for (let round = 0; round < 40 && !shown; round += 1) {
    if (!/Running 1 case/.test(running.text()))
      writeFileSync(work.path('slow/evals/a.yaml'), `${mended}${'\n'.repeat(round)}`);
    await Promise.race([shows, delay(1_000)]);
  }
  await shows;
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});

test('suites that cannot be read at the start end it', async () => {
  const outcome = await work.call(['watch', 'no-such-folder']);
  expect(outcome.code).toBe(2);
  expect(errorOf(outcome).why).toContain('There is no suite no-such-folder');
});
