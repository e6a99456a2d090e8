/**
 * The packed file as others install it: its entries and types hold to what tools and compilers expect, and the README's
 * first steps work in a project of its own, with Jest as well. Needs the build.
 */
import { someOf } from '../support/run/some-of.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | Record<string, unknown>>;
};
const entries = Object.keys(exports).filter((name) => name !== './package.json');
const bin = (name: string): string => join(root, 'node_modules', name);
let project: string;
let tarball: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'mcpc-installed-'));
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  });
  tarball = join(project, (JSON.parse(packed) as { filename: string }[])[0]!.filename);
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', modules]);
  execFileSync('mv', [join(modules, 'package'), join(modules, 'mcpc')]);
  for (const name of ['vitest', '@types/node', 'undici-types']) symlinkSync(bin(name), join(modules, name));
});
afterAll(() => rmSync(project, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

/** Runs a program of node_modules in the project. */
function run(program: string, ...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin(program), ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', VITEST: undefined, NODE_ENV: undefined },
  });
  return { code: status, output: stdout + stderr };
}

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({ pkgDir: root, pack: false, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg!, { color: false }))).toEqual([]);
});

test.runIf(thorough)('arethetypeswrong finds nothing', () => {
  // vitest itself is there as ES module alone.
  const { code, output } = run(
    '@arethetypeswrong/cli/dist/index.js',
    tarball,
    '--profile',
    'node16',
    '--ignore-rules',
    'cjs-resolves-to-esm',
  );
  expect(output).toContain('mcpc v');
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
});

test.each(someOf(['ts5', 'typescript', 'ts7'], 3, String))('a project compiles under %s', (compiler) => {
  write(
    'use.mts',
    `import { check, connect, judge, listCases, McpcError, runSuite, type RunReport, type Session } from 'mcpc';
import { checkClient, connect as alone, type ClientFunctions } from 'mcpc/client';
import { assertions, matchers } from 'mcpc/matchers';
import { Coprocess, laneCliHint, UNSUPPORTED_SDK_LANES } from 'mcpc/sdk';
import { describeSuite, withServer } from 'mcpc/vitest';
import { expect } from 'vitest';

export async function use(): Promise<void> {
  const report: RunReport = await check(['node', 'server.js'], { only: ['tools'], signal: AbortSignal.timeout(1) });
  const session: Session = await connect('node server.js', { onNotification: ({ method }) => void method });
  const { result, error } = await session.call('greet', { name: 'Ada' });
  assertions.toSucceed(await session.request('ping'));
  expect(await session.call('greet')).toFailWith({ code: -32602 });
  await expect(session).toObey('tools/*');
  console.log(report.parts[0]?.verdicts, result?.['content'], error?.code, await judge('x.jsonl'), await listCases('evals'));
  console.log((await runSuite('evals', { target: () => ({}) })).counts.failed, alone, matchers, McpcError);
  console.log(Coprocess, laneCliHint('evals'), UNSUPPORTED_SDK_LANES, describeSuite, withServer({ url: 'http://x' }));
  const client: ClientFunctions<Session> = { connect: ({ url }) => connect(url), close: (one) => one.close() };
  console.log((await checkClient(client, { transport: 'http', spec: '2025-11-25' })).target, await checkClient(['x', '{{url}}']));
  // @ts-expect-error: a level that there is not
  await check('node server.js', { level: 'perhaps' });
}
`,
  );
  write(
    'use.cts',
    `import mcpc = require('mcpc');\nexport const report: Promise<mcpc.RunReport> = mcpc.check('node x.js');\n`,
  );
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    skipLibCheck: true,
    types: ['node'],
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['use.mts', 'use.cts'] }));
  expect(run(`${compiler}/bin/tsc`, '-p', '.')).toEqual({ code: 0, output: '' });
  // The types of mcpc themselves, without what vitest's depend on.
  write(
    'types.mts',
    entries
      .filter((name) => name !== './vitest')
      .map((name) => `import 'mcpc${name.slice(1)}';`)
      .join('\n'),
  );
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { ...options, skipLibCheck: false, lib: ['es2022'] }, files: ['types.mts'] }),
  );
  expect(run(`${compiler}/bin/tsc`, '-p', '.')).toEqual({ code: 0, output: '' });
});

test('every entry is imported and required, and loads nothing that is not used', () => {
  const plain = entries.filter((name) => !['./vitest', './jest'].includes(name)).map((name) => `mcpc${name.slice(1)}`);
  write(
    'all.mjs',
    `${plain.map((name, at) => `import * as m${at} from '${name}';`).join('\n')}\nconsole.log(JSON.stringify([${plain.map((_name, at) => `Object.keys(m${at}).length`).join()}]));`,
  );
  write(
    'all.cjs',
    `console.log(JSON.stringify([${plain.map((name) => `Object.keys(require('${name}')).length`).join()}]));`,
  );
  const counts = ['all.mjs', 'all.cjs'].map(
    (file) => JSON.parse(execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8' })) as number[],
  );
  expect(counts[0]).toEqual(counts[1]);
  expect(Math.min(...counts[0]!)).toBeGreaterThan(0);
  write(
    'lazy.cjs',
    `require('mcpc'); console.log(Object.keys(require.cache).filter((file) => /rules|judge|suites|plan/.test(file.replace(/.*node_modules/, ''))).join());`,
  );
  expect(execFileSync(process.execPath, ['lazy.cjs'], { cwd: project, encoding: 'utf8' }).trim()).toBe('');
});

test.runIf(thorough)('Jest has the matchers, and says what fails', () => {
  symlinkSync(join(root, 'test/coprocess/servers/moody-server.mjs'), join(project, 'moody.mjs'));
  write(
    'package.json',
    JSON.stringify({ jest: { setupFilesAfterEnv: ['mcpc/jest'], testEnvironment: 'node', watchman: false } }),
  );
  write(
    'moody.test.js',
    `const { connect } = require('mcpc');
let session;
beforeAll(async () => { session = await connect([process.execPath, 'moody.mjs'], { listOnError: true }); });
afterAll(() => session.close());
test('holds', async () => {
  const reply = await session.call('echo', { message: 'hello' });
  expect(reply).toSucceed();
  expect(reply).toContainText('hello');
  expect(reply).not.toBeToolError();
  expect(reply).toMatchMcpSnapshot();
  await expect(session).toHaveTool('echo');
});
test('fails', async () => {
  expect(await session.call('refuse')).toSucceed();
});
`,
  );
  const { code, output } = run('jest/bin/jest.js', '--rootDir', project, '--colors=false', '--ci=false');
  expect(output).toContain('✓ holds');
  expect(output).toContain('✕ fails');
  expect(output).toContain(
    'expected tools/call refuse to succeed; the tool reports \\"I would rather not\\"'.replaceAll('\\', ''),
  );
  expect(code).toBe(1);
  expect(readFileSync(join(project, 'moody.test.js.mcp.snap'), 'utf8')).toContain('hello');
});
