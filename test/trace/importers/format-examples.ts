/** A small conversation in each format that docs/import.md names. */
import { stringify } from 'yaml';
import { answer, call, envelope, rows } from './harness.ts';

const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'probe', version: '3' } },
};
const welcome = {
  jsonrpc: '2.0',
  id: 0,
  result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'paint', version: '7' } },
};
const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };

export const conversation: readonly { from: 'client' | 'server'; message: object }[] = [
  { from: 'client', message: hello },
  { from: 'server', message: welcome },
  { from: 'client', message: ready },
  { from: 'client', message: call(1, 'mix') },
  { from: 'server', message: answer(1, { content: [{ type: 'text', text: 'green' }] }) },
];

const of = (make: (message: object, from: 'client' | 'server', at: number) => unknown): unknown[] =>
  conversation.map(({ from, message }, at) => make(message, from, at));
const text = (message: unknown): string => JSON.stringify(message);
const day = '2026-04-02T08:00:0';

export interface FormatExample {
  /** As the table of docs/import.md has it. */
  format: string;
  /** The format that is read, where that is another name. */
  read?: string;
  name: string;
  text: string;
  messages: number;
}

const har = {
  log: {
    version: '1.2',
    creator: { name: 'browser', version: '1' },
    entries: conversation
      .filter(({ from }) => from === 'client')
      .map(({ message }, at) => ({
        startedDateTime: `${day}${at}.000Z`,
        time: 5,
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:4000/mcp',
          headers: [],
          postData: { mimeType: 'application/json', text: text(message) },
        },
        response: {
          status: 'id' in message ? 200 : 202,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          content: {
            mimeType: 'application/json',
            ...('id' in message
              ? {
                  text: text(
                    conversation.find(
                      (one) => one.from === 'server' && 'id' in one.message && one.message.id === message.id,
                    )!.message,
                  ),
                }
              : {}),
          },
        },
      })),
  },
};

export const formatExamples: readonly FormatExample[] = [
  { format: 'jsonrpc', name: 'session.jsonl', text: rows(...of((message) => message)), messages: 5 },
  { format: 'inspector', name: 'session.json', text: text(of((message) => message)), messages: 5 },
  {
    format: 'streamable-http',
    name: 'http.json',
    text: text(
      envelope(
        'streamable-http',
        of((message, from) => (from === 'client' ? { request: message } : { response: message })),
      ),
    ),
    messages: 5,
  },
  {
    format: 'http-sse',
    name: 'sse.json',
    text: text(
      envelope(
        'http-sse',
        of((message, from) => (from === 'client' ? { request: message } : { sse: { data: message } })),
      ),
    ),
    messages: 5,
  },
  { format: 'har', name: 'session.har', text: text(har), messages: 5 },
  {
    format: 'claude-log',
    name: 'mcp-server-paint.log',
    text: [
      `${day}0.000Z [paint] [info] Initializing server... { metadata: undefined }`,
      'paint is listening',
      ...of(
        (message, from, at) =>
          `${day}${at}.100Z [paint] [info] Message from ${from}: ${text(message)} { metadata: undefined }`,
      ),
    ].join('\n'),
    messages: 5,
  },
  {
    format: 'vscode-log',
    name: 'paint.log',
    text: [
      '2026-04-02 08:00:00.000 [info] Connection state: Running',
      ...of(
        (message, from, at) =>
          `2026-04-02 08:00:0${at}.100 [debug] [${from === 'client' ? 'editor -> server' : 'server -> editor'}] ${text(message)}`,
      ),
    ].join('\n'),
    messages: 5,
  },
  {
    format: 'rows',
    name: 'rows.jsonl',
    text: rows(
      ...of((message, from, at) => ({
        ts: at,
        dir: from === 'client' ? 'client->server' : 'server->client',
        msg: message,
      })),
    ),
    messages: 5,
  },
  {
    format: 'mcpsnoop',
    read: 'rows',
    name: 'snoop.jsonl',
    text: rows(
      {
        session_id: 'p-1',
        server_label: 'paint',
        seq: 1,
        ts: `${day}0Z`,
        direction: 'meta',
        transport: 'stdio',
        raw: { command: ['paint'] },
      },
      ...of((message, from, at) => ({
        session_id: 'p-1',
        server_label: 'paint',
        seq: at + 2,
        ts: `${day}${at}.2Z`,
        direction: from === 'client' ? 'c2s' : 's2c',
        transport: 'stdio',
        raw: message,
      })),
      {
        session_id: 'p-1',
        server_label: 'paint',
        seq: 9,
        ts: `${day}9Z`,
        direction: 'stderr',
        transport: 'stdio',
        text: 'bye',
      },
    ),
    messages: 5,
  },
  {
    format: 'cassette',
    name: 'paint.vcr',
    text: text({
      format_version: '1.0.0',
      metadata: { version: '1.0.0', recorded_at: `${day}0`, transport: 'stdio' },
      session: {
        initialize_request: hello,
        initialize_response: welcome,
        interactions: [
          { sequence: 0, direction: 'client_to_server', request: ready, response: null, notifications: [] },
          {
            sequence: 1,
            direction: 'client_to_server',
            request: call(1, 'mix'),
            response: answer(1, { content: [{ type: 'text', text: 'green' }] }),
            notifications: [],
          },
        ],
      },
    }),
    messages: 5,
  },
  {
    format: 'vcr',
    read: 'cassette',
    name: 'paint.yaml',
    text: stringify({
      interactions: har.log.entries.map(({ request, response }) => ({
        request: { method: 'POST', uri: request.url, headers: { Accept: ['*/*'] }, body: request.postData.text },
        response: {
          status: { code: response.status, message: 'OK' },
          headers: { 'Content-Type': ['application/json'] },
          body: { string: 'text' in response.content ? response.content.text : '' },
        },
      })),
      version: 1,
    }),
    messages: 5,
  },
];
