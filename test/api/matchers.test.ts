/** Matchers for any test framework, on real replies of a server of the SDK in this process. */
import { AssertionError } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, connect, type Session } from '../../src/api/index.ts';
import { assertions, matchers } from '../../src/api/matchers/index.ts';
import { differsAt } from '../../src/api/matchers/subset.ts';
import { createServer } from './servers/objects.mjs';

let session: Session;
let broken: Session;
beforeAll(async () => {
  session = await connect(createServer(1), { listOnError: true, name: 'mine' });
  broken = await connect(createServer(2, true), { listOnError: true, name: 'broken' });
});
afterAll(async () => {
  await session.close();
  await broken.close();
});

const messageOf = async (made: object | Promise<object>): Promise<string> =>
  ((await made) as { message(): string }).message();

describe('replies', () => {
  test('each matcher takes what fits, and nothing else', async () => {
    const greeted = await session.call('greet', { name: 'Ada' });
    const refused = await session.call('refuse');
    const failed = await session.request('no/such');
    const read = await session.read('note:first');
    const welcomed = await session.get('welcome', { name: 'Ada' });
    const { toSucceed, toBeToolError, toFailWith, toContainText, toMatchStructured, toHaveContent } = matchers;
    const passing = [
      toSucceed(greeted),
      toSucceed(read),
      toBeToolError(refused),
      toBeToolError(refused, 'cannot'),
      toBeToolError(refused, /done$/),
      toFailWith(failed),
      toFailWith(failed, { code: -32601, message: 'not found' }),
      toContainText(greeted, 'Hello, Ada!'),
      toContainText(read, /^a note$/g),
      toContainText(welcomed, 'Welcome Ada'),
      toMatchStructured(greeted, { length: 3 }),
      toMatchStructured(greeted, { greeting: expect.stringContaining('Ada'), length: expect.any(Number) }),
      toHaveContent(greeted, 'text'),
      toHaveContent(read, { uri: 'note:first' }),
      matchers.toRespondWithin(greeted, 60_000),
    ];
    expect(passing.map(({ pass }) => pass)).toEqual(passing.map(() => true));
    const failing = [
      toSucceed(refused),
      toSucceed(failed),
      toBeToolError(greeted),
      toBeToolError(failed),
      toBeToolError(refused, 'something else'),
      toFailWith(greeted),
      toFailWith(refused),
      toFailWith(failed, { code: -32602 }),
      toFailWith(failed, { message: 'something else' }),
      toFailWith(failed, { data: { why: 1 } }),
      toContainText(greeted, 'Bob'),
      toContainText(failed, 'x'),
      toMatchStructured(greeted, { length: 4 }),
      toMatchStructured(refused, {}),
      toHaveContent(greeted, { type: 'image' }),
      matchers.toRespondWithin(greeted, 0),
    ];
    expect(failing.map(({ pass }) => pass)).toEqual(failing.map(() => false));
  });

  test('a failure names the near name, what the server offers, and the exchange', async () => {
    const message = await messageOf(matchers.toSucceed(await session.call('gret', { name: 'Ada' })));
    expect(message).toContain('expected tools/call gret to succeed; the tool reports "');
    expect(message).toContain(
      'the server lists no "gret"; its tools are greet, refuse, announce. Did you mean "greet"?',
    );
    expect(message).toContain('  → {"method":"tools/call","params":{"name":"gret","arguments":{"name":"Ada"}}}');
    expect(message).toContain('  ← {"result":{"content":[');
    expect(await messageOf(matchers.toSucceed(await session.read('note:frist')))).toContain('"note:first"?');
  });

  test('what is no reply is refused', async () => {
    expect(() => matchers.toSucceed(session.call('greet'))).toThrow('Await it first.');
    expect(() => matchers.toSucceed({ content: [] })).toThrow('toSucceed takes a reply of a session');
    await expect(matchers.toHaveTool({}, 'greet')).rejects.toThrow('toHaveTool takes a session');
  });
});

test('toHaveTool and toFitOutputSchema ask the server', async () => {
  expect(await matchers.toHaveTool(session, 'greet', { annotations: { readOnlyHint: true } })).toMatchObject({
    pass: true,
  });
  expect(await messageOf(matchers.toHaveTool(session, 'greet', { annotations: { readOnlyHint: false } }))).toContain(
    'it differs at annotations.readOnlyHint',
  );
  expect(await messageOf(matchers.toHaveTool(session, 'great'))).toContain('Did you mean "greet"?');
  const greeted = await session.call('greet', { name: 'Ada' });
  expect(await matchers.toFitOutputSchema(greeted)).toMatchObject({ pass: true });
  const wrong = matchers.toFitOutputSchema(greeted, { type: 'object', properties: { length: { type: 'string' } } });
  expect(await wrong).toMatchObject({ pass: false });
  expect(await messageOf(wrong)).toContain('length');
  await expect(matchers.toFitOutputSchema(await session.call('announce'))).rejects.toThrow('lists no output schema');
});

