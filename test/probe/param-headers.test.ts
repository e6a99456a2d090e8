/** Tools whose parameters travel as headers as well are called as a correct client calls them, so that their results are judged. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCheck } from '../../src/check/check.ts';
import { everything } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { createParamHeaders } from '../../src/client/peer/param-headers.ts';
import { readTrace } from '../../src/files/traces/jsonl-reader.ts';
import { thorough } from '../support/run/options.ts';

type Json = Record<string, unknown>;

const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', enum: ['us-west', 'eu'], 'x-mcp-header': 'Region' },
    place: {
      type: 'object',
      properties: { city: { type: 'string', const: 'Zürich', 'x-mcp-header': 'City' } },
      required: ['city'],
    },
    limit: { type: 'integer', minimum: 3, 'x-mcp-header': 'Limit' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
  },
  required: ['region', 'place', 'limit', 'dry'],
};

/** Calls that were refused for their headers, with the arguments. */
const refused: unknown[] = [];
let served = 0;
/** The headers of each call that was served. */
const owed: IncomingHttpHeaders[] = [];

const decoded = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value : undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text ?? '');
  return encoded ? Buffer.from(encoded[1]!, 'base64').toString('utf8') : text;
};

/** What the specification demands of a server that reads the body: each annotated value has its header, and none besides. */
function headersFit(args: Json, headers: IncomingHttpHeaders): boolean {
  const place = args.place as Json | undefined;
  const values: [string, unknown][] = [
    ['region', args.region],
    ['city', place?.city],
    ['limit', args.limit],
    ['dry', args.dry],
  ];
  return values.every(([name, value]) => {
    const header = decoded(headers[`mcp-param-${name}`]);
    return value === undefined || value === null || typeof value === 'object'
      ? header === undefined
      : header === String(value);
  });
}

function answer(message: Json, headers: IncomingHttpHeaders): { status: number; body: Json } {
  const params = (message.params ?? {}) as Json;
  const meta = params._meta as Json | undefined;
  const ok = (result: Json): { status: number; body: Json } => ({
    status: 200,
    body: {
      result: {
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'headers', version: '1' } },
        ...result,
      },
    },
  });
  const no = (status: number, code: number, text: string, data?: Json): { status: number; body: Json } => ({
    status,
    body: { error: { code, message: text, ...(data ? { data } : {}) } },
  });
  if (headers['mcp-method'] !== message.method) return no(400, -32020, 'Mcp-Method');
  const version = meta?.['io.modelcontextprotocol/protocolVersion'];
  if (version === undefined || meta?.['io.modelcontextprotocol/clientCapabilities'] === undefined)
    return no(400, -32602, '_meta');
  if (headers['mcp-protocol-version'] !== version) return no(400, -32020, 'MCP-Protocol-Version');
  if (version !== '2026-07-28')
    return no(400, -32022, 'Unsupported protocol version', { supported: ['2026-07-28'], requested: version });
  const hints = { ttlMs: 0, cacheScope: 'private' };
  if (message.method === 'server/discover')
    return ok({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...hints });
  if (message.method === 'tools/list')
    return params.cursor === undefined
      ? ok({ tools: [{ name: 'search', inputSchema, annotations: { readOnlyHint: true } }], ...hints })
      : no(400, -32602, 'cursor');
  if (message.method !== 'tools/call') return no(404, -32601, 'Method not found');
  if (decoded(headers['mcp-name']) !== params.name) return no(400, -32020, 'Mcp-Name');
  if (params.name !== 'search') return no(400, -32602, 'Unknown tool');
  const args = (params.arguments ?? {}) as Json;
  if (!headersFit(args, headers)) {
    refused.push(args);
    return no(400, -32020, 'Mcp-Param');
  }
  const place = args.place as Json | undefined;
  const fits =
    ['us-west', 'eu'].includes(args.region as string) &&
    place?.city === 'Zürich' &&
    Number.isInteger(args.limit) &&
    (args.limit as number) >= 3 &&
    typeof args.dry === 'boolean';
  if (!fits) return no(400, -32602, 'arguments');
  served += 1;
  owed.push(headers);
  return ok({ content: [{ type: 'text', text: 'found' }] });
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
  if (request.headers.origin !== undefined) return void response.writeHead(403).end();
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    let message: Json | null;
    try {
      message = JSON.parse(text) as Json | null;
    } catch {
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}');
    }
    if (message === null)
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"}}');
    if (message.id === undefined) return void response.writeHead(202).end();
    const { status, body } = answer(message, request.headers);
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
const folder = mkdtempSync(join(tmpdir(), 'mcpc-headers-'));
const traceFile = join(folder, 'trace.jsonl');
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
});

