/** What a fleet file takes from files of MCP clients and of the registry. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, describe, test } from 'vitest';
import { stringify } from 'yaml';
import { missingVariables, openEntry } from '../../src/check/fleet-file/entry.ts';
import { parseFleetFile } from '../../src/check/fleet-file/read-file.ts';
import type { Fleet, FleetEntry } from '../../src/check/settings/fleet-entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-fleet-include-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { HOME: join(folder, 'home'), USERPROFILE: join(folder, 'home') };

function write(name: string, content: string | object): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
}

function fleet(include: unknown[], more: object = {}): Fleet {
  return parseFleetFile(stringify({ version: 1, include, ...more }), join(folder, 'fleet.yaml'), env);
}
const byName = ({ entries }: Fleet): Record<string, FleetEntry> =>
  Object.fromEntries(entries.map((entry) => [entry.name, entry]));
const one = {
  mcpServers: { one: { command: 'node', args: ['${workspaceFolder}/s.js', '${WORD:-x}'], env: { KEY: '${env:KEY}' } } },
};

describe('files of clients', () => {
  beforeAll(() => {
    write('a/.mcp.json', one);
    write(
      'b/.vscode/mcp.json',
      '{\n  // a comment\n  "servers": {\n    "two": { "type": "sse", "url": "http://x/sse", "headers": { "A": "b" } },\n    "three": { "command": "x", "cwd": "sub", "envFile": "${workspaceFolder}/.env" },\n  },\n}\n',
    );
    write('c/settings.json', { mcp: { servers: { four: { url: 'http://x/mcp' } } } });
    write('d/claude_desktop_config.json', {
      mcpServers: { five: { command: 'x', mcpc: { hints: 'h.yaml' } }, off: { command: 'x', disabled: true } },
    });
    write('home/.cursor/mcp.json', { mcpServers: { six: { command: 'x' } } });
    write('home/.claude.json', {
      mcpServers: { seven: { command: 'x' } },
      projects: { [join(folder, 'a')]: { mcpServers: { eight: { command: '${workspaceFolderBasename}' } } } },
    });
    write('e/settings.json', { 'editor.fontSize': 3 });
    write('f [1]/.mcp.json', { mcpServers: { nine: { command: 'x' } } });
  });

  test('each kind, by path, glob and from the home folder', () => {
    const { entries, notices } = fleet(
      [
        '*/.mcp.json',
        '**/.vscode/mcp.json',
        'c/settings.json',
        'd/*.json',
        '~/.cursor/*.json',
        '~/.claude.json',
        { files: '~/.claude.json', project: 'a' },
      ],
      { defaults: { tags: ['all'], timeouts: { start: '3s' } } },
    );
    expect(entries.map(({ name }) => name)).toEqual([
      'one',
      'nine',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'eight',
    ]);
    const { one: first, two, three, five, eight } = Object.fromEntries(entries.map((entry) => [entry.name, entry]));
    expect(first).toMatchObject({
      from: `${join(folder, 'a/.mcp.json')}:3`,
      folder: join(folder, 'a'),
      cwd: join(folder, 'a'),
      reach: { args: [join(folder, 'a/s.js'), '${WORD:-x}'] },
      env: { KEY: '${env:KEY}' },
      tags: ['all'],
      timeouts: { startMs: 3000 },
    });
    expect(two).toMatchObject({
      from: `${join(folder, 'b/.vscode/mcp.json')}:4`,
      transport: 'sse',
      headers: { A: 'b' },
    });
    expect(three).toMatchObject({ cwd: join(folder, 'b/sub'), envFile: join(folder, 'b/.env') });
    expect(five).toMatchObject({ hints: join(folder, 'd/h.yaml') });
    expect(eight).toMatchObject({ reach: { command: 'a' }, cwd: join(folder, 'a') });
    expect(notices).toEqual([
      `${join(folder, 'd/claude_desktop_config.json')}:9: server "off" is disabled there and left out.`,
    ]);
  });

  test('what is said of an include holds for its servers, between the defaults and what the file says', () => {
    const { entries } = fleet(
      [
        {
          files: ['a/.mcp.json', 'd/*.json'],
          only: ['o*'],
          skip: ['off'],
          prefix: '${workspaceFolderBasename}/',
          tags: ['x'],
          owner: 'them',
          env: { KEY: 'include', OTHER: 'include' },
          cwd: 'work',
          grade: 'B',
        },
      ],
      { defaults: { owner: 'us', tags: ['all'], env: { OTHER: 'default', THIRD: 'default' } } },
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      name: 'a/one',
      id: 'a-one',
      tags: ['all', 'x'],
      owner: 'them',
      env: { KEY: '${env:KEY}', OTHER: 'include', THIRD: 'default' },
      cwd: join(folder, 'work'),
      expectedGrade: 'B',
    });
  });

  test('a path with signs of a glob is a path where there is such a file', () => {
    expect(fleet(['f [1]/.mcp.json']).entries.map(({ name }) => name)).toEqual(['nine']);
  });

  test('variables are put in where the check runs, and their values are secrets', async () => {
    const { one: entry } = byName(fleet(['a/.mcp.json']));
    expect(missingVariables(entry!, {})).toEqual([
      expect.stringMatching(
        /^.*a\/\.mcp\.json:3: server "one": env\.KEY needs the environment variable KEY, which is not set\.$/,
      ),
    ]);
    const opened = await openEntry(entry!, { env: { KEY: 'hidden-value', WORD: 'w' } });
    expect(opened).toMatchObject({
      name: 'one',
      target: { kind: 'stdio', args: [join(folder, 'a/s.js'), 'w'], env: { KEY: 'hidden-value' } },
      fallback: false,
    });
    expect(opened.secrets).toContain('hidden-value');
  });

  test.each<[string, unknown[], RegExp]>([
    ['a path that does not exist', ['no.json'], /^.*fleet\.yaml:3: there is no file no\.json\.$/],
    ['a file without servers', ['e/settings.json'], /e\/settings\.json has no servers\.$/],
    [
      'a folder that the file does not have',
      [{ files: '~/.claude.json', project: 'b' }],
      /has no servers for the folder .*b\.$/,
    ],
    [
      'a name that fits nothing',
      [{ files: 'a/.mcp.json', only: ['onn'] }],
      /^.*fleet\.yaml:3: only: "onn" fits no server of the files\. Did you mean "one"\?$/,
    ],
    [
      'one name in two files',
      ['a/.mcp.json', 'g.json'],
      /^server "one" is named twice: .*a\/\.mcp\.json:3 and .*g\.json:1\.$/,
    ],
    [
      'a wrong server that is named',
      [{ files: 'h.json', only: ['x'] }],
      /^.*h\.json:2: server "x": has neither "command" nor "url"\.$/,
    ],
    ['one name twice in a file', ['twice.json'], /^server "x" is named twice: .*twice\.json:2 and .*twice\.json:3\.$/],
    ['no JSON', ['i.json'], /^.*i\.json:1:\d+: not JSON/],
  ])('%s is told', (_title, include, message) => {
    write('g.json', '{"mcpServers":{"one":{"command":"other"}}}');
    write('h.json', '{"mcpServers":{\n"x":{}}}');
    write('twice.json', '{"mcpServers":{\n"x":{"command":"a"},\n"x":{"command":"b"}}}');
    write('i.json', '{"mcpServers"');
    expect(() => fleet(include)).toThrow(message);
  });

  test('a glob may fit nothing, or files of other kinds; both are said', () => {
    expect(fleet(['none/*.json', 'e/*.json'])).toMatchObject({
      entries: [],
      notices: [
        expect.stringMatching(/no file fits none\/\*\.json\.$/),
        expect.stringMatching(/e\/settings\.json has no servers\.$/),
      ],
    });
  });
});

