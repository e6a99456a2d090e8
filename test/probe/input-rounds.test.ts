/** What a server of the stateless era asks for in its results is brought by the request sent anew, and a yes is given only where no harm can come of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hintedAnswer } from '../../src/client/offers/hinted.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { permissionOf } from '../../src/client/offers/choose-tools.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';

type Json = Record<string, unknown>;

const form = {
  method: 'elicitation/create',
  params: {
    message: 'Really?',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
  },
};
const page = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Look here.', url: 'https://pages.mcpc.example/1' },
};
const sample = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Go on?' } }], maxTokens: 5 },
};
const tools = [
  { name: 'get-things', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'get-state', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'get-for-ever', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'get-much-state', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'delete-all', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
  { name: 'delete-by-model', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
];

/** Calls as they came, by tool. */
const calls = new Map<string, { id: unknown; params: Json }[]>();
const asks = (inputRequests: Json | undefined, requestState?: string): Json => ({
  resultType: 'input_required',
  ...(inputRequests ? { inputRequests } : {}),
  ...(requestState === undefined ? {} : { requestState }),
});
const done: Json = { resultType: 'complete', content: [] };

function serve({ name, requestState, inputResponses }: Json): Json {
  if (name === 'get-for-ever') return asks({ sure: form }, 'again');
  if (name === 'get-much-state') return asks(undefined, 'x'.repeat(1_000_001));
  if (name === 'get-state') return requestState === undefined ? asks(undefined, 'é\u0000 state=') : done;
  if (name === 'delete-by-model') return asks({ answer: sample });
  if (inputResponses === undefined)
    return asks({ first: form, page, model: sample, roots: { method: 'roots/list' } }, 'one');
  return requestState === 'one' ? asks({ second: form }) : done;
}

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(text) as { id: unknown; method: string; params: Json };
    if (method === 'tools/call')
      calls.set(String(params.name), [...(calls.get(String(params.name)) ?? []), { id, params }]);
    const result =
      method === 'tools/list' ? { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' } : serve(params);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});

const recorder = createRecorder({ keep: true });
const limits = (): string[] =>
  recorder.events.filter(({ kind }) => kind === 'limit').map(({ reason }) => String(reason));
let peer: Peer;
const peerTarget = () => ({
  kind: 'http' as const,
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
  headers: [],
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  peer = await hub.open({
    target: { kind: 'http', url, headers: [] },
    timing: defaultTiming,
    era: 'stateless',
    revision: '2026-07-28',
    toolVersion: '0',
    permission: permissionOf({ allowDestructive: true }),
  });
  await peer.request('tools/list').answer;
});
afterAll(async () => {
  await peer.close();
  server.closeAllConnections();
  server.close();
});

async function call(name: string, rounds = 8): Promise<{ answer: Json; sent: { id: unknown; params: Json }[] }> {
  const answer = await peer.request('tools/call', { name, arguments: { a: 1 } }, { rounds }).answer;
  return { answer: (answer as unknown as { message: { result: Json } }).message.result, sent: calls.get(name) ?? [] };
}

test('each round brings an answer under each key and the state as it came, under a new id', async () => {
  peer.answerIn('accept');
  const { answer, sent } = await call('get-things');
  expect(answer).toEqual(done);
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
  for (const { params } of sent) expect(params).toMatchObject({ name: 'get-things', arguments: { a: 1 } });
  expect(sent[1]!.params).toMatchObject({
    requestState: 'one',
    inputResponses: {
      first: { action: 'accept', content: { sure: expect.any(Boolean) as boolean } },
      page: { action: 'accept' },
      model: { role: 'assistant' },
      roots: { roots: [{ uri: 'file:///mcpc/workspace' }] },
    },
  });
  // The second result had no state, so the third request has none.
  expect(Object.keys(sent[2]!.params).sort()).toEqual(['_meta', 'arguments', 'inputResponses', 'name']);
  peer.answerIn('usual');
});

test('a result that has nothing but state is taken up without answers', async () => {
  const { answer, sent } = await call('get-state');
  expect(answer).toEqual(done);
  expect(sent[1]!.params.requestState).toBe('é\u0000 state=');
  expect('inputResponses' in sent[1]!.params).toBe(false);
});

test('a step can stop after a round', async () => {
  calls.delete('get-things');
  expect((await call('get-things', 0)).answer).toMatchObject({ resultType: 'input_required' });
  expect(calls.get('get-things')).toHaveLength(1);
  expect((await call('get-things', 1)).answer).toMatchObject({ inputRequests: { second: {} } });
  expect(calls.get('get-things')).toHaveLength(3);
});

test('who asks for ever is left after eight rounds, and a state of more than a million characters is not sent back; the report says so', async () => {
  expect((await call('get-for-ever')).sent).toHaveLength(9);
  expect((await call('get-much-state')).sent).toHaveLength(1);
  expect(limits()).toEqual([
    'a request that asked for input 8 times was left as it is',
    'a requestState of more than 1000000 characters was not sent back',
  ]);
});

test('forms are accepted with what hints give, where it fits and a yes is due', async () => {
  const hints = {
    file: 'h',
    tools: { 'get-things': { answers: { first: { sure: false } } } },
    prompts: {},
    resources: { read: [], never: [] },
    templates: {},
    completions: [],
    answers: {
      first: { sure: true },
      second: { sure: true, more: 'kept as it is' },
      page: { sure: true },
      model: { sure: true },
    },
  };
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const hinted = await hub.open({
    target: peerTarget(),
    timing: defaultTiming,
    era: 'stateless',
    revision: '2026-07-28',
    toolVersion: '0',
    hintedAnswer: (method, params, key) => hintedAnswer(hints, method, params, key),
  });
  const answersTo = async (behavior: 'usual' | 'decline' | 'unfit'): Promise<Json[]> => {
    calls.delete('get-things');
    hinted.answerIn(behavior);
    await hinted.request('tools/call', { name: 'get-things' }, { rounds: 8 }).answer;
    return calls
      .get('get-things')!
      .flatMap(({ params }): Json[] => (params.inputResponses === undefined ? [] : [params.inputResponses as Json]));
  };
  await hinted.request('tools/list').answer;
  const [first, second] = await answersTo('usual');
  // What was given for the tool goes before what was given for the key; addresses and models have no content.
  expect(first).toMatchObject({
    first: { action: 'accept', content: { sure: false } },
    page: { action: 'decline' },
    model: { role: 'assistant' },
  });
  expect(first!.page).toEqual({ action: 'decline' });
  expect(second).toEqual({ second: { action: 'accept', content: { sure: true, more: 'kept as it is' } } });
  expect((await answersTo('decline'))[0]!.first).toEqual({ action: 'decline' });
  expect((await answersTo('unfit'))[0]!.first).not.toEqual({ action: 'accept', content: { sure: false } });
  Object.assign(hints.answers, { second: { sure: 'no boolean' } });
  const [, unfit] = await answersTo('usual');
  expect(unfit).toEqual({ second: { action: 'accept', content: { sure: expect.any(Boolean) as boolean } } });
  await hinted.close();
});

test('a tool that may do harm gets no yes, though all may be called', async () => {
  peer.answerIn('accept');
  const { answer, sent } = await call('delete-all');
  // No model speaks for such a tool either, so that a question for one ends the matter.
  expect(answer).toMatchObject({ resultType: 'input_required' });
  expect(sent).toHaveLength(1);
  expect((await call('delete-by-model')).sent).toHaveLength(1);
  tools[4]!.name = 'delete-some';
  await peer.request('tools/list').answer;
  const declined = await peer.request(
    'tools/call',
    { name: 'delete-some', arguments: {}, requestState: 'one', inputResponses: {} },
    { rounds: 1 },
  ).answer;
  expect(declined).toMatchObject({ message: { result: done } });
  expect(calls.get('delete-some')!.at(-1)!.params.inputResponses).toEqual({ second: { action: 'decline' } });
  peer.answerIn('usual');
});
