/**
 * The README is at most 170 lines, and each command in it works as it stands there (one block of
 * commands in `npm test`; all with --mode all): in a copy of the checkout, with the
 * reader's own files beside it. Only addresses and packages elsewhere are replaced by a server of this machine, `npm ci` resolves
 * the lock file without writing, `npm test` gets one file to run and `npm run demo` the build that is there (its `pre` scripts
 * build, as they did before this test), and the steps for CI install the
 * package that `npm pack` makes of the build.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acmeServer } from './acme-server.ts';
import { root } from './harness.ts';
import { someOf } from '../support/run/some-of.ts';
import { blocksOf, Checkout, showsAs, transcriptOf } from './page-commands.ts';

const page = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = blocksOf(page);
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ lines }) => lines);
/** What is run, by turns; the block of YAML stands for the steps for CI, which pack and install mcpc. */
const due = someOf(
  blocks.filter(({ language }) => ['sh', 'console', 'yaml'].includes(language)),
  blocks.length,
  ({ lines }) => lines.join(),
);
const stepsAreDue = due.some(({ language }) => language === 'yaml');
const workflow = blocks
  .filter(({ language }) => language === 'yaml')
  .flatMap(({ lines }) => (parse(lines.join('\n')) as { steps: { run: string }[] }).steps.map(({ run }) => run));
const rules = blocks.filter(({ language }) => language === 'json').map(({ lines }) => lines.join('\n'));

const checkout = new Checkout();
let stop: () => Promise<void>;
let address: string;

const message = (sent: object, got: object) => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 5,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:3000/mcp',
    headers: [{ name: 'MCP-Protocol-Version', value: '2025-06-18' }],
    postData: { text: JSON.stringify({ jsonrpc: '2.0', ...sent }) },
  },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { size: 100, text: JSON.stringify({ jsonrpc: '2.0', ...got }) },
  },
});