describe('server.json of the registry', () => {
  test('npm packages are installed, remotes are reached, the rest is left out', () => {
    write('r/server.json', {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.x/y',
      version: '1.2.3',
      packages: [
        {
          registryType: 'npm',
          identifier: '@x/y',
          version: '1.2.3',
          runtimeHint: 'node',
          transport: { type: 'stdio' },
          runtimeArguments: [
            { type: 'named', name: '--max-old-space-size', value: '{mb}', variables: { mb: { default: '256' } } },
          ],
          packageArguments: [
            { type: 'positional', value: 'run' },
            { type: 'named', name: '--root', valueHint: 'dir', isRequired: true },
            { type: 'named', name: '--level', default: 'info' },
            { type: 'named', name: '--other' },
          ],
          environmentVariables: [
            { name: 'API_KEY', isRequired: true, isSecret: true },
            { name: 'LEVEL', default: 'low' },
            { name: 'MODE', value: 'a-{kind}' },
            { name: 'MAYBE' },
          ],
        },
        {
          registryType: 'npm',
          identifier: 'over-http',
          version: '2.0.0',
          runtimeHint: 'npx',
          runtimeArguments: [{ type: 'positional', value: '-y' }],
          transport: {
            type: 'streamable-http',
            url: 'http://127.0.0.1:{port}/mcp',
            variables: { port: { default: '3000' } },
          },
        },
        { registryType: 'oci', identifier: 'docker.io/x/y', version: '1', transport: { type: 'stdio' } },
      ],
      remotes: [
        {
          type: 'sse',
          url: 'https://{tenant}.example.com/sse',
          headers: [
            { name: 'X-Api-Key', isRequired: true },
            { name: 'Authorization', value: 'Bearer {token}' },
          ],
        },
      ],
    });
    const read = fleet([{ files: 'r/server.json', tags: ['registry'] }]);
    const servers = byName(read);
    expect(Object.keys(servers)).toEqual(['io.github.x/y#npm', 'io.github.x/y#npm-2', 'io.github.x/y#sse']);
    expect(servers['io.github.x/y#npm']).toMatchObject({
      reach: {
        kind: 'npm',
        spec: '@x/y@1.2.3',
        nodeArgs: ['--max-old-space-size', '${MB:-256}'],
        args: ['run', '--root', '${ROOT}', '--level', '${LEVEL:-info}'],
        allowScripts: false,
      },
      env: { API_KEY: '${API_KEY}', LEVEL: '${LEVEL:-low}', MODE: 'a-${KIND}' },
      tags: ['registry'],
      cwd: join(folder, 'r'),
    });
    expect(servers['io.github.x/y#npm-2']).toMatchObject({
      reach: { url: 'http://127.0.0.1:${PORT:-3000}/mcp', args: [] },
      transport: 'http',
    });
    expect(servers['io.github.x/y#sse']).toMatchObject({
      reach: { kind: 'url', url: 'https://${TENANT}.example.com/sse' },
      transport: 'sse',
      headers: { 'X-Api-Key': '${X_API_KEY}', Authorization: 'Bearer ${TOKEN}' },
    });
    expect(read.unread).toEqual([
      {
        name: 'io.github.x/y',
        from: `${join(folder, 'r/server.json')}:1`,
        why: 'left out: the package docker.io/x/y is of type oci; mcpc installs packages of npm alone',
      },
    ]);
    expect(read.notices).toEqual([]);
  });

  test('one way alone keeps the name, also as the registry wraps it and with the names of old', () => {
    write('r2/server.json', {
      server: {
        name: 'io.github.x/z',
        packages: [
          {
            registry_name: 'npm',
            name: 'z',
            version: '0.1.0',
            environment_variables: [{ name: 'A', is_required: true }],
          },
        ],
      },
      _meta: {},
    });
    expect(byName(fleet(['r2/server.json']))['io.github.x/z']).toMatchObject({
      id: 'io.github.x-z',
      reach: { kind: 'npm', spec: 'z@0.1.0' },
      env: { A: '${A}' },
    });
  });
});
