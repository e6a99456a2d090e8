/** `checkClient`: a client in this process, by the functions of examples/clients. */
import { describe, expect, test } from 'vitest';
import { checkClient } from '../../src/api/client.ts';
import { thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import type { ClientFunctions, RunReport } from '../../src/api/client.ts';

const example = async (name: string): Promise<ClientFunctions> =>
  ((await import(new URL(`../../examples/clients/${name}.mjs`, import.meta.url).href)) as { client: ClientFunctions })
    .client;
const sdk1 = await example('sdk-1');
const sdk2 = await example('sdk-2');

function failures({ parts }: RunReport): string[] {
  return parts.flatMap(({ verdicts }) => verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule));
}

describe.each([
  ['1', sdk1, '2025-11-25'],
  ['2', sdk2, '2026-07-28'],
])('the client of SDK %s', (_, client, revision) => {
  test.each(someOf(['http', 'stdio'] as const, 2, String))('over %s breaks nothing', async (transport) => {
    // Older revisions have a test of their own.
    const report = await checkClient(client, { transport, name: 'ours', spec: thorough ? 'auto' : 'newest' });
    expect(failures(report)).toEqual([]);
    expect(report).toMatchObject({ target: { kind: 'client', name: 'ours' }, transport, incomplete: null });
    expect(report.parts[0]!.revision).toBe(revision);
    expect(report.parts[0]!.decided).toBeGreaterThan(10);
  });
});

test('functions get the server and each act; what is missing is listed', async () => {
  const seen: string[] = [];
  const { connect, close, callTool } = sdk1;
  const report = await checkClient(
    {
      connect(server) {
        seen.push(
          `connect ${server.url === '' ? server.command.length : new URL(server.url).hostname} ${server.start}`,
        );
        return connect(server);
      },
      callTool(client, call) {
        seen.push(`call ${call.name}`);
        return callTool!(client, call);
      },
      ...(close === undefined ? {} : { close }),
    },
    { only: ['lifecycle'] },
  );
  expect(seen.slice(0, 2)).toEqual(['connect 127.0.0.1 c1', 'call add_numbers']);
  expect(report.skipped).toContainEqual({ what: 'act list-tools', why: 'there is no function listTools' });
});

test('a function that never returns costs its start, and no more', async () => {
  const report = await checkClient(
    { ...sdk1, callTool: () => new Promise(() => {}) },
    { only: ['lifecycle'], startTimeoutMs: 1_500 },
  );
  expect(report.skipped).toContainEqual({ what: 'start c1', why: 'it did not end within 1500 ms' });
});

test('one that never connects is no client', async () => {
  await expect(
    checkClient({ connect: () => Promise.reject(new Error('there is no such host')) }),
  ).rejects.toMatchObject({ stage: 'target', message: expect.stringContaining('connect: there is no such host') });
});

test('a signal ends it', async () => {
  const { signal } = { signal: AbortSignal.timeout(300) };
  await expect(checkClient({ connect: () => new Promise(() => {}) }, { signal })).rejects.toMatchObject({
    stage: 'interrupted',
  });
});
