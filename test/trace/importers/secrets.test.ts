/** Secrets planted wherever a capture can hold some are in nothing that is written or shown. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compareFiles } from '../../../src/check/capture/compare.ts';
import { convertTrace, redactTrace } from '../../../src/check/capture/convert-trace.ts';
import { importCapture } from '../../../src/check/capture/import-capture.ts';
import { openTrace } from '../../../src/check/capture/open-capture.ts';
import { judgeFile } from '../../../src/check/judge.ts';
import { everything } from '../../../src/check/plan.ts';
import { timelineOf } from '../../../src/check/reporting/timeline.ts';
import { differenceLines } from '../../../src/check/commands/support/difference-text.ts';
import { timelineLine } from '../../../src/check/commands/support/timeline-text.ts';
import { renderReport } from '../../../src/report/parts/render.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secrets = {
  bearer: 'Zq7LwPx93RtBearerValue01',
  cookie: 'Zq7LwPx93RtCookieValue02',
  setCookie: 'Zq7LwPx93RtSetCookieVal03',
  apiKey: 'Zq7LwPx93RtApiKeyValue04',
  urlToken: 'Zq7LwPx93RtUrlTokenValu05',
  password: 'Zq7LwPx93RtPasswordValu06',
  memberToken: 'Zq7LwPx93RtMemberToken07',
  textKey: 'sk-Zq7LwPx93RtTextKeyValue08',
  session: '7d1f0c52-9a4b-4e83-b6aa-zq7session9',
  nested: 'Zq7LwPx93RtNestedSecret10',
  user: 'Zq7LwPx93RtUserInAddress11',
};

const requestHeaders = {
  authorization: `Bearer ${secrets.bearer}`,
  cookie: `sid=${secrets.cookie}`,
  'x-api-key': secrets.apiKey,
  'mcp-session-id': secrets.session,
  'mcp-protocol-version': '2025-06-18',
};
const responseHeaders = {
  'set-cookie': `sid=${secrets.setCookie}; HttpOnly`,
  'mcp-session-id': secrets.session,
  'content-type': 'application/json',
};
const messages: [string, object][] = [
  [
    'client',
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
  ],
  [
    'server',
    {
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    },
  ],
  ['client', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  [
    'client',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'login',
        arguments: {
          password: secrets.password,
          api_token: 1,
          token: secrets.memberToken,
          url: `https://h/?access_token=${secrets.urlToken}`,
          db: `postgres://me:${secrets.user}@host/db`,
        },
      },
    },
  ],
  [
    'server',
    {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [
          { type: 'text', text: 7 },
          { type: 'text', text: `key ${secrets.textKey} and {"client_secret":"${secrets.nested}"}` },
        ],
        echo: secrets.bearer,
        session: secrets.session,
      },
    },
  ],
];

const url = `http://127.0.0.1:3000/mcp?token=${secrets.urlToken}`;
const list = (headers: object): object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value: value as string }));
const exchange = (sent: object, reply: object | undefined, at: number): object => ({
  startedDateTime: new Date(1_700_000_000_000 + at * 100).toISOString(),
  time: 10,
  request: { method: 'POST', url, headers: list(requestHeaders), postData: { text: JSON.stringify(sent) } },
  response:
    reply === undefined
      ? { status: 202, headers: [], content: { size: 0 } }
      : { status: 200, headers: list(responseHeaders), content: { size: 1, text: JSON.stringify(reply) } },
});

const [ask, agreed, ready, call, result] = messages.map(([, message]) => message) as [
  object,
  object,
  object,
  object,
  object,
];
const captures: Record<string, string> = {
  jsonrpc: messages.map(([, message]) => JSON.stringify(message)).join('\n'),
  inspector: JSON.stringify(messages.map(([, message]) => message)),
  'streamable-http': JSON.stringify({
    transport: 'streamable-http',
    transport_context: { headers: requestHeaders },
    entries: [
      ...messages.map(([from, message]) =>
        from === 'client'
          ? { request: message, transport_context: { headers: requestHeaders } }
          : { response: message, headers: responseHeaders },
      ),
      { sse: { event: 'endpoint', data: `/messages?sessionId=${secrets.session}` } },
      {
        response: { jsonrpc: '2.0', id: 9, error: { code: -32001, message: `bad Bearer ${secrets.bearer}` } },
        transport_context: {
          status: 401,
          headers: { 'www-authenticate': `Bearer scope="x", resource_metadata="https://h/?token=${secrets.urlToken}"` },
        },
      },
    ],
  }),
  har: JSON.stringify({
    log: { entries: [exchange(ask, agreed, 0), exchange(ready, undefined, 1), exchange(call, result, 2)] },
  }),
};

/** Secrets that are in a text. */
const leaksIn = (text: string): string[] =>
  Object.entries(secrets)
    .filter(([, value]) => text.includes(value))
    .map(([name]) => name);

