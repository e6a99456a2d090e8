/** What a server wrote on stdout last: lines that ended are judged, the one in which the stream ended is not. */
import { expect, test } from 'vitest';
import { startJudging } from '../../src/check/judge/judge-feed.ts';
import { everything, loadPlan } from '../../src/check/plan.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

const { rules } = await loadPlan(everything);

/**
 * @param last what follows the answer to a ping, by its text; one that ends with "…" has no newline at its end
 * @param elsewhere what comes before the handshake of another connection, which agrees on an older revision
 */
async function verdictsOn(last: readonly string[], elsewhere: readonly string[] = []): Promise<Record<string, string>> {
  const message = (from: 'client' | 'server', body: object): Partial<TraceEvent> => ({
    from,
    kind: 'message',
    message: { jsonrpc: '2.0', ...body },
  });
  const said: Partial<TraceEvent>[] = [
    { from: 'harness', kind: 'spawn' } as Partial<TraceEvent>,
    message('client', {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    }),
    message('server', {
      id: 0,
      result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
    }),
    message('client', { method: 'notifications/initialized' }),
    message('client', { id: 1, method: 'ping' }),
    message('server', { id: 1, result: {} }),
    ...last.map(
      (text): Partial<TraceEvent> => ({
        from: 'server',
        kind: 'unparsable',
        raw: text.replace('…', ''),
        ...(text.endsWith('…') ? { reason: 'no newline at end' } : {}),
      }),
    ),
    { from: 'client', kind: 'closed' },
    ...elsewhere.map((raw): Partial<TraceEvent> => ({ session: 's2', from: 'server', kind: 'unparsable', raw })),
    {
      session: 's2',
      ...message('client', {
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      }),
    },
    {
      session: 's2',
      ...message('server', {
        id: 0,
        result: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      }),
    },
    { session: 's2', from: 'server', kind: 'unparsable', raw: 'this is what the older revision is about' },
    { session: 's2', from: 'client', kind: 'closed' },
  ];
  const feed = await startJudging(rules, {
    format: 'mcpc-trace',
    version: 1,
    tool: { name: 'mcpc', version: '0' },
    createdAt: '2026-01-01T00:00:00.000Z',
    transport: 'stdio',
    revision: '2025-11-25',
    target: {},
  } as never);
  for (const [seq, event] of said.entries()) feed.push({ seq, t: seq, session: 's1', ...event } as TraceEvent);
  const { outcomes } = await feed.finish();
  return Object.fromEntries(
    outcomes.filter(({ rule }) => rule.id.startsWith('stdio/')).map(({ rule, status }) => [rule.id, status]),
  );
}

test('a log line counts, whatever the stream ended in', async () => {
  expect((await verdictsOn(['starting to shut down']))['stdio/stdout-purity']).toBe('fail');
  expect((await verdictsOn(['starting to shut down', 'by…']))['stdio/stdout-purity']).toBe('fail');
  expect((await verdictsOn(['{"js…', 'starting to shut down']))['stdio/stdout-purity']).toBe('fail');
  expect(
    (await verdictsOn(['{"jsonrpc":', '"2.0", "method": "notifications/message"}', '{"js…']))[
      'stdio/framing-embedded-newline'
    ],
  ).toBe('fail');
});

test('one before any revision was agreed on counts, whichever that becomes', async () => {
  expect((await verdictsOn([], ['waiting for a client']))['stdio/stdout-purity']).toBe('fail');
  expect(
    (await verdictsOn([], ['{"jsonrpc":', '"2.0", "method": "notifications/message"}']))[
      'stdio/framing-embedded-newline'
    ],
  ).toBe('fail');
  expect((await verdictsOn([], ['']))['stdio/stdout-purity']).toBe('pass');
});

test('a line in which the stream ended does not', async () => {
  expect((await verdictsOn([]))['stdio/stdout-purity']).toBe('pass');
  expect((await verdictsOn(['{"jsonrpc":"2.0","id":…']))['stdio/stdout-purity']).toBe('pass');
});
