/**
 * What a check tries beyond the plainest calls: values that the server itself completes, other values of switches and
 * choices, and tools that only another client is shown.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check, rulesWith, type Checked } from './run-check.ts';

const program = fileURLToPath(new URL('servers/choosy-server.mjs', import.meta.url));
let work = '';
let checked: Checked;

beforeAll(async () => {
  work = mkdtempSync(path.join(tmpdir(), 'mcpc-choosy-'));
  checked = await check({
    name: 'choosy',
    traceFile: path.join(work, 'trace.jsonl'),
    target: {
      kind: 'stdio',
      command: process.execPath,
      args: [program],
      env: { PATH: process.env['PATH'] ?? '' },
      cwd: work,
    },
  });
}, 60_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

type Params = Record<string, unknown>;

/** Params of all requests of a method that were not wrong on purpose. */
function sent(method: string): { session: string; params: Params }[] {
  return [...checked.events.values()].flatMap(({ session, from, message, deviation }) => {
    const said = message as { method?: string; params?: Params } | undefined;
    return from === 'client' && deviation === undefined && said?.method === method
      ? [{ session, params: said.params ?? {} }]
      : [];
  });
}

test('the run is whole', () => {
  expect(checked.report.incomplete).toBe(null);
  expect(rulesWith(checked, 'error')).toEqual([]);
});

test('prompts are got with values that the server completes, each with those before it', () => {
  expect(sent('prompts/get').map(({ params }) => params.arguments)).toContainEqual({ region: 'north', city: 'Tromsø' });
  expect(rulesWith(checked, 'pass')).toContain('prompts/content-image');
  expect(sent('completion/complete').map(({ params }) => params.context)).toContainEqual({
    arguments: { region: 'north' },
  });
});

test('a template is read where the server completes every variable, if only by confirming a guess', () => {
  const read = sent('resources/read').map(({ params }) => params.uri);
  expect(read).toContain('photos://Oslo/1');
  expect(read.filter((uri) => String(uri).startsWith('pages://'))).toEqual([]);
  expect(rulesWith(checked, 'pass')).toContain('resources/security-binary-encoding');
});

test('a tool is called with each other value of its switches and choices that can do no harm', () => {
  const calls = sent('tools/call')
    .filter(({ params }) => params.name === 'get-weather')
    .map(({ params }) => params.arguments as Params);
  expect(calls).toContainEqual(expect.objectContaining({ unit: 'kelvin' }));
  expect(calls).toContainEqual(expect.objectContaining({ long: true }));
  expect(calls.filter(({ unit, force }) => unit === 'delete' || force === true)).toEqual([]);
  const features = checked.report.parts[0]!.features!;
  expect(features.find(({ rule }) => rule === 'tools/result-embedded-resource')?.status).toBe('used');
});

test('a tool that only clients with tasks are shown is called on their connection alone', () => {
  const asked = sent('tools/call').filter(({ params }) => params.name === 'ask-user');
  const declaring = sent('initialize')
    .filter(({ params }) => (params.capabilities as Params).tasks !== undefined)
    .map(({ session }) => session);
  expect(asked.length).toBeGreaterThan(0);
  expect(declaring).toEqual(expect.arrayContaining(asked.map(({ session }) => session)));
  expect(checked.report.parts[0]!.features!.find(({ rule }) => rule === 'tasks/create-ttl-request')?.status).toBe(
    'used',
  );
});
