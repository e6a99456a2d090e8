/**
 * `npm run containers`: runs suites in real containers, with podman and an image made from a folder: the program of
 * node, the libraries it needs, and a server. Shows what a container sees (its files, environment and network), and
 * that none is left of a run that ended, was interrupted, or was killed. Ends with 1 where a container cannot be run,
 * and says why. Images and containers live in a temporary folder, apart from those of the user.
 *
 * Needs podman with crun or runc (Debian: apt-get install podman runc) and `npm run build`.
 */
import { execFile, spawn } from 'node:child_process';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'mcpc-containers-'));
const image = 'localhost/mcpc-boxed';
const goneMs = 5_000;

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const env: NodeJS.ProcessEnv = {
  ...process.env,
  CONTAINERS_CONF: join(work, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: join(work, 'storage.conf'),
  MCPC_OF_HOST: 'seen',
  GIVEN_HERE: 'given',
};

function run(program: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { env, cwd: work, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr: error !== null && stderr === '' ? error.message : stderr }),
    );
  });
}

/** @throws Error with what the program said */
async function must(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}

const mcpc = (...args: string[]): Promise<Ended> => run(process.execPath, [join(root, 'bin/mcpc.js'), ...args]);

/** Storage of its own, and limits that need no privilege; with them podman runs in machines that are containers themselves. */
function configure(runtime: string): void {
  writeFileSync(
    join(work, 'storage.conf'),
    `[storage]\ndriver = "vfs"\ngraphroot = "${join(work, 'store')}"\nrunroot = "${join(work, 'run')}"\n`,
  );
  writeFileSync(
    join(work, 'containers.conf'),
    `[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n[engine]\nruntime = "${runtime}"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n`,
  );
}

/** The image: a folder with the program of node, the libraries that it loads, and the server. */
async function makeImage(): Promise<void> {
  const folder = join(work, 'image');
  const libraries = (await must('ldd', [process.execPath])).match(/\/\S+/g) ?? [];
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(realpathSync(from), join(folder, to));
  };
  for (const library of libraries) put(library, library);
  put(process.execPath, '/usr/bin/node');
  put(join(root, 'test/suite/servers/boxed.mjs'), '/srv/boxed.mjs');
  for (const name of ['tmp', 'proc', 'sys', 'dev', 'etc', 'run']) mkdirSync(join(folder, name), { recursive: true });
  await must('tar', ['-C', folder, '-cf', join(work, 'image.tar'), '.']);
  await must('podman', ['import', '--quiet', join(work, 'image.tar'), image]);
}

/** Finds a runtime that can start a container here. @throws Error telling what each said */
async function findRuntime(): Promise<string> {
  const told: string[] = [];
  for (const runtime of ['crun', 'runc']) {
    configure(runtime);
    const { code, stdout, stderr } = await run('podman', [
      'run',
      '--rm',
      '--network',
      'none',
      image,
      'node',
      '-p',
      '6 * 7',
    ]);
    if (code === 0 && stdout.trim() === '42') return runtime;
    told.push(`${runtime}: ${stderr.trim()}`);
  }
  throw new Error(`No container can be run here.\n${told.join('\n')}`);
}

const containers = async (): Promise<string[]> =>
  (await must('podman', ['ps', '--all', '--format', '{{.Names}}']))
    .split('\n')
    .filter((name) => name.startsWith('mcpc-'));

async function until(holds: () => Promise<boolean>, ms: number, what: string): Promise<void> {
  for (const end = performance.now() + ms; !(await holds()); await pause(50))
    assert.ok(performance.now() < end, `${what} within ${ms} ms`);
}

const server = `server: { command: node, args: [/srv/boxed.mjs], docker: ${image} }\n`;
const suite = (name: string, text: string): string => {
  mkdirSync(join(work, 'evals'), { recursive: true });
  writeFileSync(join(work, 'evals', `${name}.yaml`), text);
  return join(work, 'evals', `${name}.yaml`);
};

interface Result {
  status: string;
  detail?: string;
}

async function resultOf(file: string, ...args: string[]): Promise<Result> {
  const { stdout, stderr } = await mcpc('run', file, '--json', '--container', 'podman', '--timeout', '120s', ...args);
  const [one] = stdout === '' ? [] : (JSON.parse(stdout) as Result[]);
  assert.ok(one, stderr);
  return one;
}

const passed = { status: 'PASS', detail: undefined };
const outcome = ({ status, detail }: Result): object => ({ status, detail });

