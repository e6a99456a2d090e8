/** How the server of a case is started: overrides, docker, fixtures, order, environment. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../cli/harness.ts';
import { root } from '../cli/harness.ts';

const work = new Workspace();
const notes = join(root, 'test/suite/servers/notes.mjs');
/** What a run of a file sent to its server. */
async function sentFor(file: string, fixture: string): Promise<string[]> {
  expect(
    (
      await work.call([
        'run',
        file,
        '--fixture',
        fixture,
        '--trials',
        '3',
        '--session',
        'suite',
        '--trace',
        'sent.jsonl',
      ])
    ).code,
  ).toBe(0);
  const lines = work
    .read('sent.jsonl')
    .split('\n')
    .filter((line) => line.includes('mcpc-fixture'));
  expect(lines.length).toBeGreaterThan(0);
  return lines;
}

const count = 'assert: { tool: count, expect: { equals: 1 } }\n';

describe('the server of a case', () => {
  it('is replaced by --server, split as a shell would and run by none; behind -- nothing is split (A-020, A-028, A-160)', async () => {
    const file = work.write(
      'over/a b.yaml',
      `server: { command: no-such-command, env: { KEPT: "yes it is" } }\nassert: { tool: env, args: { name: KEPT }, expect: { equals: yes it is } }\n`,
    );
    const odd = work.write('odd name; touch made.mjs', `await import(${JSON.stringify(notes)});\n`);
    expect((await work.call(['run', file, '--server', `node "${odd}"`])).code).toBe(0);
    expect((await work.call(['run', file, '--', process.execPath, odd])).code).toBe(0);
    expect(work.has('made.mjs')).toBe(false);
    expect((await work.call(['run', file, '--server', ''])).code).toBe(2);
    expect((await work.call(['run', file, '--server', 'node x', '--', 'node', 'y'])).code).toBe(2);
  });

  it('is that of the command line where a file names none', async () => {
    const file = work.write(
      'bare.yaml',
      'version: 1\ncases:\n  - { name: asks, steps: [{ call: count }] }\n  - { name: runs, steps: [{ run: ["true"] }] }\n',
    );
    const results = async (...args: string[]): Promise<(string | undefined)[]> =>
      (
        JSON.parse((await work.call(['run', file, '--json', ...args])).stdout) as { status: string; detail?: string }[]
      ).map(({ status, detail }) => detail ?? status);
    expect(await results('--', 'node', notes)).toEqual(['PASS', 'PASS']);
    expect(await results('--server', `node ${notes}`)).toEqual(['PASS', 'PASS']);
    expect(await results()).toEqual(['failed to start MCP server: the file names no server.command', 'PASS']);
    expect((await work.call(['matrix', file, '--with', `a=node ${notes}`])).code).toBe(0);
  });

  it('runs in docker with the absolute fixture, the environment sorted, and nothing of the host (A-026, A-027, A-046)', async () => {
    work.write(
      'bin/docker',
      '#!/bin/sh\n[ "$1" = version ] && exit 0\nfor word in "$@"; do echo "$word" >> "$DOCKER_LOG"; done\nexit 1\n',
    );
    chmodSync(work.path('bin/docker'), 0o755);
    work.write(
      'bin/podman',
      '#!/bin/sh\n[ "$1" = version ] && exit 0\necho podman >> "$DOCKER_LOG"\nexec docker "$@"\n',
    );
    chmodSync(work.path('bin/podman'), 0o755);
    work.write('dfx/f.txt', 'x');
    const file = work.write(
      'docker.yaml',
      'server: { command: srv, args: ["{{fixture}}/f.txt"], env: { B: "2", A: "1" }, docker: own-image }\nassert: { tool: x }\n',
    );
    const plain = work.write('plain.yaml', 'server: { command: srv, network: none }\nassert: { tool: x }\n');
    const env = { PATH: `${work.path('bin')}:${process.env['PATH']}`, DOCKER_LOG: work.path('docker.log') };
    const words = (): string[] =>
      work
        .read('docker.log')
        .trim()
        .split('\n')
        .map((word) => (/^mcpc-\d+-[0-9a-f]{12}$/.test(word) ? 'mcpc-ID' : word));
    await work.call(['run', file, '--fixture', 'dfx', '--docker', 'other-image'], { env });
    const fixture = work.path('dfx');
    expect(words()).toEqual([
      'run',
      '--name',
      'mcpc-ID',
      '--rm',
      '-i',
      '-v',
      `${fixture}:${fixture}`,
      '-e',
      'A=1',
      '-e',
      'B=2',
      'own-image',
      'srv',
      `${fixture}/f.txt`,
    ]);
    work.write('docker.log', '');
    await work.call(['run', plain, '--docker', 'other-image', '--container', 'podman'], { env });
    expect(words()).toEqual([
      'podman',
      'run',
      '--name',
      'mcpc-ID',
      '--rm',
      '-i',
      '--network',
      'none',
      'other-image',
      'srv',
    ]);
  });

  it('in a container needs an engine, which is told before anything starts', async () => {
    const file = work.write('none.yaml', 'server: { command: srv, docker: image }\nassert: { tool: x }\n');
    const node = work.path('only/node');
    mkdirSync(work.path('only'), { recursive: true });
    symlinkSync(process.execPath, node);
    const outcome = await work.call(['run', file], { env: { PATH: work.path('only') } });
    expect([outcome.code, outcome.stderr]).toEqual([
      2,
      expect.stringContaining('There is no docker in PATH, which a case needs for its container.'),
    ]);
    expect((await work.call(['run', file, '--list'], { env: { PATH: work.path('only') } })).code).toBe(0);
    // Docker without its daemon is no engine, either.
    work.write(
      'idle/docker',
      '#!/bin/sh\necho "$@" >> idle.log\necho "Cannot connect to the Docker daemon at unix:///var/run/docker.sock." >&2\nexit 1\n',
    );
    chmodSync(work.path('idle/docker'), 0o755);
    const idle = await work.call(['run', file], { env: { PATH: `${work.path('idle')}:${process.env['PATH']}` } });
    expect([idle.code, idle.stderr, work.read('idle.log')]).toEqual([
      2,
      expect.stringContaining(
        'docker has no engine to reach, which a case needs for its container: Cannot connect to the Docker daemon',
      ),
      'version\n',
    ]);
  });

  it('gets a copy of the fixture without links; a folder that is not there is an error (A-041, A-047, A-048)', async () => {
    mkdirSync(work.path('links/sub'), { recursive: true });
    work.write('links/sub/real.txt', 'real');
    symlinkSync(work.path('links/sub/real.txt'), work.path('links/link.txt'));
    work.write(
      'place.yaml',
      `server: { command: node, args: [${JSON.stringify(notes)}], env: { PLACE: x } }\nsetup: []\nassert_resources: { read: "notes://{{fixture}}", expect: { expect_error: true } }\n`,
    );
    for (const message of await sentFor('place.yaml', 'links')) expect(message).not.toMatch(/mcpc-fixture-[^/"]*[A-Z]/);
    // What names no file needs no copy.
    work.write('plainer.yaml', `server: { command: node, args: [${JSON.stringify(notes)}] }\n${count}`);
    expect((await work.call(['run', 'plainer.yaml', '--fixture', 'links', '--trace', 'plainer.jsonl'])).code).toBe(0);
    expect(work.read('plainer.jsonl')).not.toContain('mcpc-fixture');
    const file = work.write(
      'links.yaml',
      `server: { command: node, args: [${JSON.stringify(notes)}, "{{fixture}}"] }\nassert:\n  tool: count\n  expect: { file_contains: { "{{fixture}}/sub/real.txt": real }, file_not_exists: ["{{fixture}}/link.txt"] }\n`,
    );
    expect((await work.call(['run', file, '--fixture', 'links'])).code).toBe(0);
    expect(await work.call(['run', file, '--fixture', 'nowhere'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no fixture folder nowhere'),
    });
  });

  it('is a fresh one for each case and trial, or one for all with --reuse-server, which changes no order (A-030, A-031, A-159)', async () => {
    for (const name of ['a', 'b'])
      work.write(`fresh/${name}.yaml`, `server: { command: node, args: [${JSON.stringify(notes)}] }\n${count}`);
    expect((await work.call(['run', 'fresh', '--trials', '2', '--jobs', '1'])).code).toBe(0);
    const { stdout } = await work.call(['run', 'fresh', '--reuse-server', '--json', '--trials', '2']);
    expect(
      (JSON.parse(stdout) as { name: string; status: string; detail?: string }[]).map(
        ({ name, status }) => `${name} ${status}`,
      ),
    ).toEqual(['a.yaml PASS', 'a.yaml FAIL', 'b.yaml FAIL', 'b.yaml FAIL']);
  });
});
