/** Captures that do not tell senders: a subscription that the server ends is not held against it, one that the client ends is judged. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openWire } from '../../src/check/capture/open-capture.ts';
import { startJudging } from '../../src/check/judge/judge-feed.ts';
import { everything, loadPlan } from '../../src/check/plan.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-ends-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { rules } = await loadPlan(everything);

const versions = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};
const id = { 'io.modelcontextprotocol/subscriptionId': 7 };
const ask = (number: number, method: string, params = {}): object => ({
  id: number,
  method,
  params: { ...params, _meta: versions },
});
const reply = (number: number, result = {}, _meta = {}): object => ({
  id: number,
  result: {
    resultType: 'complete',
    ...result,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' }, ..._meta },
  },
});
const tell = (method: string, params: object): object => ({ method: `notifications/${method}`, params });

const start = [
  ask(1, 'server/discover'),
  reply(1, {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: true } },
    ttlMs: 0,
    cacheScope: 'private',
  }),
  ask(7, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
  tell('subscriptions/acknowledged', { notifications: { toolsListChanged: true }, _meta: id }),
  tell('tools/list_changed', { _meta: id }),
];

async function judged(messages: object[]): Promise<{ failed: string[]; cancels: string[] }> {
  const file = path.join(folder, 'capture.jsonl');
  writeFileSync(file, messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n'));
  const wire = await openWire(file, { format: 'jsonrpc', transport: 'stdio' });
  const feed = await startJudging(rules, wire.header, { role: 'both' });
  const cancels: string[] = [];
  for await (const events of wire.batches) {
    for (const event of events) {
      if ((event.message as { method?: string }).method === 'notifications/cancelled') cancels.push(event.from);
      feed.push(event);
    }
  }
  const { outcomes } = await feed.finish();
  return {
    failed: outcomes.filter(({ status }) => status === 'fail' || status === 'error').map(({ rule }) => rule.id),
    cancels,
  };
}

const ended = tell('cancelled', { requestId: 7, reason: 'the server stops' });
const last = reply(7, {}, id);

test.each<[string, object[], string]>([
  [
    'with the id of the subscription, and goes on',
    [tell('cancelled', { requestId: 7, _meta: id }), last, ask(8, 'server/discover')],
    'server',
  ],
  ['without it, then its result', [ended, last], 'server'],
  ['its result first, then with the id', [last, tell('cancelled', { requestId: 7, _meta: id })], 'server'],
  ['while the client asks for something: either may have', [ended, ask(8, 'server/discover'), last], 'harness'],
])('the server ends it %s', async (_title, messages, from) => {
  expect(await judged([...start, ...messages])).toEqual({ failed: [], cancels: [from] });
});

test('the client ends it, and the server sends more about it', async () => {
  const { failed, cancels } = await judged([
    ...start,
    ended,
    ask(8, 'tools/call', { name: 'change', arguments: {} }),
    tell('tools/list_changed', { _meta: id }),
    reply(8, { content: [] }),
  ]);
  expect(cancels).toEqual(['client']);
  expect(failed).toContain('subscriptions/teardown-client-cancellation');
});
