/** Tools of which nothing tells that they change something are called, too, while all resources are watched. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everything } from '../../src/check/plan.ts';
import type { Hints, ToolHint } from '../../src/core/model/rules/hints.ts';
import { noPermission } from '../../src/core/permission/decide.ts';
import { chooseTools } from '../../src/client/offers/choose-tools.ts';
import { usualPlaces } from '../../src/core/json-schema/places.ts';
import type { ServeInMemory } from '../../src/client/transport/process/memory-server.ts';
import { check, verdictOf } from '../e2e/run-check.ts';

type Json = Record<string, unknown>;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-unremarkable-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Twelve resources, the last of which a tool of a plain name changes. @param tells whom it tells of that */
function server(tells: 'subscribers' | 'nobody' | 'for ever'): ServeInMemory {
  return ({ stdin, stdout, exit }) => {
    const uris = Array.from({ length: 12 }, (_, index) => `demo://${index}`);
    const subscribed = new Set<string>();
    let mood = 0;
    const say = (message: Json): void => void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const changed = (uri: string): void => {
      mood += 1;
      if (tells !== 'nobody' && subscribed.has(uri))
        say({ method: 'notifications/resources/updated', params: { uri } });
    };
    const methods: Record<string, (params: Json) => Json> = {
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: { subscribe: true } },
        serverInfo: { name: 'plain', version: '1' },
      }),
      ping: () => ({}),
      'tools/list': () => ({
        tools: [{ name: 'smile', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
      }),
      'tools/call': () => (changed(uris.at(-1)!), { content: [{ type: 'text', text: 'done' }] }),
      'resources/list': () => ({ resources: uris.map((uri) => ({ uri, name: uri.slice(7) })) }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'resources/read': ({ uri }) => ({ contents: [{ uri, text: uri === uris.at(-1) ? `mood ${mood}` : 'still' }] }),
      'resources/subscribe': ({ uri }) => (subscribed.add(uri as string), {}),
      'resources/unsubscribe': ({ uri }) => (tells !== 'for ever' && subscribed.delete(uri as string), {}),
    };
    const lines = createInterface({ input: stdin });
    lines.on('line', (line) => {
      const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params?: Json };
      if (id === undefined) return;
      const answer = methods[method];
      say(
        answer === undefined
          ? { id, error: { code: -32601, message: 'Method not found' } }
          : { id, result: answer(params ?? {}) },
      );
    });
    lines.on('close', () => exit(0));
  };
}

const rules = ['resources/subscribe-change-notification', 'resources/unsubscribe-effect'];

describe('a change of a watched resource by a tool of a plain name', () => {
  test.each([
    { tells: 'subscribers' as const, verdicts: ['pass', 'pass'] },
    { tells: 'nobody' as const, verdicts: ['fail', 'pass'] },
    { tells: 'for ever' as const, verdicts: ['pass', 'fail'] },
  ])('is told to $tells', async ({ tells, verdicts }) => {
    const target = { kind: 'stdio' as const, command: 'plain', args: [], serve: server(tells) };
    const checked = await check({
      target,
      name: tells,
      spec: '2025-11-25',
      selection: { ...everything, only: rules },
      traceFile: path.join(folder, `${tells}.jsonl`),
    });
    expect(rules.map((rule) => verdictOf(checked, rule).status)).toEqual(verdicts);
  });
});

describe('unremarkable tools', () => {
  const readOnly = { readOnlyHint: true };
  const tools = [
    { name: 'smile', annotations: readOnly },
    { name: 'subscribe', annotations: readOnly },
    { name: 'slow-smile', annotations: readOnly },
    { name: 'ask-user', annotations: readOnly },
  ];
  const chosen = (hints: Record<string, ToolHint> = {}): string[] => {
    const read: Hints = {
      file: 'hints.yaml',
      tools: hints,
      prompts: {},
      resources: { read: [], never: [] },
      templates: {},
      completions: [],
    };
    const listing = {
      tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
      prompts: [],
      resources: [],
      templates: [],
      hints: read,
    };
    return chooseTools(listing, { choice: 'unremarkable', most: 50 }, { permission: noPermission, places: usualPlaces })
      .map(({ name }) => name)
      .sort();
  };

  test('are those that neither announce, nor take long, nor ask the client', () => {
    expect(chosen()).toEqual(['smile']);
  });

  test('are others where hints say so', () => {
    expect(chosen({ smile: { changesLists: ['tools'] }, 'slow-smile': { slow: false } })).toEqual(['slow-smile']);
  });
});
