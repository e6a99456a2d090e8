/** Random conversations that obey the protocol, and the ways in which tools write them down. */
import fc from 'fast-check';
import type { MadeCapture } from '../../support/captures.ts';

export interface Said {
  from: 'client' | 'server';
  message: Record<string, unknown>;
}

// As JSON has it: -0 is written as 0.
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const idOf = fc.oneof(fc.integer({ min: 2, max: 1_000_000 }), fc.string({ minLength: 1, maxLength: 12 }), fc.uuid());

const ask = fc.oneof(
  fc.record({
    method: fc.constant('tools/call'),
    params: fc.record({
      name: fc.string({ minLength: 1, maxLength: 8 }),
      arguments: fc.dictionary(fc.string({ maxLength: 5 }), json, { maxKeys: 3 }),
    }),
  }),
  fc.record({ method: fc.constantFrom('tools/list', 'prompts/list', 'resources/list'), params: fc.constant({}) }),
);

const reply = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      result: fc.record({
        content: fc.array(fc.record({ type: fc.constant('text'), text: fc.string() }), { maxLength: 2 }),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ error: fc.record({ code: fc.constantFrom(-32602, -32603), message: fc.string() }) }),
  },
);

interface Turn {
  id: number | string;
  ask: { method: string; params: object };
  reply: object | null;
  /** Where the reply stands among what follows. */
  after: number;
  notice: boolean;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  id: idOf,
  ask,
  reply: fc.option(reply, { freq: 6 }),
  after: fc.nat({ max: 3 }),
  notice: fc.boolean(),
});

/** A whole conversation: handshake, then requests with answers that may overtake each other, some without any. */
export const conversation: fc.Arbitrary<Said[]> = fc
  .uniqueArray(turn, { maxLength: 8, selector: ({ id }) => String(id) })
  .map((turns) => {
    const said: Said[] = [
      {
        from: 'client',
        message: {
          jsonrpc: '2.0',
          id: 0,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
        },
      },
      {
        from: 'server',
        message: {
          jsonrpc: '2.0',
          id: 0,
          result: {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {}, logging: {} },
            serverInfo: { name: 's', version: '1' },
          },
        },
      },
      { from: 'client', message: { jsonrpc: '2.0', method: 'notifications/initialized' } },
    ];
    const due: { at: number; said: Said }[] = [];
    turns.forEach((one, index) => {
      said.push({ from: 'client', message: { jsonrpc: '2.0', id: one.id, ...one.ask } });
      if (one.notice)
        said.push({
          from: 'server',
          message: { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: index } },
        });
      const listed = one.ask.method.endsWith('/list') ? { result: { [one.ask.method.split('/')[0]!]: [] } } : one.reply;
      if (one.reply !== null)
        due.push({
          at: index + one.after,
          said: { from: 'server', message: { jsonrpc: '2.0', id: one.id, ...listed } },
        });
      for (const ready of due.filter(({ at }) => at <= index)) said.push(ready.said);
      due.splice(0, due.length, ...due.filter(({ at }) => at > index));
    });
    return [...said, ...due.map((one) => one.said)];
  });

/** The conversation in every format; `choice` picks among the ways that a format offers. */
export function writings(said: readonly Said[], choice: number): MadeCapture[] {
  const pick = (index: number): number => (choice >> (index % 20)) & 3;
  const entries = (legacy: boolean): object[] =>
    said.map(({ from, message }, index) => {
      if (from === 'client') return { request: message };
      if (!legacy && pick(index) === 0) return { response: message };
      return {
        sse: {
          ...(pick(index) === 1 ? { event: 'message' } : {}),
          ...(pick(index) === 2 ? { id: `e${index}` } : {}),
          data: pick(index) === 3 ? JSON.stringify(message) : message,
        },
      };
    });
  const messages = said.map(({ message }) => message);
  const endpoint = { sse: { event: 'endpoint', data: '/messages?session=1' } };
  return [
    { format: 'jsonrpc', text: messages.map((message) => JSON.stringify(message)).join(pick(1) === 0 ? '\r\n' : '\n') },
    { format: 'inspector', text: JSON.stringify(pick(2) === 0 ? { events: messages } : messages, null, pick(3)) },
    {
      format: 'streamable-http',
      text: JSON.stringify({
        transport: 'streamable-http',
        transport_context: { headers: { 'Mcp-Session-Id': 'x' } },
        entries: entries(false),
      }),
    },
    { format: 'http-sse', text: JSON.stringify({ entries: [endpoint, ...entries(true)], transport: 'http-sse' }) },
  ];
}
