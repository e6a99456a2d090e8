import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isStandIn } from '../../src/core/trace/redaction/stand-ins.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { readTrace } from '../../src/files/traces/jsonl-reader.ts';
import { createJsonlWriter } from '../../src/files/traces/jsonl-writer.ts';
import { createRecorder, type Recorder } from '../../src/core/trace/recorder.ts';
import { createRedactor } from '../../src/core/trace/redaction/redact.ts';
import { openHttpConnection } from '../../src/client/transport/http/http-exchange.ts';
import { openStdioProcess } from '../../src/client/transport/process/stdio-process.ts';
import { withServer } from '../transport/harness.ts';

const secret = 'hunter2-and-more';
const sessionId = '3f2b8c1e-9d47-4a60-b1c2-7e5d4f3a2b10';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-saved-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs, saves, reads again: what was read must be what judging saw live. Returns the bytes of the file. */
async function saved(
  name: string,
  run: (recorder: Recorder) => Promise<void>,
): Promise<{ live: readonly TraceEvent[]; file: string }> {
  const path = join(folder, name);
  const recorder = createRecorder({ keep: true, redactor: createRedactor({ secrets: [secret], answers: 'all' }) });
  const writer = createJsonlWriter(path);
  recorder.writeTo(writer);
  recorder.setHeader({
    format: 'mcpc-trace',
    version: 1,
    origin: 'live',
    transport: 'http',
    target: { env: { KEY: secret } },
  });
  await run(recorder);
  recorder.finish({ complete: true });
  await writer.close();
  const reading = await readTrace(path);
  const events: TraceEvent[] = [];
  for await (const event of reading.events) events.push(event);
  expect(events).toEqual(recorder.events);
  expect(reading.footer()).toMatchObject({ complete: true, events: events.length });
  return { live: recorder.events, file: readFileSync(path, 'utf8') };
}

test('over HTTP, with a session id, secrets and odd numbers', async () => {
  await withServer(
    (request, reply) => {
      if (request.method === 'GET') {
        reply.writeHead(200, { 'Content-Type': 'text/event-stream' });
        reply.end(
          `id: ${sessionId}-1\ndata: {"jsonrpc":"2.0","method":"x","params":{"progress":1e999,"z":-0,"s":"${secret}"}}\n\ndata: junk ${secret}\n\n`,
        );
      } else
        reply
          .writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': sessionId })
          .end(`{"id": 1, "result": {"key": "${secret}"}}`);
    },
    async (url) => {
      const { live, file } = await saved('http.jsonl', async (recorder) => {
        const seen: (string | string[] | undefined)[] = [];
        recorder.subscribe(
          (event) => event.kind === 'http-response' && seen.push(event.http?.headers?.['mcp-session-id']),
        );
        const connection = openHttpConnection({ url, session: 's1', sink: recorder.sink });
        const headers: [string, string][] = [
          ['Authorization', `Bearer ${secret}`],
          ['Content-Type', 'application/json'],
        ];
        await connection.exchange({ method: 'POST', headers, body: '{"id":1,"method":"initialize"}' }).done;
        // The probe sees the true id, and has to.
        expect(seen).toEqual([sessionId]);
        await connection.exchange({ method: 'GET', headers: [...headers, ['Mcp-Session-Id', sessionId]] }).done;
        await connection.close();
      });
      expect(file).not.toContain(secret);
      expect(file).not.toContain(sessionId);
      expect(live.filter((event) => event.kind === 'message').at(-1)?.message).toMatchObject({
        params: { progress: Number.POSITIVE_INFINITY, z: -0 },
      });
      // The id that was issued is still the id that is sent back.
      const issued = live.find((event) => event.kind === 'http-response')?.http?.headers?.['mcp-session-id'];
      expect(live.findLast((event) => event.kind === 'http-request')?.http?.headers?.['mcp-session-id']).toBe(issued);
    },
  );
});

test('rounds of input, whose states and answers are digests', async () => {
  const [state, other, answer] = ['c3RhdGU.sealed', 'b3RoZXI.sealed', 'Ada Lovelace'];
  const { file, live } = await saved('rounds.jsonl', async (recorder) => {
    const asks = (id: number, value: string): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: {
          resultType: 'input_required',
          requestState: value,
          inputRequests: {
            name: {
              method: 'elicitation/create',
              params: {
                message: '?',
                requestedSchema: { type: 'object', properties: { name: { type: 'string', enum: ['one of these'] } } },
              },
            },
          },
        },
      });
    // The command line is written down as well.
    const encoded = (lines: string[]): string => JSON.stringify(lines.map((line) => Buffer.from(line).toString('hex')));
    const script = `process.stdin.resume().once('data', () => { for (const line of ${encoded([asks(1, state), asks(2, other)])}) console.log(Buffer.from(line, 'hex').toString()); process.exit(); });`;
    const server = await openStdioProcess({
      command: process.execPath,
      args: ['-e', script],
      env: process.env,
      session: 's1',
      sink: recorder.sink,
    });
    server.sendText(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: {
          name: 'x',
          requestState: state,
          inputResponses: { name: { action: 'accept', content: { name: answer, list: ['one of these', answer] } } },
        },
      }),
    );
    await server.exited;
    await server.close(0);
  });
  for (const hidden of [state, other, answer]) expect(file).not.toContain(hidden);
  expect(file).toContain('one of these');
  const messages = live
    .filter(({ kind }) => kind === 'message')
    .map(({ message }) => message as Record<string, Record<string, unknown>>);
  const sent = messages.find(({ params }) => params !== undefined)!['params']!;
  const [first, second] = messages.flatMap(({ result }) => (result === undefined ? [] : [result['requestState']]));
  expect(first).toBe(sent['requestState']);
  expect(second).not.toBe(first);
  expect([first, second].every((one) => isStandIn(String(one)))).toBe(true);
  for (const event of live.filter(({ raw }) => raw !== undefined))
    expect(JSON.parse(event.raw!)).toEqual(event.message);
});

test('over stdio, with a secret in the environment that the server prints', async () => {
  const { file, live } = await saved('stdio.jsonl', async (recorder) => {
    const script = `console.log('{"jsonrpc":"2.0" ,"id":"a","result":{"v":' + JSON.stringify(process.env.KEY) + '}}'); console.log('banner ' + process.env.KEY); console.error('KEY=' + process.env.KEY);`;
    const server = await openStdioProcess({
      command: process.execPath,
      args: ['-e', script, '--', '--token', secret],
      env: { ...process.env, KEY: secret },
      session: 's1',
      sink: recorder.sink,
    });
    await server.exited;
    await server.close(0);
  });
  expect(file).not.toContain(secret);
  expect(live.map((event) => event.kind).sort()).toEqual([
    'closed',
    'exit',
    'message',
    'spawn',
    'stderr',
    'unparsable',
  ]);
});
