/** Packages are installed once, whole or not at all, with scripts off, whoever else wants them at the same time. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { McpcError } from '../../src/core/model/errors.ts';
import { defaultNpmCache, installedPackage, type InstalledPackage } from '../../src/check/packages/cache.ts';
import { npmProgram } from '../../src/check/packages/program.ts';
import { isRunning } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-npm-'));
afterAll(() => rmSync(folder, { recursive: true }));
let cacheDir = '';
let caches = 0;
beforeEach(() => {
  cacheDir = join(folder, `cache-${(caches += 1)}`);
});

function write(name: string, content: string | object): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
}

/** npm, but what it does is told by a script; for what would need a registry. */
function otherNpm(name: string, script: string): NodeJS.ProcessEnv {
  return { ...process.env, npm_execpath: write(`${name}/npm-cli.js`, script) };
}

interface Install {
  found: InstalledPackage;
  notices: string[];
}

async function install(
  spec: string,
  more: {
    allowScripts?: boolean;
    env?: NodeJS.ProcessEnv;
    signal?: AbortSignal;
    onNotice?: (line: string) => void;
  } = {},
): Promise<Install> {
  const notices: string[] = [];
  const found = await installedPackage(spec, {
    cacheDir,
    allowScripts: false,
    env: process.env,
    onNotice: (line) => notices.push(line),
    ...more,
  });
  return { found, notices };
}

let tarball = '';
beforeAll(() => {
  write('package/package.json', {
    name: '@test/thing',
    version: '1.0.0',
    bin: { thing: './cli.js' },
    scripts: { postinstall: `node -e "require('fs').writeFileSync('ran', '')"` },
  });
  write(
    'package/cli.js',
    '#!/usr/bin/env -S node --no-warnings\nconsole.log("hello from", process.argv.slice(2).join(" "));\n',
  );
  execFileSync('tar', ['-czf', join(folder, 'thing.tgz'), 'package'], { cwd: folder });
  tarball = `file:${join(folder, 'thing.tgz')}`;
});

describe('an installation', () => {
  test('is made once, without scripts, and can be run', async () => {
    const { found, notices } = await install(tarball);
    expect(found).toMatchObject({ name: '@test/thing', version: '1.0.0' });
    expect(found.folder.startsWith(cacheDir)).toBe(true);
    expect(existsSync(join(found.folder, 'ran'))).toBe(false);
    expect(notices).toEqual([`Installing ${tarball}.`]);
    const [command, ...words] = npmProgram(found.folder);
    expect([command, words[0]]).toEqual([process.execPath, '--no-warnings']);
    expect(execFileSync(command!, [...words, 'there'], { encoding: 'utf8' })).toBe('hello from there\n');
    expect(await install(tarball)).toEqual({ found, notices: [] });
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });

  test('with scripts stands beside the one without', async () => {
    const { found, notices } = await install(tarball, { allowScripts: true });
    expect(existsSync(join(found.folder, 'ran'))).toBe(true);
    expect(notices).toEqual([`Installing ${tarball}, with its install scripts.`]);
    expect((await install(tarball)).found.folder).not.toBe(found.folder);
  });

  test('of a folder is made again when the folder changes', async () => {
    write('local/package.json', { name: 'local', version: '1.0.0', bin: './x.js' });
    write('local/x.js', '1');
    const first = await install(`file:${join(folder, 'local')}`);
    write('local/x.js', '22');
    const second = await install(`file:${join(folder, 'local')}`);
    expect(readFileSync(join(first.found.folder, 'x.js'), 'utf8')).toBe('1');
    expect(readFileSync(join(second.found.folder, 'x.js'), 'utf8')).toBe('22');
  });

  test.runIf(thorough)('that several processes want at once is made by one of them', async () => {
    const child = fileURLToPath(new URL('install-child.ts', import.meta.url));
    const runs = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise<{ folder: string; notices: string[] }>((resolve, reject) => {
            const running = spawn(process.execPath, ['--import', 'tsx', child, tarball, cacheDir], {
              stdio: ['ignore', 'pipe', 'inherit'],
            });
            let out = '';
            running.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
            running.once('close', (code) =>
              code === 0
                ? resolve(JSON.parse(out) as { folder: string; notices: string[] })
                : reject(new Error(`ended with ${code}`)),
            );
          }),
      ),
    );
    expect(new Set(runs.map((run) => run.folder)).size).toBe(1);
    expect(runs.flatMap((run) => run.notices).filter((line) => line.startsWith('Installing'))).toHaveLength(1);
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });

  test('takes over from a process that was killed, and mends what lost files', async () => {
    const { found } = await install(tarball);
    const home = join(cacheDir, readdirSync(cacheDir)[0]!);
    rmSync(join(home, 'node_modules'), { recursive: true });
    const gone = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => gone.once('close', resolve));
    mkdirSync(`${home}.lock`);
    writeFileSync(join(`${home}.lock`, 'owner.json'), JSON.stringify({ pid: gone.pid, host: hostname() }));
    mkdirSync(`${home}.tmp-abc/node_modules`, { recursive: true });
    expect((await install(tarball)).found).toEqual(found);
    expect(existsSync(join(found.folder, 'cli.js'))).toBe(true);
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });

  test('of a range is kept, and what it came to is said', async () => {
    const env = otherNpm(
      'range',
      "const fs = require('fs'); fs.mkdirSync('node_modules/some', { recursive: true }); fs.writeFileSync('node_modules/some/package.json', JSON.stringify({ version: '1.2.3' })); fs.writeFileSync('package.json', JSON.stringify({ dependencies: { some: '^1' } })); fs.writeFileSync('args.json', JSON.stringify(process.argv.slice(2)));",
    );
    const first = await install('some@^1', { env });
    const said = expect.stringMatching(
      /^some@\^1 is some@1\.2\.3, as installed on \d{4}-\d\d-\d\d; name the version to decide it yourself/,
    );
    expect(first.notices).toEqual(['Installing some@^1.', said]);
    expect((await install('some@^1', { env })).notices).toEqual([said]);
    expect((await install('some@1.2.3', { env })).notices).toEqual(['Installing some@1.2.3.']);
    const args = JSON.parse(readFileSync(join(dirname(dirname(first.found.folder)), 'args.json'), 'utf8')) as string[];
    expect(args).toEqual(expect.arrayContaining(['install', '--ignore-scripts=true', '--', 'some@^1']));
  });
});