test.runIf(thorough)('every call of such a tool carries the headers that it owes', { timeout: 60_000 }, async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const report: RunReport = await runCheck({
    target: { kind: 'http', url, headers: [] },
    name: 'headers',
    fallback: false,
    spec: '2026-07-28',
    selection: everything,
    jobs: 2,
    allowDestructive: false,
    secrets: [],
    timing: {},
    toolVersion: '0',
    traceFile,
  });
  // Only what the trace marks as wrong on purpose was refused, and all of that.
  const marked: unknown[] = [];
  for await (const { kind, from, message, deviation } of (await readTrace(traceFile)).events) {
    if (kind === 'message' && from === 'client' && / (?:the header of a parameter|its header)$/.test(deviation ?? ''))
      marked.push(((message as Json).params as Json).arguments);
  }
  expect(marked.length).toBeGreaterThan(5);
  expect(refused).toHaveLength(marked.length);
  expect(served).toBeGreaterThan(0);
  expect(owed[0]).toMatchObject({
    'mcp-param-city': '=?base64?WsO8cmljaA==?=',
    'mcp-param-dry': expect.stringMatching(/^(true|false)$/) as string,
  });
  const statusOf = (rule: string): string | undefined =>
    report.parts[0]!.verdicts.find((one) => one.rule === rule)?.status;
  for (const rule of [
    'http/param-header-value-match',
    'http/param-header-rejection-400',
    'http/param-header-inspection-decoding',
    'http/param-header-null-expectation',
    'tools/call-result-schema',
    'tools/errors-invalid-arguments',
    'tools/security-input-validation',
  ])
    expect([rule, statusOf(rule)]).toEqual([rule, 'pass']);
  expect(
    report.parts[0]!.verdicts.filter(({ status, severity }) => status === 'fail' && severity === 'error').map(
      ({ rule }) => rule,
    ),
  ).toEqual([]);
});

test('values that a header cannot carry as they are travel as Base64, and null and absent ones not at all', () => {
  const headers = createParamHeaders();
  const properties = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, { type: 'string', 'x-mcp-header': name.toUpperCase() }]),
  );
  const listed = {
    result: {
      tools: [
        {
          name: 't',
          inputSchema: {
            type: 'object',
            properties: { ...properties, rows: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Row' } } },
          },
        },
      ],
    },
  };
  headers.learn({ from: 'server', kind: 'message', message: listed } as unknown as TraceEvent);
  const call = (args: Json): unknown => headers.of({ method: 'tools/call', params: { name: 't', arguments: args } });
  expect(
    call({ a: 'us-west1', b: ' padded ', c: 'line1\nline2', d: '=?base64?literal?=', e: null, rows: ['x'] }),
  ).toEqual([
    ['Mcp-Param-A', 'us-west1'],
    ['Mcp-Param-B', '=?base64?IHBhZGRlZCA=?='],
    ['Mcp-Param-C', '=?base64?bGluZTEKbGluZTI=?='],
    ['Mcp-Param-D', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ]);
  expect(call({ a: 42, b: -7, c: true, d: 1e21 })).toEqual([
    ['Mcp-Param-A', '42'],
    ['Mcp-Param-B', '-7'],
    ['Mcp-Param-C', 'true'],
    ['Mcp-Param-D', '1000000000000000000000'],
  ]);
  expect(headers.of({ method: 'tools/call', params: { name: 'other', arguments: { a: 'x' } } })).toEqual([]);
  expect(headers.of({ method: 'tools/list' })).toEqual([]);
});
