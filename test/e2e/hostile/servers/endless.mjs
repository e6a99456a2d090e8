/**
 * Servers that never come to an end.
 *
 *   node endless.mjs <id> [port]
 */
import { eventStream, pour, serve } from './flood-base.mjs';

const [id] = process.argv.slice(2);
const tool = (name) => ({
  name,
  description: 'Gives back its text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
});

/** Answers tools/list by the cursor; other methods stay sound. */
const pages = (page) => ({
  text: (message, answer) => {
    if (message?.method !== 'tools/list') return JSON.stringify(answer);
    const result = page(message.params?.cursor);
    return JSON.stringify(
      result === undefined
        ? { jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'no such cursor' } }
        : { jsonrpc: '2.0', id: message.id, result },
    );
  },
});
const numberOf = (cursor) =>
  cursor === undefined ? 0 : /^page-\d+$/.test(cursor) ? Number(cursor.slice(5)) : undefined;

function* forEver(part) {
  for (;;) yield part;
}

/** Every POST but the handshake gets a stream that never gives the answer. */
const streamInstead = (part) => ({
  body: (response, _text, message) => {
    if (message.method !== 'tools/call') return false;
    response.writeHead(200, eventStream);
    void pour(response, forEver(part));
    return true;
  },
});

const behaviours = {
  'endless-pages': () =>
    pages((cursor) => {
      const n = numberOf(cursor);
      return n === undefined
        ? undefined
        : { tools: [tool(n === 0 ? 'echo' : `echo-${n}`)], nextCursor: `page-${n + 1}` };
    }),
  'large-pages': () =>
    pages((cursor) => {
      const n = numberOf(cursor);
      return n === undefined
        ? undefined
        : { tools: Array.from({ length: 2000 }, (_, at) => tool(`echo-${n}-${at}`)), nextCursor: `page-${n + 1}` };
    }),
  'heavy-pages': () =>
    pages((cursor) => {
      const n = numberOf(cursor);
      return n === undefined
        ? undefined
        : {
            tools: [{ ...tool(n === 0 ? 'echo' : `echo-${n}`), description: 'Gives back. '.repeat(90_000) }],
            nextCursor: `page-${n + 1}`,
          };
    }),
  'same-page': () =>
    pages((cursor) =>
      cursor === undefined || cursor === 'again' ? { tools: [tool('echo')], nextCursor: 'again' } : undefined,
    ),
  'circle-of-pages': () =>
    pages((cursor) => {
      const n = numberOf(cursor);
      return n === undefined
        ? undefined
        : { tools: [tool(n === 0 ? 'echo' : `echo-${n}`)], nextCursor: `page-${(n % 5) + 1}` };
    }),
  'endless-notifications': () => streamInstead('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'.repeat(100)),
  'endless-comments': () => streamInstead(':\n\n'.repeat(10_000)),
  'endless-body': () => ({
    body: (response, _text, message) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      void pour(response, forEver(' '.repeat(65_536)));
      return true;
    },
  }),
  'endless-listening-stream': () => ({ stream: (response) => void pour(response, forEver(':\n\n'.repeat(10_000))) }),
  'endless-log': () => ({
    initialized: () => void pour(process.stderr, forEver('one more line of log\n'.repeat(500))),
  }),
};

serve(behaviours[id]());