const checks: Record<string, () => Promise<void>> = {
  'a case runs in a container, which sees nothing of the host but its own variables': async () => {
    const file = suite(
      'look',
      `${server.replace(' }', ', env: { GIVEN: "$GIVEN_HERE" } }')}assert: { tool: look, expect: { json_path: { $.pid: 1, $.home: none, $.given: given } } }\n`,
    );
    assert.deepEqual(outcome(await resultOf(file)), passed);
  },
  'its network is that of the engine, or none': async () => {
    const closed = suite(
      'closed',
      `${server.replace(' }', ', network: none }')}assert: { tool: look, expect: { json_path: { "$.network[0]": lo }, not_contains: [eth0] } }\n`,
    );
    assert.deepEqual(outcome(await resultOf(closed)), passed);
    const open = suite('open', `${server}assert: { tool: look, expect: { contains: ['"lo"', '"eth0"'] } }\n`);
    assert.deepEqual(outcome(await resultOf(open)), passed);
  },
  'the copy of the fixture is mounted where it is, and what the server writes is seen': async () => {
    mkdirSync(join(work, 'fixture'), { recursive: true });
    writeFileSync(join(work, 'fixture/hello.txt'), 'hello');
    const file = suite(
      'files',
      `${server}setup: [{ tool: read, args: { path: "{{fixture}}/hello.txt" }, capture: { text: $ } }]\nassert:\n  tool: write\n  args: { path: "{{fixture}}/made.txt", content: "{{text}} back" }\n  expect: { file_contains: { "{{fixture}}/made.txt": hello back }, file_unchanged: ["{{fixture}}/hello.txt"] }\n`,
    );
    assert.deepEqual(outcome(await resultOf(file, '--fixture', join(work, 'fixture'))), passed);
  },
  '--docker names the image where the suite names none': async () => {
    const file = suite(
      'plain',
      `${server.replace(/, docker: [^ ]+/, '')}assert: { tool: look, expect: { json_path: { $.pid: 1 } } }\n`,
    );
    assert.deepEqual(outcome(await resultOf(file, '--docker', image)), passed);
  },
  'an image that is not there fails its case with the words of the engine': async () => {
    const file = suite('missing', `${server.replace(image, 'localhost/mcpc-no-such-image')}assert: { tool: look }\n`);
    const { status, detail } = await resultOf(file);
    assert.equal(status, 'FAIL');
    assert.match(detail ?? '', /MCP initialize failed: [^]*mcpc-no-such-image/);
  },
  'no container is left of runs that ended': async () => {
    assert.deepEqual(await containers(), []);
  },
  'a call that does not end is given up, and its container with it': async () => {
    const file = suite('wait', `${server}assert: { tool: wait }\n`);
    const { stdout } = await mcpc('run', file, '--json', '--container', 'podman', '--timeout', '8s');
    assert.match((JSON.parse(stdout) as Result[])[0]?.detail ?? '', /deadline/);
    assert.deepEqual(await containers(), []);
  },
  ...Object.fromEntries(
    (['SIGINT', 'SIGKILL'] as const).map((signal) => [
      `${signal}: no container is left after ${goneMs / 1000} s`,
      async () => {
        const file = suite('wait', `${server}assert: { tool: wait }\n`);
        const child = spawn(
          process.execPath,
          [join(root, 'bin/mcpc.js'), 'run', file, '--container', 'podman', '--timeout', '1h'],
          { env, cwd: work, stdio: 'ignore' },
        );
        const ended = once(child, 'exit');
        await until(async () => (await containers()).length === 1, 60_000, 'the container is there');
        child.kill(signal);
        const began = performance.now();
        await ended;
        await until(async () => (await containers()).length === 0, goneMs, 'the container is gone');
        process.stdout.write(`    gone after ${Math.round(performance.now() - began)} ms\n`);
      },
    ]),
  ),
};

try {
  // Nothing can be imported with a runtime that is not there.
  configure((await must('sh', ['-c', 'command -v crun || command -v runc || echo crun'])).trim());
  process.stdout.write(
    await must('podman', ['--version']).catch((error: Error) =>
      Promise.reject(
        new Error(`There is no podman that runs: ${error.message}\nOn Debian: apt-get install podman runc.`),
      ),
    ),
  );
  await makeImage();
  process.stdout.write(`containers run with ${await findRuntime()}\n`);
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    const problem = await check().then(
      () => undefined,
      (error: Error) => error,
    );
    if (problem !== undefined) failed += 1;
    process.stdout.write(
      `${problem === undefined ? 'ok  ' : 'FAIL'} ${name}${problem === undefined ? '' : `\n${problem.stack ?? problem.message}`}\n`,
    );
  }
  process.stdout.write(`${Object.keys(checks).length - failed} of ${Object.keys(checks).length} hold\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await run('podman', ['rm', '--all', '--force', '--time', '0']);
  await run('podman', ['rmi', '--all', '--force']);
  rmSync(work, { recursive: true, force: true });
}
