/** A gateway that sends every answer to all its clients: that is found, and nothing else is blamed on answers that belong to others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening } from '../support/small-mcp.ts';
import { check, rulesWith, type Checked } from './run-check.ts';
import { thorough } from '../support/run/options.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-gateway-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Asked {
  id?: unknown;
  method?: string;
  params?: { name?: string; cursor?: unknown };
}

const tool = {
  name: 'get_time',
  description: 'Reads the time.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

function answerTo({ method, params }: Asked): object {
  if (method === 'initialize')
    return {
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'gateway', version: '1' },
      },
    };
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list')
    return params?.cursor === undefined
      ? { result: { tools: [tool] } }
      : { error: { code: -32602, message: 'no such cursor' } };
  if (method !== 'tools/call') return { error: { code: -32601, message: 'no such method' } };
  return params?.name === tool.name
    ? { result: { content: [{ type: 'text', text: '12:00' }] } }
    : { error: { code: -32602, message: 'no such tool' } };
}

/** HTTP+SSE; each message goes out on every stream that is open. */
function gateway() {
  const streams = new Set<ServerResponse>();
  const toAll = (message: object): void => {
    for (const stream of streams)
      stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  };
  return createServer((request, response) => {
    const { origin } = request.headers;
    if (origin !== undefined && !origin.startsWith(`http://${request.headers.host}`))
      return void response.writeHead(403).end();
    if (request.method === 'GET') {
      streams.add(response);
      response.on('close', () => streams.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write('event: endpoint\ndata: /messages\n\n');
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      response.writeHead(202).end();
      let asked: Asked | null;
      try {
        asked = JSON.parse(text) as Asked;
      } catch {
        return toAll({ id: null, error: { code: -32700, message: 'no JSON' } });
      }
      if (asked === null) return toAll({ id: null, error: { code: -32600, message: 'no request' } });
      if (asked.id !== undefined && asked.method !== undefined) toAll({ id: asked.id, ...answerTo(asked) });
    });
  });
}

test.runIf(thorough)(
  'answers that belong to another connection are told as that alone, however many connections there are at a time',
  async () => {
    await listening(gateway(), async (port) => {
      const look = (jobs: number) =>
        check({
          target: { kind: 'sse', url: `http://127.0.0.1:${port}/sse`, headers: [] },
          name: 'gateway',
          jobs,
          traceFile: path.join(folder, `${jobs}.jsonl`),
        });
      const [one, three, eight] = [await look(1), await look(3), await look(8)];
      // One connection at a time hardly sees what belongs to another: the two rules about it may pass there.
      const others = ({ report }: Checked) =>
        report.parts[0]!.verdicts.filter(({ rule }) => !rule.startsWith('jsonrpc/response-')).map(
          ({ rule, status }) => `${rule} ${status}`,
        );
      for (const several of [three, eight]) {
        expect(rulesWith(several, 'fail')).toContain('jsonrpc/response-result-id');
        expect(others(several)).toEqual(others(one));
      }
      // It takes a method that is no text for one that it does not know.
      expect(others(one).filter((verdict) => verdict.endsWith(' fail'))).toEqual(['errors/code-invalid-request fail']);
    });
  },
);