test('toObey and toBeCompliant judge the conversation so far', async () => {
  for (const one of [session, broken]) await one.request('ping');
  expect(await matchers.toObey(session, 'ping')).toMatchObject({ pass: true });
  expect(await matchers.toBeCompliant(session)).toMatchObject({ pass: true });
  const disobeyed = matchers.toObey(broken, 'ping', 'tools/*');
  expect(await disobeyed).toMatchObject({ pass: false });
  expect(await messageOf(disobeyed)).toMatch(
    /expected broken to obey ping, tools\/\*; it breaks 1 of \d+ rules\n {2}ping\/answer-empty-result: .*\n.*https:.*\n {4}→ .*"method":"ping".*\n {4}← .*"result":\[\]/,
  );
  expect(await matchers.toBeCompliant(broken)).toMatchObject({ pass: false });
  await expect(matchers.toObey(session, 'completion')).rejects.toThrow('Nothing of what mine was asked so far shows');
  await expect(matchers.toObey(session, 'no/such')).rejects.toThrow('No rule fits "no/such"');
  const report = await check(() => createServer(1), { only: ['ping'] });
  expect(await matchers.toBeCompliant(report)).toMatchObject({ pass: true });
  expect(await matchers.toBeCompliant({ ...report, compliant: false })).toMatchObject({ pass: false });
});

test('toMatchMcpSnapshot stores what is new, masks what changes by itself, and replaces nothing unasked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpc-matchers-'));
  try {
    const state = { testPath: join(folder, 'greets.test.ts'), currentTestName: 'greets', snapshotState: {} };
    const as = (update: string) => ({ ...state, snapshotState: { _updateSnapshot: update } });
    const { toMatchMcpSnapshot } = matchers;
    const reply = await session.call('greet', { name: 'at 12:30:01' });
    expect(toMatchMcpSnapshot.call(as('none'), reply)).toMatchObject({ pass: false });
    expect(toMatchMcpSnapshot.call(as('new'), reply)).toMatchObject({ pass: true });
    const stored = readFileSync(`${state.testPath}.mcp.snap`, 'utf8');
    expect(stored).toContain('Hello, at <time>!');
    expect(stored).not.toContain('12:30:01!');
    expect(toMatchMcpSnapshot.call(as('none'), reply)).toMatchObject({ pass: true });
    const named = as('new');
    expect(toMatchMcpSnapshot.call(named, reply, 'one')).toMatchObject({ pass: true });
    const other = await session.call('greet', { name: 'Bob' });
    const differs = toMatchMcpSnapshot.call(named, other, { name: 'one' });
    expect(differs).toMatchObject({ pass: false });
    expect(differs.message()).toMatch(/^\+.*Hello, Bob!/m);
    expect(toMatchMcpSnapshot.call(as('all'), other, 'one')).toMatchObject({ pass: true });
    expect(toMatchMcpSnapshot.call(as('none'), other, 'one')).toMatchObject({ pass: true });
    expect(() => toMatchMcpSnapshot.call(undefined, reply)).toThrow('does not know the test');
    expect(
      toMatchMcpSnapshot.call(undefined, other, { file: `${state.testPath}.mcp.snap`, test: 'greets', name: 'one' }),
    ).toMatchObject({ pass: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('as plain functions each throws an AssertionError where its matcher does not hold', async () => {
  const reply = await session.call('greet', { name: 'Ada' });
  expect(Object.keys(assertions)).toEqual(Object.keys(matchers));
  assertions.toSucceed(reply);
  await assertions.toHaveTool(session, 'greet');
  expect(() => assertions.toFailWith(reply, { code: 1 })).toThrow(AssertionError);
  await expect(assertions.toHaveTool(session, 'none')).rejects.toThrow(AssertionError);
});

test.each<[value: unknown, part: unknown, at: string | undefined]>([
  [{ a: 1, b: { c: [1, { d: 2 }] } }, { b: { c: [1, {}] } }, undefined],
  [{ a: 1 }, { a: 2 }, 'a'],
  [{ a: [1, 2] }, { a: [1] }, 'a'],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b'],
  [[], {}, ''],
  [{}, { a: undefined }, undefined],
  [Object.create({ a: 1 }), { a: 1 }, 'a'],
  [1, expect.any(String), ''],
])('%o has %o, but for %s', (value, part, at) => {
  expect(differsAt(value, part)).toBe(at);
});
