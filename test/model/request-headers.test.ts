/** Names of headers in letters of an unusual case: found where MCP or HTTP defines the header, and recorded over HTTP/1.1 as they go out. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { oddlySpelled } from '../../src/core/model/request-headers.ts';
import type { EventInput } from '../../src/core/model/trace.ts';
import { openHttpConnection } from '../../src/client/transport/http/http-exchange.ts';

test('tells those that MCP clients send, and no others', () => {
  expect(
    oddlySpelled([
      'mcp-session-id',
      'Mcp-Session-Id',
      'MCP-Session-Id',
      'MCP-SESSION-ID',
      'Content-Type',
      'CONTENT-TYPE',
      'X-API-KEY',
      'mcp-PROTOCOL-version',
    ]),
  ).toEqual(['MCP-SESSION-ID', 'CONTENT-TYPE', 'mcp-PROTOCOL-version']);
});

test('stands in the trace as the server gets it', async () => {
  const got: string[][] = [];
  const server = createServer((request, response) => {
    got.push(request.rawHeaders.filter((_one, index) => index % 2 === 0));
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const events: EventInput[] = [];
  const connection = openHttpConnection({
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    session: 's1',
    sink: (event) => events.push(event),
  });
  try {
    for (const name of ['MCP-SESSION-ID', 'Mcp-Session-Id'])
      await connection.exchange({
        method: 'POST',
        headers: [
          ['Content-Type', 'application/json'],
          [name, 'one'],
        ],
        body: '{}',
      }).done;
  } finally {
    await connection.close();
    await new Promise((resolve) => server.close(resolve));
  }
  expect(got.map((names) => names.filter((name) => /session/i.test(name)))).toEqual([
    ['MCP-SESSION-ID'],
    ['Mcp-Session-Id'],
  ]);
  const requests = events.filter(({ kind }) => kind === 'http-request');
  expect(requests.map(({ http }) => [http?.headers?.['mcp-session-id'], http?.spelled])).toEqual([
    ['one', ['MCP-SESSION-ID']],
    ['one', undefined],
  ]);
});
