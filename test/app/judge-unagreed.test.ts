/** A conversation in which no revision was negotiated is judged by the one that the client asked for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judgeFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-unagreed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const notes: string[] = [];

function judged(
  name: string,
  role: 'server' | 'client',
  messages: readonly object[],
  spec?: string,
): Promise<RunReport> {
  const file = path.join(folder, `${name}.jsonl`);
  writeFileSync(file, messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
  notes.length = 0;
  return judgeFile(file, {
    selection: everything,
    role,
    toolVersion: '0',
    capture: spec === undefined ? {} : { revision: spec },
    note: (text) => notes.push(text),
  });
}

const failed = ({ parts }: RunReport): string[] =>
  parts[0]!.verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule);

test('a client that breaks the protocol from its first message on is judged', async () => {
  const report = await judged('client', 'client', [
    { ...initialize, params: { protocolVersion: '2025-06-18' } },
    { id: null, method: 'tools/list' },
  ]);
  expect(report.parts[0]!.revision).toBe('2025-06-18');
  expect(failed(report)).toContain('jsonrpc/client-request-null-id');
  expect(notes.join('\n')).toContain('no revision was negotiated; judged by 2025-06-18');
});

test('a server may refuse the version that was asked for: nothing fails', async () => {
  const refusal = {
    id: 1,
    error: {
      code: -32602,
      message: 'Unsupported protocol version',
      data: { supported: ['2024-11-05'], requested: '2025-06-18' },
    },
  };
  for (const role of ['server', 'client'] as const)
    expect(failed(await judged('refused', role, [initialize, refusal]))).toEqual([]);
});

test('--spec goes before what was asked for; a revision that nobody knows is none', async () => {
  expect((await judged('spec', 'client', [initialize], '2025-03-26')).parts[0]!.revision).toBe('2025-03-26');
  const strange = { ...initialize, params: { ...initialize.params, protocolVersion: '1999-01-01' } };
  await expect(judged('strange', 'client', [strange])).rejects.toThrow('asks for a known one');
});

test('a trace of a client that never initialized is judged by --spec, and one that negotiated by what it negotiated', async () => {
  const traced = (name: string, events: readonly object[]): string => {
    const file = path.join(folder, `${name}.jsonl`);
    const lines = [
      { format: 'mcpc-trace', version: 1, origin: 'intercept', transport: 'stdio' },
      ...events.map((event, at) => ({ seq: at + 1, t: at, session: 's1', kind: 'message', ...event })),
      { footer: true, events: events.length, complete: true },
    ];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  };
  const judge = (file: string, revision?: string): Promise<RunReport> =>
    judgeFile(file, {
      selection: everything,
      role: 'client',
      toolVersion: '0',
      capture: revision === undefined ? {} : { revision },
      note: () => {},
    });
  const bare = traced('bare', [{ from: 'client', message: { jsonrpc: '2.0', id: null, method: 'tools/list' } }]);
  await expect(judge(bare)).rejects.toThrow('asks for a known one');
  const report = await judge(bare, '2025-06-18');
  expect(report.parts[0]!.revision).toBe('2025-06-18');
  expect(failed(report)).toContain('jsonrpc/client-request-null-id');
  const greeted = traced('greeted', [
    { from: 'client', message: { jsonrpc: '2.0', ...initialize } },
    {
      from: 'server',
      message: {
        jsonrpc: '2.0',
        id: 1,
        result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      },
    },
  ]);
  expect((await judge(greeted, '2025-11-25')).parts[0]!.revision).toBe('2025-06-18');
});

test('what a client means by a header, or by a method that one revision alone has, is taken for the revision it asks for', async () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const traced = (name: string, headers: Record<string, string>, message: object): string => {
    const file = path.join(folder, `${name}.jsonl`);
    const event = { session: 's1', from: 'client', exchange: 'x1' };
    const lines = [
      { format: 'mcpc-trace', version: 1, origin: 'intercept', transport: 'http' },
      { seq: 1, t: 0, ...event, kind: 'http-request', http: { method: 'POST', path: '/mcp', headers } },
      { seq: 2, t: 0, ...event, kind: 'message', message },
      { footer: true, events: 2, complete: true },
    ];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  };
  const judge = (file: string): Promise<RunReport> =>
    judgeFile(file, { selection: everything, role: 'client', toolVersion: '0', capture: {}, note: () => {} });
  const byHeader = await judge(traced('header', { 'mcp-protocol-version': '2026-07-28' }, request));
  expect(byHeader.parts[0]!.revision).toBe('2026-07-28');
  expect(failed(byHeader)).toContain('meta/request-protocol-version');
  const byMethod = await judge(traced('method', {}, { ...request, method: 'server/discover' }));
  expect(byMethod.parts[0]!.revision).toBe('2026-07-28');
  expect(failed(byMethod)).toContain('http/version-header-presence');
});
