/** Evidence of a failure holds what proves it, also where that is no part of the exchange that failed. */
import { expect, test } from 'vitest';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { judgeAny, loadProject } from '../support/rules.ts';

const project = await loadProject();

/** Outcome of a rule for a trace in the notation of examples, and the events that it cites. */
async function judged(id: string, transport: 'stdio' | 'http' | 'sse', trace: string[], revision = '2025-11-25') {
  const example = { verdict: 'fail', transport, trace } as const;
  const made = exampleTrace(example, { transport, revision, era: 'stateful' });
  const outcome = await judgeAny(project.rule(id), made);
  const cited = new Set(outcome?.evidence);
  return { outcome, cited: made.events.filter(({ seq }: TraceEvent) => cited.has(seq)) };
}

test('a request in a session that has ended is shown with the end of the session', async () => {
  const { outcome, cited } = await judged('session/end-terminated-404', 'http', [
    '> DELETE {}',
    '< 200',
    '> POST {} {"id":1,"method":"ping"}',
    '< 400',
  ]);
  expect(outcome?.status).toBe('fail');
  const statuses = cited.flatMap(({ http }) => http?.status ?? []);
  expect(statuses).toEqual([200, 400]);
});

test('what ended the server is shown with its end', async () => {
  const { outcome, cited } = await judged('errors/invalid-request-answer', 'stdio', [
    '> {"id":1,"method":"ping"}',
    '< {"id":1,"result":{}}',
    '> null',
    'exit 1',
  ]);
  expect(outcome?.status).toBe('fail');
  expect(cited.map(({ kind }) => kind)).toContain('exit');
});

test('a response on the wrong connection is shown with the request that waits for it', async () => {
  const { outcome } = await judged(
    'jsonrpc/response-result-id',
    'sse',
    [
      'session two',
      '> {"id":"i","method":"initialize","params":{"protocolVersion":"2024-11-05"}}',
      'session one',
      '> {"id":7,"method":"ping"}',
      'session two',
      '< {"id":7,"result":{}}',
    ],
    '2024-11-05',
  );
  expect(outcome?.status).toBe('fail');
  expect(outcome?.facts.strayed).toEqual({ method: 'ping', waiting: 1 });
});

test('a failure that depends on a declared capability is shown with the declaration', async () => {
  const example = {
    verdict: 'fail',
    transport: 'stdio',
    serverCapabilities: { resources: { subscribe: true } },
    trace: [
      '> {"id":2,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}',
      '< {"id":2,"error":{"code":-32601,"message":"Method not found"}}',
    ],
  } as const;
  const made = exampleTrace(
    { ...example, trace: [...example.trace] },
    { transport: 'stdio', revision: '2025-11-25', era: 'stateful' },
  );
  const outcome = await judgeAny(project.rule('resources/subscribe-result'), made);
  const texts = made.events.filter(({ seq }) => outcome?.evidence.includes(seq)).map((event) => JSON.stringify(event));
  expect(texts).toHaveLength(3);
  expect(texts[0]).toContain('serverInfo');
  expect(outcome && 'cases' in outcome ? outcome.cases[0]?.events : undefined).toEqual(outcome?.evidence);
});
