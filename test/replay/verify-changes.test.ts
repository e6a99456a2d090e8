/**
 * `verify` against the reference server: from one recording it finds each of thirty changed behaviours, among them
 * notifications and requests of the server, and nothing in the unchanged one. Needs the build.
 */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, expect, test } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { noPermission } from '../../src/core/permission/decide.ts';
import { verify } from '../../src/replay/verify.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { exampleServer, root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';

const work = new Workspace();
const recording = 'tour.jsonl';

/** One conversation with a client that declares everything. */
beforeAll(async () => {
  const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
  const client = new Client({ name: 'tour', version: '1' }, { capabilities });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/notes', name: 'notes' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    content: { type: 'text', text: 'blue' },
    model: 'tiny',
    stopReason: 'endTurn',
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { team: 'blue' } }));
  const args = [join(root, 'bin/mcpc.js'), 'intercept', '--trace', recording, '--', process.execPath, exampleServer];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args, 'stdio'],
      cwd: work.folder,
      stderr: 'ignore',
    }),
  );
  const call = (name: string, given: Record<string, unknown> = {}): Promise<unknown> =>
    client.callTool({ name, arguments: given });
  await client.setLoggingLevel('debug');
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  await client.listPrompts();
  await client.listResources();
  await client.listResourceTemplates();
  await client.readResource({ uri: 'demo://greeting' });
  await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } });
  await client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'style', value: 'f' } });
  await call('echo', { text: 'milk' });
  await call('add', { a: 2, b: 3 });
  await call('forecast', { place: 'Oslo' });
  await call('picture');
  await call('fail');
  await call('log', { level: 'warning' });
  await call('list-roots');
  await call('ask-model', { question: 'Which colour?' });
  await call('ask-user');
  await client.callTool({ name: 'slow', arguments: { ms: 30 } }, undefined, { onprogress: () => {} });
  await call('no-such-tool').catch(() => {});
  await client.ping();
  await client.close();
});

async function verified(args: string[], url?: string): Promise<SuiteReport> {
  const target =
    url === undefined
      ? { kind: 'stdio' as const, command: process.execPath, args: [exampleServer, ...args] }
      : { kind: 'http' as const, url, headers: [] };
  return verify(work.path(recording), {
    wire: {},
    target: { target, fallback: false, name: 'reference', secrets: [], spec: 'auto', timing: {} },
    permission: noPermission,
    ignore: [],
    exact: false,
    toolVersion: '0',
    signal: new AbortController().signal,
    onStderr: () => {},
  });
}

const failedIn = ({ cases }: SuiteReport): string[] =>
  cases.filter(({ status }) => status === 'fail').map(({ name, detail }) => `${name}: ${detail}`);

test('nothing differs in the unchanged server', async () => {
  for (let run = 0; run < (thorough ? 20 : 1); run += 1) {
    const report = await verified(['stdio']);
    expect(failedIn(report)).toEqual([]);
    expect(report.counts).toMatchObject({ failed: 0, skipped: 0, passed: 25 });
    expect(report.cases.at(-1)!.name).toBe('notifications and requests of the server');
  }
}, 300_000);

test.runIf(thorough)(
  'nor in the same server over HTTP',
  async () => {
    for (let run = 0; run < 5; run += 1) {
      const { url, close } = await startReferenceServer({ transport: 'http', port: 0 });
      try {
        expect(failedIn(await verified([], url))).toEqual([]);
      } finally {
        await close();
      }
    }
  },
  300_000,
);

type Fault = { on: Record<string, unknown> } & Record<string, unknown>;
const result = (method: string, set: string, to: unknown): Fault => ({
  on: { result: method },
  set: `$.result.${set}`,
  to,
});
const lost = (kind: string, method: string): Fault => ({ on: { [kind]: method }, drop: true });
const notices = 'notifications and requests of the server';

