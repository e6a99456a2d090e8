/**
 * Servers whose bytes become much more in the memory of whoever reads them.
 *
 *   node memory.mjs <id> [port]
 */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { eventStream, pour, serve } from './flood-base.mjs';

const [id] = process.argv.slice(2);
const MB = 1024 * 1024;

/** The answer to the named method becomes something else; all others stay sound. */
const instead = (method, make) => (message, answer) => (message?.method === method ? make(message, answer) : JSON.stringify(answer));
/** A result of tools/list with a member that is no business of anybody. */
const listWith = (filling) => instead('tools/list', ({ id: at }) => `{"jsonrpc":"2.0","id":${JSON.stringify(at)},"result":{"tools":[],"_meta":{"x":${filling}}}}`);

function* repeated(part, times) {
  for (let n = 0; n < times; n += 1) yield part;
}

/** One byte a write: over HTTP each is a chunk of its own. */
async function byteByByte(stream, text) {
  await pour(stream, text);
  stream.end?.();
}

let asked = 0;
function* questions(frame, times) {
  for (let n = 0; n < times; n += 1) yield frame(JSON.stringify({ jsonrpc: '2.0', id: `q${(asked += 1)}`, method: 'roots/list' }));
}
const asking = (times) => ({
  initialized: (stdout) => void pour(stdout, questions(asLine, times)),
  stream: (response) => void pour(response, questions(asEvent, times)),
});
const asEvent = (text) => `data: ${text}\n\n`;
const asLine = (text) => `${text}\n`;

function packed(coding, bytes) {
  const zeros = Buffer.alloc(bytes, ' ');
  if (coding === 'br') return brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
  return coding === 'deflate' ? deflateSync(zeros) : gzipSync(zeros);
}

/** Every POST but the handshake is answered with a body that unpacks to so many bytes. */
function bomb(coding, bytes, type = 'application/json') {
  const body = packed(coding, bytes);
  return (response, _text, message) => {
    if (message.method === 'initialize') return false;
    response.writeHead(200, { 'content-type': type, 'content-encoding': coding }).end(body);
    return true;
  };
}

function oneByteChunks(bytes) {
  const text = listWith(JSON.stringify(words(bytes)));
  return {
    text,
    body: (response, out) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      void byteByByte(response, out);
      return true;
    },
    stdio: (out, stdout) => {
      void pour(stdout, `${out}\n`);
      return true;
    },
    legacy: (stream, out) => {
      void pour(stream, `data: ${out}\n\n`);
      return true;
    },
  };
}

const flood = (part, times) => ({
  initialized: (stdout) => void pour(stdout, repeated(part, times)),
  stream: (response) => void pour(response, repeated(part, times)),
});

/** Text of many short words. */
function words(length) {
  return 'many words '.repeat(Math.ceil(length / 11)).slice(0, length);
}

const batch = (part, count) => part.repeat(count);

const behaviours = {
  sound: () => ({}),
  'sound-six-megabytes': () => ({ text: listWith(JSON.stringify(words(6 * MB))) }),
  'one-byte-chunks': () => oneByteChunks(200_000),
  'one-byte-chunks-large': () => oneByteChunks(6 * MB),
  'one-byte-streams': () => ({
    body: (response, out) => {
      response.writeHead(200, eventStream);
      void byteByByte(response, asEvent(out));
      return true;
    },
    text: listWith(JSON.stringify(words(200_000))),
  }),
  'empty-lines': () => flood(batch('\n', 10_000), 300),
  'empty-lines-few': () => flood(batch('\n', 1000), 50),
  'tiny-lines': () => flood(batch('1\n', 10_000), 200),
  'tiny-messages': () => flood(batch('{"jsonrpc":"2.0","method":"notifications/x"}\n', 1000), 1000),
  'tiny-events': () => flood(batch('data:\n\n', 10_000), 200),
  'tiny-events-few': () => flood(batch('data:\n\n', 1000), 50),
  'tiny-message-events': () => flood(batch('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n', 1000), 1000),
  'comment-lines': () => flood(batch(':\n', 100_000), 500),
  'blank-stream': () => flood(batch('\n', 100_000), 500),
  'endless-questions': () => asking(1_000_000),
  'many-questions-on-each': () => asking(30_000),
  'many-questions': () => asking(5000),
  'many-objects': () => ({ text: listWith(`[${batch('{},', 2.5 * MB)}{}]`) }),
  'many-numbers': () => ({ text: listWith(`[${batch('1,', 3.5 * MB)}1]`) }),
  'many-lists': () => ({ text: listWith(`[${batch('[],', 2 * MB)}[]]`) }),
  'many-names': () => ({ text: listWith(`{${Array.from({ length: 600_000 }, (_, n) => `"n${n}":0`).join(',')}}`) }),
  'deep-lists': () => ({ text: listWith(batch('[', 3 * MB) + batch(']', 3 * MB)) }),
  'fifty-megabytes': () => ({ text: listWith(JSON.stringify(words(50 * MB))) }),
  'seven-megabytes': () => ({ text: listWith(JSON.stringify(words(7 * MB))) }),
  'gzip-bombs': () => ({ body: bomb('gzip', 300 * MB) }),
  'brotli-bombs': () => ({ body: bomb('br', 300 * MB) }),
  'deflate-bombs': () => ({ body: bomb('deflate', 100 * MB) }),
  'gzip-streams': () => ({ body: bomb('gzip', 300 * MB, 'text/event-stream') }),
  'small-gzip-bombs': () => ({ body: bomb('gzip', 20 * MB) }),
  'long-ids': () => ({ stream: (response) => void pour(response, longIds(asEvent)), initialized: (stdout) => void pour(stdout, longIds(asLine)) }),
  'stderr-flood': () => ({ initialized: () => void pour(process.stderr, repeated(`${'e'.repeat(99)}\n`.repeat(100), 5000)) }),
  'unfinished-lines': () => ({ text: instead('tools/list', () => words(7 * MB)), stdio: (out, stdout) => out.startsWith('many') && (stdout.write(out), true) }),
};

/** Requests whose ids take a megabyte each. */
function* longIds(frame) {
  for (let n = 0; n < 200; n += 1) yield frame(JSON.stringify({ jsonrpc: '2.0', id: `${n} ${'i'.repeat(MB)}`, method: 'ping' }));
}

serve(behaviours[id]());