beforeAll(async () => {
  checkout.write('server.js', acmeServer);
  checkout.write('.mcp.json', JSON.stringify({ mcpServers: { everything: { command: 'node', args: ['server.js'] } } }));
  checkout.write(
    'session.har',
    JSON.stringify({ log: { version: '1.2', entries: [message({ id: 1, method: 'ping' }, { id: 1, result: {} })] } }),
  );
  checkout.write(
    'evals/add.yaml',
    'name: add\nserver: { command: node, args: [server.js] }\nassert: { tool: acme_add, args: { a: 1, b: 2 }, expect: { not_error: true, contains: ["3"] } }\n',
  );
  checkout.write(
    'house.md',
    blocks
      .filter(({ language }) => language === 'markdown')
      .map(({ lines }) => `${lines.join('\n')}\n`)
      .join(''),
  );
  checkout.write('house/acme/tools-prefix.json', rules[0] ?? '');
  const server = spawn(process.execPath, ['server.js', '--port', '0'], {
    cwd: checkout.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(server.stderr, 'data')) as [Buffer];
  address = `http://127.0.0.1:${/\d+/.exec(line.toString())![0]}/mcp`;
  stop = async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
});
afterAll(async () => {
  await stop();
  checkout.remove();
});

/** Without the numbers of rules, which change with each rule that is added. */
const counted = (text: string): string => text.replaceAll(/decided \d+\/\d+/g, 'decided N/M');

/** The command of the page, with what this machine has in place of what is elsewhere. */
const local = (command: string): string =>
  command
    .replaceAll('http://127.0.0.1:3000/mcp', address)
    .replaceAll('https://mcp.example.com/mcp', address)
    .replaceAll('npm:my-server@1.4.0', '"node server.js"')
    .replace('127.0.0.1:9000', '127.0.0.1:0')
    .replace('npm ci', 'npm ci --dry-run --ignore-scripts')
    .replace('npm pack', 'npm pack --ignore-scripts')
    .replace(/npm run demo$/, 'npm run demo --ignore-scripts')
    .replace(/npm test$/, 'npm test --ignore-scripts -- test/model/ci-logs.test.ts');

test('it has at most 170 lines, and nothing that this test does not run', () => {
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(170);
  expect(new Set(blocks.map(({ language }) => language))).toEqual(
    new Set(['sh', 'console', 'yaml', 'markdown', 'json']),
  );
  expect(page.match(/^```/gm)).toHaveLength(2 * blocks.length);
  expect(commands.length).toBeGreaterThan(15);
});

test('its first screen sets up and runs the main job, and sets up and passes the tests', () => {
  const top = page.split('\n').slice(0, 24).join('\n');
  expect(blocksOf(top).map(({ lines }) => lines)).toEqual([['npm ci && npm run demo'], ['npm ci && npm test']]);
});

test('every link leads somewhere', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !link.startsWith('https://'));
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
});

describe('commands and transcripts', { timeout: 400_000 }, () => {
  test('npx takes the program of the checkout', async () => {
    expect(await checkout.run('npx mcpc --version', { ownNpx: true })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^mcpc\/\d/),
    });
  });

  // Commands of a block may rest on those above them.
  test.each(due.filter(({ language }) => language === 'sh').flatMap(({ lines }) => lines))('%s', async (command) => {
    // No server of a client that is installed on this machine.
    const home = join(checkout.folder, '.home');
    mkdirSync(home, { recursive: true });
    const env = {
      HOME: home,
      XDG_CONFIG_HOME: home,
      TOKEN: 'a-token-of-the-test',
      npm_config_prefix: join(checkout.folder, '.global'),
    };
    const listens = / intercept .*--listen/.test(command);
    const { code, stderr, stdout } = await checkout.run(local(command), {
      env,
      ...(listens ? { interruptAt: 'Listening on' } : {}),
    });
    expect(code, stdout + stderr).toBe(0);
    if (command.includes('install --global'))
      for (const name of ['mcpc', 'mcp-check'])
        expect(existsSync(join(checkout.folder, '.global/bin', name))).toBe(true);
    if (command.includes('demo')) expect(existsSync(join(checkout.folder, 'demo/report.html'))).toBe(true);
    if (command.includes('npm test')) expect(stdout).toMatch(/Tests .*\d+ passed/);
  });

  test.each(
    due
      .filter(({ language }) => language === 'console')
      .map(transcriptOf)
      .map((shown) => [shown[0]!.command, shown] as const),
  )('%s', async (_title, shown) => {
    // Between two commands a line tells where the output of one ends; the status is handed on.
    const script = shown
      .map(({ command }) => `${local(command)}; status=$?; printf '\\n=====\\n'; (exit $status)`)
      .join('\n');
    const { stdout } = await checkout.run(script);
    const outputs = stdout.split('\n=====\n');
    for (const [index, { command, output }] of shown.entries())
      expect(showsAs(counted(outputs[index]!), output.map(counted)), `${command}\n${outputs[index]}`).toBe(true);
  });
});

test('a line of a transcript that is not in the output is noticed', () => {
  expect(showsAs('a\nb\nc\n', ['a', '…', 'c'])).toBe(true);
  expect(showsAs('a\nb\nc\n', ['a', 'c'])).toBe(false);
  expect(showsAs('a\nb\nc\n', ['a', '…', 'd'])).toBe(false);
  expect(showsAs('a\nb\nc\n', ['b', '…'])).toBe(false);
});

test.runIf(stepsAreDue)('the steps for CI, in a repository with a release of mcpc', { timeout: 400_000 }, async () => {
  const folder = join(checkout.folder, '.pipeline');
  mkdirSync(folder);
  const packed = await checkout.run('npm pack --ignore-scripts --pack-destination .pipeline');
  expect(packed.code, packed.stderr).toBe(0);
  cpSync(join(checkout.folder, 'server.js'), join(folder, 'server.js'));
  writeFileSync(
    join(folder, 'known.json'),
    JSON.stringify({ format: 'mcpc-baseline', version: 1, revision: '2025-06-18', failures: [] }),
  );
  const env = {
    npm_config_prefix: join(folder, '.global'),
    PATH: `${join(folder, '.global/bin')}:${process.env['PATH']}`,
  };
  expect(workflow).toHaveLength(2);
  for (const step of workflow) {
    const { code, stdout, stderr } = await checkout.run(local(step), { cwd: folder, env });
    expect(code, `${step}\n${stdout}${stderr}`).toBe(0);
  }
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('<testsuites');
});
