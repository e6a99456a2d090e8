/** An entry is opened where its check runs: variables, ports, files, secrets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openEntry, type OpenedEntry } from '../../src/check/fleet-file/entry.ts';
import { parseFleetFile } from '../../src/check/fleet-file/read-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-fleet-entry-'));
afterAll(() => rmSync(folder, { recursive: true }));

function opened(server: object, env: NodeJS.ProcessEnv = {}): Promise<OpenedEntry> {
  const { entries } = parseFleetFile(
    stringify({ version: 1, servers: { 'my server': server } }),
    join(folder, 'fleet.yaml'),
  );
  return openEntry(entries[0]!, { env });
}

describe('what a check gets', () => {
  test('a command on stdio, with the environment of mcpc and its own', async () => {
    writeFileSync(join(folder, '.env'), 'FILE=from-file\nBOTH=from-file\n');
    const entry = await opened(
      {
        command: 'node',
        args: ['${WORD}', 'a${NONE:-b}c'],
        env: { BOTH: 'own-${WORD}', API_KEY: '${SECRET_TOKEN}' },
        envFile: '.env',
        timeouts: { request: 1000, start: '2s', check: '1m' },
        spec: '2025-06-18',
        allowDestructive: true,
        baseline: '${WORD}.json',
      },
      { WORD: 'hello', SECRET_TOKEN: 'abcdefgh', PATH: '/bin' },
    );
    expect(entry).toEqual({
      name: 'my server',
      target: {
        kind: 'stdio',
        command: 'node',
        args: ['hello', 'abc'],
        cwd: folder,
        env: {
          WORD: 'hello',
          SECRET_TOKEN: 'abcdefgh',
          PATH: '/bin',
          FILE: 'from-file',
          BOTH: 'own-hello',
          API_KEY: 'abcdefgh',
        },
      },
      fallback: false,
      spec: '2025-06-18',
      timing: { answerMs: 1000, startMs: 2000 },
      secrets: expect.arrayContaining(['abcdefgh', 'own-hello', 'from-file']),
      allowDestructive: true,
      checkMs: 60_000,
      baselineFile: join(folder, 'hello.json'),
    });
  });

  test('a command over HTTP, with one free port wherever it is named', async () => {
    const server = {
      command: 'node',
      args: ['--port={{port}}', 'x y'],
      env: { PORT: '{{port}}' },
      url: 'http://127.0.0.1:{{port}}/mcp',
      headers: { Authorization: 'Bearer ${T}' },
    };
    const [one, other] = await Promise.all([
      opened(server, { T: 'token-value' }),
      opened(server, { T: 'token-value' }),
    ]);
    const port = String(one.serve!.port);
    expect(one).toMatchObject({
      target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [['Authorization', 'Bearer token-value']] },
      serve: { command: 'node', args: [`--port=${port}`, 'x y'], env: { PORT: port } },
      fallback: true,
      checkMs: 300_000,
    });
    expect(one.secrets).toEqual(['Bearer token-value']);
    expect(other.serve!.port).not.toBe(one.serve!.port);
  });

  test('a fixed port, and a server that runs already', async () => {
    expect(await opened({ command: 'x', url: 'http://127.0.0.1:4000/sse', transport: 'sse' })).toMatchObject({
      target: { kind: 'sse' },
      serve: { port: 4000 },
      fallback: false,
    });
    const remote = await opened(
      { url: '${BASE}/mcp', transport: 'streamable-http' },
      { BASE: 'https://example.com', MCPC_TOKEN: 'for-one-target-alone' },
    );
    expect(remote).toMatchObject({
      target: { kind: 'http', url: 'https://example.com/mcp', headers: [] },
      fallback: false,
    });
    expect(remote).not.toHaveProperty('serve');
  });

  test('hints are read', async () => {
    writeFileSync(join(folder, 'hints.yaml'), 'tools: { find: { slow: true } }\n');
    expect((await opened({ command: 'x', hints: 'hints.yaml' })).hints!.tools['find']).toEqual({ slow: true });
  });
});

test.each<[string, object, NodeJS.ProcessEnv, RegExp]>([
  [
    'a variable that is not set',
    { command: 'x', env: { A: '${NOT_SET}' } },
    {},
    /env\.A needs the environment variable NOT_SET, which is not set\.$/,
  ],
  ['a variable of an editor', { command: '${input:x}' }, {}, /command asks for the input "x"/],
  [
    'an address that comes to none',
    { url: '${BASE}/mcp' },
    { BASE: 'gopher://x' },
    /"gopher:\/\/x\/mcp" is no http or https address\.$/,
  ],
  [
    'a header with a line break',
    { url: 'http://x/', headers: { A: '${H}' } },
    { H: 'a\r\nB: c' },
    /headers\.A holds a line break/,
  ],
  ['hints that are missing', { command: 'x', hints: 'none.yaml' }, {}, /Cannot read the hints .*none\.yaml/],
  ['hints that are wrong', { command: 'x', hints: 'wrong.yaml' }, {}, /wrong\.yaml:1:1: unknown property "tool"/],
  [
    'an environment file that is missing',
    { command: 'x', envFile: 'none.env' },
    {},
    /Cannot read the environment file .*none\.env/,
  ],
  ['a package that is missing', { npm: './none.tgz' }, {}, /There is no package .*none\.tgz\.$/],
])('%s is told with place and name', async (_title, server, env, message) => {
  writeFileSync(join(folder, 'wrong.yaml'), 'tool: {}\n');
  const error = await opened(server, env).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ stage: 'usage' });
  expect((error as Error).message.startsWith(`${join(folder, 'fleet.yaml')}:3: server "my server": `)).toBe(true);
  expect((error as Error).message).toMatch(message);
});
