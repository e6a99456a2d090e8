/** Files of MCP clients and other tools, as their owners write them: the table of them, and an example of each row. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openEntry } from '../../src/check/fleet-file/entry.ts';
import { starterFleet } from '../../src/fleet/file/init.ts';
import { parseFleetFile } from '../../src/check/fleet-file/read-file.ts';
import type { Fleet } from '../../src/check/settings/fleet-entry.ts';
import { otherFiles } from '../../src/check/target/clients/other-file.ts';
import { clientTools } from '../../src/check/target/clients/tools.ts';
import { readConfiguredServer } from '../../src/check/target/config-file.ts';
import { clientExamples, type ClientExample } from './client-examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));
const home = join(folder, 'home');
const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: '' };
const repository = join(folder, 'repository');
mkdirSync(join(repository, '.git'), { recursive: true });

function write(path: string, text: string): string {
  const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function fleetOf(...include: unknown[]): Fleet {
  return parseFleetFile(stringify({ version: 1, include }), join(repository, 'fleet.yaml'), env);
}

function writeExample({ path, text, beside = {} }: ClientExample): string {
  for (const [name, other] of Object.entries(beside)) write(name, other);
  return write(path, text);
}

const here = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('{project}', repository));

describe('the table of clients', () => {
  test('has an example of each row', () => {
    expect([...new Set(clientExamples.map(({ short }) => short))].toSorted()).toEqual(
      clientTools.map(({ short }) => short).toSorted(),
    );
  });

  test.each(clientExamples)('$short reads $path', (example) => {
    const { path, servers, off = [] } = example;
    writeExample(example);
    const fleet = fleetOf(path);
    expect(fleet.unread).toEqual([]);
    expect(fleet.entries.map(({ name }) => name)).toEqual(Object.keys(servers));
    for (const entry of fleet.entries) expect(entry).toMatchObject(here(servers[entry.name]) as object);
    expect(fleet.notices).toEqual(off.map((name) => expect.stringContaining(`server "${name}" is disabled there`)));
  });

  test('fleet init finds all of them', () => {
    for (const example of clientExamples) writeExample(example);
    const { found, unreadable } = starterFleet('fleet.yaml', { env, platform: 'linux', cwd: repository });
    expect(unreadable).toEqual([]);
    const shorts = found.map(({ short }) => short.replace(/-user$/, ''));
    const unplaced = clientTools.filter(({ project = [], user = [] }) => project.length + user.length === 0);
    const expected = clientExamples
      .filter(({ servers }) => Object.keys(servers).length > 0)
      .map(({ short }) => short)
      .filter((short) => !unplaced.some((tool) => tool.short === short));
    expect([...new Set(shorts)].toSorted()).toEqual([...new Set(expected)].toSorted());
  });
});

describe('one server of a file', () => {
  const only = (server: unknown, name = 'odd.json'): Fleet =>
    fleetOf(write(name, JSON.stringify({ mcpServers: { fine: { command: 'x' }, odd: server } })));

  test.each<[string, unknown, RegExp]>([
    ['no way to it', {}, /^has neither "command" nor "url"/],
    ['text', 'paint', /^must be an object/],
    [
      'a command line',
      { command: 'node art.js', args: ['-x'] },
      /words belong into "args".*"command": "node", "args": \["art\.js","-x"\]/,
    ],
    ['a type that there is not', { type: 'websocket', url: 'https://x' }, /^the type "websocket" is unknown/],
    ['the name of what objects have', { type: 'constructor', url: 'https://x' }, /^the type "constructor" is unknown/],
    [
      'an address of another kind',
      { url: 'pipe:///pipe/paint' },
      /^the address "pipe:\/\/…" is none that mcpc can reach/,
    ],
    ['a command of the wrong type', { command: 3 }, /^"command" must be text/],
    ['an empty list of words', { command: [] }, /^"command" is an empty list/],
    ['an image', { type: 'server', image: 'paint:1' }, /^is an image of containers \(paint:1\)/],
    ['stdio without a command', { type: 'stdio', url: 'https://x' }, /^has the type "stdio", but no command/],
  ])('that has %s is not read, and stops no other', (_title, server, why) => {
    const { entries, unread } = only(server);
    expect(entries.map(({ name }) => name)).toEqual(['fine']);
    expect(unread).toEqual([
      { name: 'odd', from: expect.stringMatching(/odd\.json:1$/), why: expect.stringMatching(why) },
    ]);
    expect(unread[0]!.why).not.toMatch(/\.$/);
  });

  test('left out by skip it is not looked at; named by only it is an error', () => {
    const file = write('odd.json', JSON.stringify({ mcpServers: { fine: { command: 'x' }, odd: {} } }));
    expect(fleetOf({ files: file, skip: ['odd'] }).unread).toEqual([]);
    expect(fleetOf({ files: file, only: ['*'] }).unread).toHaveLength(1);
    expect(() => fleetOf({ files: file, only: ['odd'] })).toThrow(/odd\.json:1: server "odd": has neither/);
  });

  test('a path with blanks is a program where there is one, and where that cannot be seen', () => {
    const program = write('my art/paint', '');
    expect(only({ command: program }).entries).toHaveLength(2);
    expect(only({ command: '/nowhere else/paint' }).entries).toHaveLength(2);
  });

  test('comments are no servers', () => {
    const text = '{"mcpServers":{"_comment":"ours","//":"x","a":{"command":"x"},"$note":["y"]}}';
    const { entries, unread } = fleetOf(write('comments.json', text));
    expect(entries.map(({ name }) => name)).toEqual(['a']);
    expect(unread).toEqual([]);
  });

  test.each(['serverUrl', 'httpUrl', 'uri', 'url'])('%s is an address in any file', (spelled) => {
    const { entries } = only({ [spelled]: 'https://paint.example/mcp' });
    expect(entries[1]!.reach).toEqual({ kind: 'url', url: 'https://paint.example/mcp' });
  });

  test.each(['local', 'stdio', 'streamable_http', 'streamable-http', 'streamableHttp', 'remote', 'SSE'])(
    'the type %s',
    (type) => {
      const local = ['local', 'stdio'].includes(type);
      const server = local ? { type, command: 'x' } : { type, url: 'https://paint.example/mcp' };
      const [, entry] = only(server).entries;
      const transport = type === 'SSE' ? 'sse' : type === 'remote' || local ? undefined : 'http';
      expect(entry!.transport).toBe(transport);
    },
  );

  test('empty text says nothing', () => {
    const [, entry] = only({ type: 'http', command: '', url: 'https://paint.example/mcp' }).entries;
    expect(entry!.reach.kind).toBe('url');
  });
});

describe('variables', () => {
  test('the workspace of a file of the user is that of the fleet, or where mcpc runs', () => {
    const file = write(
      '~/.cursor/mcp.json',
      JSON.stringify({ mcpServers: { paint: { command: 'x', args: ['${workspaceFolder}', '${userHome}'] } } }),
    );
    expect(fleetOf(file).entries[0]!.reach).toMatchObject({ args: [repository, home] });
    expect(readConfiguredServer(file, 'paint', env, '/work space')).toMatchObject({ args: ['/work space', home] });
  });

  test('inputs have a value by flag or environment, else their default; passwords are secrets', async () => {
    const { path, text } = clientExamples.find(({ short }) => short === 'vscode')!;
    const file = write(path, text);
    const opened = readConfiguredServer(file, 'paint', { ...env, MCPC_INPUT_KEY: 'red hot', KEY: 'other' });
    expect(opened).toMatchObject({ args: [join(repository, 'art'), 'light'], env: { KEY: 'red hot' } });
    expect(opened.secrets).toContain('red hot');
    expect(readConfiguredServer(file, 'paint', { ...env, KEY: 'k', TONE: 'dark' })).toMatchObject({
      args: [expect.anything(), 'dark'],
      env: { KEY: 'k' },
    });
    expect(() => readConfiguredServer(file, 'paint', env)).toThrow(
      'server "paint": env.KEY asks for the input "key", which has no value.',
    );
    const entry = fleetOf(path).entries[0]!;
    const target = await openEntry(entry, { env: { MCPC_INPUT_KEY: 'red hot' } });
    expect(target).toMatchObject({ target: { args: [join(repository, 'art'), 'light'], env: { KEY: 'red hot' } } });
    expect((target.target as { env: object }).env).not.toHaveProperty('MCPC_INPUT_KEY');
  });
});

describe('the registry', () => {
  const described = (name: string, more: object): object => ({ name, description: 'd', version: '1.0.0', ...more });
  const npm = (identifier: string, more: object = {}): object => ({
    registryType: 'npm',
    identifier,
    version: '1.0.0',
    transport: { type: 'stdio' },
    ...more,
  });

  test('a port in the address is that of an argument, or of the environment', () => {
    const at = { type: 'streamable-http', url: 'http://127.0.0.1:{port}/mcp' };
    const packages = [
      npm('by-hint', {
        transport: at,
        packageArguments: [{ type: 'named', name: '--listen', valueHint: 'port', default: '7001' }],
      }),
      npm('by-name', { transport: at, packageArguments: [{ type: 'named', name: '--port', value: '7002' }] }),
      npm('by-variable', { transport: at, environmentVariables: [{ name: 'port', default: '7003' }] }),
    ];
    const { entries } = fleetOf(write('ports/server.json', JSON.stringify(described('io.x/paint', { packages }))));
    expect(entries.map(({ reach, env: own }) => [reach.url, (reach as { args: string[] }).args, own])).toEqual([
      ['http://127.0.0.1:${LISTEN:-7001}/mcp', ['--listen', '${LISTEN:-7001}'], {}],
      ['http://127.0.0.1:7002/mcp', ['--port', '7002'], {}],
      ['http://127.0.0.1:${PORT:-7003}/mcp', [], { port: '${PORT:-7003}' }],
    ]);
  });

  test('a listing has the latest of each server', () => {
    const meta = (isLatest: boolean): object => ({
      _meta: { 'io.modelcontextprotocol.registry/official': { isLatest } },
    });
    const file = write(
      'listing.json',
      JSON.stringify({
        servers: [
          { server: described('io.x/paint', { packages: [npm('paint-old')] }), ...meta(false) },
          { server: described('io.x/paint', { packages: [npm('paint')] }), ...meta(true) },
          { server: described('io.x/print', { remotes: [{ type: 'streamable-http', url: 'https://x.example/mcp' }] }) },
          {
            server: described('io.x/press', {
              packages: [{ registryType: 'pypi', identifier: 'press', version: '1' }],
            }),
          },
        ],
        metadata: { count: 4 },
      }),
    );
    const { entries, unread } = fleetOf(file);
    expect(entries.map(({ name }) => name)).toEqual(['io.x/paint', 'io.x/print']);
    expect(entries[0]!.reach).toMatchObject({ spec: 'paint@1.0.0' });
    expect(unread).toMatchObject([
      { name: 'io.x/press', why: expect.stringMatching(/^left out: the package press is of type pypi/) },
    ]);
  });
});

describe('a list of servers', () => {
  const listOf = (...servers: object[]): Fleet => fleetOf(write('servers.json', JSON.stringify({ servers })));

  test('with the way to each in an object of its own', () => {
    const { entries } = listOf(
      { name: 'paint', transport: { type: 'stdio', command: 'paint', args: ['-x'] } },
      { name: 'far', transport: { type: 'streamable-http', url: 'https://paint.example/mcp' } },
    );
    expect(entries.map(({ name, reach }) => [name, reach.kind])).toEqual([
      ['paint', 'command'],
      ['far', 'url'],
    ]);
  });

  test('has no two of one name', () => {
    const paint = { name: 'paint', command: 'paint' };
    expect(() => listOf(paint, paint)).toThrow(
      /server "paint" is named twice: .*servers\.json:1 and .*servers\.json:1/,
    );
  });
});

describe('a file that is no configuration of servers', () => {
  const texts: Record<string, string> = {
    Smithery: 'startCommand: { type: stdio, commandFunction: "(config) => ({ command: config.x })" }',
    promptfoo: 'providers: [{ id: mcp }]\nprompts: ["{{prompt}}"]\ntests: [{ vars: { prompt: x } }]',
    Compose: 'services: { db: { image: x } }',
  };

  test.each(otherFiles)('of $tool is named, with what to do', ({ tool, what, remedy }) => {
    const file = write(`other/${tool}.yaml`, texts[tool]!);
    expect(() => fleetOf(file)).toThrow(
      expect.objectContaining({ message: `${file} has no servers: it is ${what}.`, remedy }),
    );
  });
});

describe('a broken file', () => {
  test.each<[string, string, string, RegExp]>([
    ['JSON', 'broken.json', '{"mcpServers": {\n "a": }', /broken\.json:2:\d+: not JSON/],
    ['YAML', 'broken.yaml', 'mcpServers:\n  a: [\n', /broken\.yaml:\d+:\d+: /],
    ['TOML', 'broken.toml', '[mcp_servers.a]\ncommand = \n', /broken\.toml:2:\d+: /],
    [
      'JSON within itself',
      'deep.json',
      `{"mcpServers":${'['.repeat(200_000)}`,
      /deep\.json(?::1:\d+: not JSON| nests too deeply)/,
    ],
    ['a list', 'list.yaml', '- a\n', /list\.yaml holds no mapping/],
  ])('of %s is told with its line', (_title, name, text, why) => {
    const file = write(name, text);
    expect(() => fleetOf(file)).toThrow(why);
    expect(() => readConfiguredServer(file, undefined, env)).toThrow(why);
  });
});