describe('what goes wrong is told, and leaves nothing', () => {
  const problem = async (spec: string, more: Parameters<typeof install>[1] = {}): Promise<McpcError> => {
    const error = await install(spec, more).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(McpcError);
    expect(existsSync(cacheDir) ? readdirSync(cacheDir) : []).toEqual([]);
    return error as McpcError;
  };

  test('a file that is not there', async () => {
    expect((await problem(`file:${join(folder, 'none.tgz')}`)).message).toMatch(/^There is no package .*none\.tgz\.$/);
  });

  test('a file that is no package', async () => {
    const error = await problem(`file:${write('bad.tgz', 'no archive')}`);
    expect(error.stage).toBe('usage');
    expect(error.message).toMatch(/^The package file:.*bad\.tgz could not be installed: npm ended with code \d+\.\n/);
  });

  test('npm that fails: the end of what it said, without secrets', async () => {
    const env = otherNpm(
      'fails',
      "for (let i = 0; i < 50; i += 1) console.error('npm error line ' + i); console.error('npm error https://user:hunter2secret@registry.example/ 404'); console.error('npm error A complete log of this run can be found in: /x/y.log'); process.exit(3);",
    );
    const { message } = await problem('some@1.0.0', { env });
    expect(message).toMatch(
      /npm ended with code 3\.\nline 43\n[\s\S]*line 49\nhttps:\/\/user:.*registry\.example\/ 404$/,
    );
    expect(message).not.toContain('hunter2secret');
  });

  test('an interruption ends npm and what it started', async () => {
    const pids = join(folder, 'pids.json');
    const env = otherNpm(
      'hangs',
      `const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']); require('fs').writeFileSync(${JSON.stringify(`${pids}.new`)}, JSON.stringify([process.pid, child.pid])); require('fs').renameSync(${JSON.stringify(`${pids}.new`)}, ${JSON.stringify(pids)}); setInterval(() => {}, 1000);`,
    );
    const stop = new AbortController();
    const failing = problem('some@1.0.0', { env, signal: stop.signal });
    while (!existsSync(pids)) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    expect((await failing).stage).toBe('interrupted');
    for (const pid of JSON.parse(readFileSync(pids, 'utf8')) as number[])
      while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  test('waiting for another holder can be interrupted', async () => {
    const stop = new AbortController();
    await install(tarball);
    const home = join(cacheDir, readdirSync(cacheDir)[0]!);
    rmSync(home, { recursive: true });
    mkdirSync(`${home}.lock`);
    writeFileSync(join(`${home}.lock`, 'owner.json'), JSON.stringify({ pid: process.pid, host: hostname() }));
    const waiting = install(tarball, { signal: stop.signal, onNotice: () => stop.abort() });
    await expect(waiting).rejects.toMatchObject({ stage: 'interrupted' });
  });
});

describe('the program of a package', () => {
  const program = (manifest: object, bin?: string): string[] => {
    const at = dirname(write('program/package.json', manifest));
    for (const [name, text] of [
      ['a.js', ''],
      ['b', '#!/bin/sh\n'],
      ['c', '#!/usr/bin/env node\n'],
    ] as const)
      write(`program/${name}`, text);
    return npmProgram(at, bin).map((word) => word.replace(`${at}/`, ''));
  };

  test.each<[string, object, string | undefined, string[]]>([
    ['the only one', { name: 'x', bin: './a.js' }, undefined, [process.execPath, 'a.js']],
    [
      'the one with the name of the package',
      { name: '@s/x', bin: { y: 'a.js', x: 'c' } },
      undefined,
      [process.execPath, 'c'],
    ],
    ['several names of one', { name: 'z', bin: { y: 'a.js', x: 'a.js' } }, undefined, [process.execPath, 'a.js']],
    ['the one asked for, which is no script of node', { name: 'x', bin: { y: 'b', x: 'a.js' } }, 'y', ['b']],
  ])('%s', (_title, manifest, bin, words) => {
    expect(program(manifest, bin)).toEqual(words);
  });

  test.each<[string, object, string | undefined, RegExp]>([
    ['none', { name: 'x' }, undefined, /^The package x has no program\.$/],
    ['several', { name: 'x', bin: { y: 'a.js', z: 'b' } }, undefined, /^The package x has several programs\.$/],
    ['not the one asked for', { name: 'x', bin: { y: 'a.js' } }, 'z', /^The package x has no program "z"\.$/],
    ['one that is outside', { name: 'x', bin: '../package/cli.js' }, undefined, /which it does not hold/],
    ['one that is missing', { name: 'x', bin: 'none.js' }, undefined, /which it does not hold/],
  ])('%s is told', (_title, manifest, bin, message) => {
    expect(() => program(manifest, bin)).toThrow(message);
  });
});

test('the cache is where the system wants it', () => {
  expect(defaultNpmCache({ XDG_CACHE_HOME: '/c' })).toBe(join('/c', 'mcpc', 'npm'));
  if (process.platform === 'linux') expect(defaultNpmCache({ HOME: '/h' })).toBe('/h/.cache/mcpc/npm');
});