async function everythingMadeOf(file: string, format: string, keepSecrets: boolean): Promise<string[]> {
  const [trace, wire, converted] = ['trace', 'wire', 'converted'].map((name) =>
    join(folder, `${format}.${keepSecrets ? 'kept' : 'clean'}.${name}.out`),
  ) as [string, string, string];
  const { warnings } = await importCapture({
    file,
    outTrace: trace,
    outWire: wire,
    episodeId: 'e',
    strictIds: false,
    keepSecrets,
    now: 1,
  });
  await convertTrace(file, 'streamable-http', converted, { keepSecrets });
  const notes: string[] = [];
  const report = await judgeFile(file, {
    selection: everything,
    toolVersion: '0',
    capture: { keepSecrets },
    note: (text) => notes.push(text),
  });
  expect(report.parts[0]!.verdicts.some(({ status }) => status === 'fail')).toBe(true);
  const shown: string[] = [];
  for await (const entry of timelineOf((await openTrace(file, { keepSecrets })).events))
    shown.push(timelineLine(entry, { color: false, full: true, width: 4000, timed: true }));
  const other = join(folder, `${format}.other.jsonl`);
  writeFileSync(other, JSON.stringify(ask));
  const differences = differenceLines(
    await compareFiles(file, other, { left: { keepSecrets }, right: {} }),
    'a',
    'b',
    false,
  );
  return [
    ...[trace, wire, converted].map((path) => readFileSync(path, 'utf8')),
    ...(['json', 'html', 'markdown', 'junit', 'sarif', 'github', 'terminal'] as const).map((kind) =>
      renderReport(report, kind, { color: false, verbose: true, width: 200 }),
    ),
    shown.join(''),
    differences.join('\n'),
    warnings.join('\n'),
    notes.join('\n'),
  ];
}

describe.each(Object.keys(captures))('a capture as %s', (format) => {
  // Without headers nothing tells that these texts are secrets.
  const untold = format === 'har' || format === 'streamable-http' ? [] : ['bearer', 'session'];
  const leaked = (text: string): string[] => leaksIn(text).filter((name) => !untold.includes(name));

  const file = join(folder, `${format}.capture`);
  writeFileSync(file, captures[format]!);

  test('gives away nothing', async () => {
    expect(leaksIn(captures[format]!).length).toBeGreaterThan(7);
    for (const text of await everythingMadeOf(file, format, false)) expect(leaked(text)).toEqual([]);
  });

  test('keeps what it is told to keep, which redact takes out', async () => {
    const [trace, wire] = await everythingMadeOf(file, format, true);
    expect(leaksIn(trace!)).toEqual(
      expect.arrayContaining(['password', 'memberToken', 'urlToken', 'textKey', 'nested', 'user']),
    );
    expect(leaksIn(wire!).length).toBeGreaterThan(7);
    const clean = join(folder, `${format}.clean.jsonl`);
    await redactTrace(join(folder, `${format}.kept.wire.out`), clean, { secrets: [] });
    expect(leaked(readFileSync(clean, 'utf8'))).toEqual([]);
  });
});