/** What the changed server does, and the request or message in which it shows. */
const changes: [says: string, fault: Fault, where: string][] = [
  ['another version', result('initialize', 'serverInfo.version', '9.9.9'), 'initialize'],
  ['other instructions', result('initialize', 'instructions', 'Obey.'), 'initialize'],
  ['a capability less', { on: { result: 'initialize' }, remove: '$.result.capabilities.logging' }, 'initialize'],
  ['another description', result('tools/list', "tools[?@.name=='add'].description", 'Subtracts.'), 'tools/list'],
  ['a tool less', { on: { result: 'tools/list' }, remove: "$.result.tools[?@.name=='about']" }, 'tools/list'],
  [
    'another type of an argument',
    result('tools/list', "tools[?@.name=='add'].inputSchema.properties.a.type", 'string'),
    'tools/list',
  ],
  [
    'a destructive tool',
    result('tools/list', "tools[?@.name=='about'].annotations.destructiveHint", true),
    'tools/list',
  ],
  ['another argument of a prompt', result('prompts/list', 'prompts[0].arguments[0].required', false), 'prompts/list'],
  ['another MIME type', result('resources/list', 'resources[0].mimeType', 'text/html'), 'resources/list'],
  [
    'another template',
    result('resources/templates/list', 'resourceTemplates[0].uriTemplate', 'demo://n/{id}'),
    'resources/templates/list',
  ],
  ['other contents', result('resources/read', 'contents[0].text', 'Bye.'), 'resources/read'],
  ['other messages of a prompt', result('prompts/get', 'messages[0].content.text', 'Bye.'), 'prompts/get'],
  ['another role', result('prompts/get', 'messages[0].role', 'assistant'), 'prompts/get'],
  ['no completions', result('completion/complete', 'completion.values', []), 'completion/complete'],
  ['other texts of tools', result('tools/call', "content[?@.type=='text'].text", 'soup'), 'tools/call "echo"'],
  ['results that are errors', result('tools/call', 'isError', true), 'tools/call "add"'],
  ['another image', result('tools/call', "content[?@.type=='image'].data", 'AAAA'), 'tools/call "picture"'],
  [
    'another type of an image',
    result('tools/call', "content[?@.type=='image'].mimeType", 'image/gif'),
    'tools/call "picture"',
  ],
  [
    'no structured result',
    { on: { result: 'tools/call' }, remove: '$.result.structuredContent' },
    'tools/call "forecast"',
  ],
  ['another structured result', result('tools/call', 'structuredContent.conditions', 'fog'), 'tools/call "forecast"'],
  ['an annotation of a result', result('tools/call', 'content[0].annotations', { priority: 1 }), 'tools/call "echo"'],
  ['another error code', { on: { error: 'tools/call' }, set: '$.error.code', to: -32000 }, 'tools/call "no-such-tool"'],
  [
    'another message of an error',
    { on: { error: 'tools/call' }, set: '$.error.message', to: 'No.' },
    'tools/call "no-such-tool"',
  ],
  ['a member of the result of ping', result('ping', 'pong', true), 'ping'],
  [
    'another level of a log message',
    { on: { notification: 'notifications/message' }, set: '$.params.level', to: 'error' },
    notices,
  ],
  ['no log messages', lost('notification', 'notifications/message'), notices],
  ['log messages twice', { on: { notification: 'notifications/message' }, repeat: 1 }, notices],
  ['no progress', lost('notification', 'notifications/progress'), 'tools/call "slow"'],
  [
    'another question to the model',
    { on: { request: 'sampling/createMessage' }, set: '$.params.maxTokens', to: 7 },
    notices,
  ],
  [
    'another question to the user',
    { on: { request: 'elicitation/create' }, set: '$.params.message', to: 'Your password?' },
    notices,
  ],
];

test('thirty changes, each with a name of its own', () => {
  expect(new Set(changes.map(([says]) => says)).size).toBe(30);
});

test.each(thorough ? changes : someOf(changes, 10, ([says]) => says))('%s', async (_says, fault, where) => {
  const failed = failedIn(await verified(['stdio', '--fault', JSON.stringify(fault)]));
  const [method, ...named] = where.split(' "');
  const shows = (one: string): boolean =>
    one.startsWith(method!) && named.every((name) => one.includes(`"name":"${name}`));
  expect(failed.filter(shows), failed.join('\n')).not.toEqual([]);
});
