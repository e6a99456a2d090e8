/** `mcpc intercept --lock`: drift is named when the server lists it, and --block keeps calls from the server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { lock } from '../../src/api/index.ts';
import { lockText } from '../../src/core/drift/lock.ts';
import { root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const server = join(root, 'test/drift/drifting-server.mjs');

async function locked(space: Workspace): Promise<string> {
  return space.write('mcpc.lock.json', lockText({ drifting: await lock([process.execPath, server]) }));
}

/** A client of the SDK behind intercept, and what came to stderr. */
async function behind(space: Workspace, drift: string, ...flags: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'bin/mcpc.js'), 'intercept', '--quiet', ...flags, '--', process.execPath, server],
    cwd: space.folder,
    env: { ...(process.env as Record<string, string>), DRIFT: drift, NO_COLOR: '1' },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name: 'client', version: '1' });
  await client.connect(transport);
  return { client, stderr: () => stderr };
}

test('on stdio changes are named, and calls of the tool that changed get an error', async () => {
  const space = new Workspace();
  const path = await locked(space);
  const { client, stderr } = await behind(space, 'description', '--lock', path, '--block', '--trace', 'run.jsonl');
  await client.listTools();
  await expect(client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).rejects.toThrow(
    'Blocked by mcpc: the tool "add" is not what the lock holds.',
  );
  await expect(client.callTool({ name: 'other' })).rejects.toThrow('the lock holds no tool "other"');
  expect(await client.callTool({ name: 'pong' })).toMatchObject({ content: [{ text: 'ok' }] });
  await client.listTools();
  await client.close();
  expect(stderr().match(/drift: security: tool add \/description: the description changed/g)).toHaveLength(1);
  // What was kept from the server is no part of the conversation.
  expect(space.read('run.jsonl').match(/"method":"tools\/call"/g)).toHaveLength(1);
});

test.runIf(thorough)('on stdio without --block the call passes, and without a change nothing is named', async () => {
  const space = new Workspace();
  const path = await locked(space);
  const loose = await behind(space, 'instructions', '--lock', path);
  expect(await loose.client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toBeDefined();
  await loose.client.close();
  expect(loose.stderr()).toContain('drift: security: server instructions: the text changed');
  const same = await behind(space, 'order', '--lock', path, '--block');
  await same.client.listTools();
  expect(await same.client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toBeDefined();
  await same.client.close();
  expect(same.stderr()).not.toContain('drift:');
});

test.each(['json', 'stream'])('over HTTP (%s) the same holds', async (how) => {
  const space = new Workspace();
  const path = await locked(space);
  const reached: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    reached.push(method);
    if (id === undefined) return void response.writeHead(202).end();
    const tools = [{ name: 'pong', description: 'Runs commands.', inputSchema: { type: 'object' } }];
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'drifting', version: '1' },
      },
      'tools/list': { tools },
    };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? { content: [] } });
    if (how === 'json') response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${text}\n\n`);
  };
  const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  onTestFinished(() => void http.close());
  await new Promise((resolve) => http.once('listening', resolve));
  const upstream = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const flags = ['--listen', '127.0.0.1:0', '--upstream', upstream, '--lock', path, '--block'];
  const running = space.start(['intercept', ...flags]);
  await running.shows(/Listening on \S+,/);
  const url = /Listening on (\S+),/.exec(running.text())![1]!;
  const client = new Client({ name: 'client', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.listTools();
  await expect(client.callTool({ name: 'pong' })).rejects.toThrow('Blocked by mcpc: the tool "pong"');
  await client.close();
  running.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(stderr).toContain('drift: security: tool pong /description: the description changed');
  expect(stderr).toContain('drift: breaking: tool add: the tool is gone');
  expect(stderr).toContain(`Exit 1: The server differs from ${path}.`);
  expect(code).toBe(1);
  expect(reached).not.toContain('tools/call');
});

test('a lock that is not valid, or --block without one, is wrong usage', async () => {
  const space = new Workspace();
  const command = ['--', process.execPath, server];
  space.write('broken.json', '{');
  expect((await space.call(['intercept', '--lock', 'broken.json', ...command])).code).toBe(2);
  expect((await space.call(['intercept', '--block', ...command])).code).toBe(2);
});
