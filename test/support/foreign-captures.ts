/** Captures of client logs and recorders, as those tools would have written the messages of a trace. */
import type { TraceEvent } from '../../src/core/model/trace.ts';
import type { MadeCapture } from './captures.ts';

type Message = Record<string, unknown>;

interface Sent {
  from: 'client' | 'server';
  t: number;
  message: Message;
}

/** Messages that are objects; a batch one by one, as these tools see it. */
function sentOf(events: readonly TraceEvent[]): Sent[] {
  return events.flatMap(({ kind, from, t, message }): Sent[] =>
    kind !== 'message' || from === 'harness'
      ? []
      : [message]
          .flat()
          .filter((one): one is Message => typeof one === 'object' && one !== null && !Array.isArray(one))
          .map((one) => ({ from, t, message: one })),
  );
}

const began = Date.UTC(2026, 0, 1);
const clock = (t: number): string => new Date(began + t).toISOString();

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;

/** Forms of rows, as recorders have them. */
const rowForms: ((one: Sent, index: number) => object)[] = [
  ({ from, t, message }, seq) => ({
    session_id: 'a',
    seq,
    ts: clock(t),
    direction: from === 'client' ? 'c2s' : 's2c',
    transport: 'stdio',
    raw: message,
  }),
  ({ from, t, message }) => ({
    ts: (began + t) / 1000,
    dir: from === 'client' ? 'client->server' : 'server->client',
    msg: message,
  }),
  ({ from, t, message }, index) => ({
    id: `row-${index}`,
    method: message['method'] ?? '',
    direction: from === 'client' ? 'SEND' : 'RECEIVE',
    timestamp: clock(t),
    payload: JSON.stringify(message),
  }),
  ({ from, t, message }) => ({ time: clock(t), direction: from === 'client' ? 'inbound' : 'outbound', message }),
];

/** Of conversations in which the client asks something; others leave such a tool nothing to write. */
export function foreignCaptures(events: readonly TraceEvent[]): MadeCapture[] {
  const sent = sentOf(events);
  if (!sent.some(({ from, message }) => from === 'client' && 'jsonrpc' in message && 'method' in message)) return [];
  const claude = sent.map(
    ({ from, t, message }) =>
      `${clock(t)} [notes] [info] Message from ${from}: ${JSON.stringify(message)} { metadata: undefined }`,
  );
  const vscode = sent.map(
    ({ from, t, message }) =>
      `${clock(t).slice(0, -1).replace('T', ' ')} [info] [${from === 'client' ? 'editor -> server' : 'server -> editor'}] ${JSON.stringify(message)}`,
  );
  return [
    ...rowForms.map(
      (form): MadeCapture => ({
        format: 'rows',
        text: lines(sent.map((one, index) => JSON.stringify(form(one, index)))),
      }),
    ),
    {
      format: 'claude-log',
      text: lines([`${clock(0)} [notes] [info] Initializing server... { metadata: undefined }`, 'ready', ...claude]),
    },
    {
      format: 'vscode-log',
      text: lines([
        '2026-01-01 00:00:00.000 [info] Connection state: Running',
        '2026-01-01 00:00:00.000 [warning] [server stderr] ready',
        ...vscode,
      ]),
    },
    { format: 'cassette', text: JSON.stringify(cassetteOf(sent)) },
  ];
}

/** Requests with what answered them, in the order in which they were sent; nothing else that the server sent. */
function cassetteOf(sent: readonly Sent[]): object {
  return {
    version: '1.0',
    metadata: { recorded_at: clock(0), server_url: 'stdio' },
    interactions: sent.flatMap(({ from, message }, index) => {
      if (from === 'server' || !('method' in message)) return [];
      const answer = sent
        .slice(index)
        .find((one) => one.from === 'server' && !('method' in one.message) && one.message['id'] === message['id']);
      return [
        {
          type: 'id' in message ? 'jsonrpc_request' : 'notification',
          request: message,
          response: 'id' in message ? (answer?.message ?? null) : null,
          response_status: 200,
        },
      ];
    }),
  };
}

/** The same capture in which the tool cut some of the messages, those that `isCut` says of their number. */
export function withGaps({ format, text }: MadeCapture, isCut: (number: number) => boolean): MadeCapture {
  let number = -1;
  const cut = text.split('\n').map((line) => {
    if (!line.includes('"jsonrpc"')) return line;
    number += 1;
    if (!isCut(number)) return line;
    const at = line.indexOf('{', line.indexOf('"jsonrpc"') - 40);
    const half = Math.max(at + 20, Math.floor((line.length + at) / 2));
    return `${line.slice(0, half)}...[${line.length - half} chars truncated]...`;
  });
  return { format, text: cut.join('\n') };
}
