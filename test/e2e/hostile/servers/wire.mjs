/**
 * Servers over HTTP that are sound but for what stands around or within their answers to calls and lists.
 *
 *   node wire.mjs <id> <port> <mark>
 */
import { answerOf, serve, sound } from './small-mcp.mjs';

const [id, port] = process.argv.slice(2);
const json = 'Content-Type: application/json\r\nConnection: close\r\n';
const keys =
  '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":null,"then":{"call":1}';
/** Puts the keys into each object of a text. */
const polluted = (text) => text.replaceAll('{', `{${keys},`).replaceAll(',}', '}');

/** The bytes of the whole reply that stand in place of the answer with that text. */
const replies = {
  'length-too-small': (text) => `HTTP/1.1 200 OK\r\n${json}Content-Length: ${text.length - 10}\r\n\r\n${text}`,
  'length-too-large': (text) => `HTTP/1.1 200 OK\r\n${json}Content-Length: ${text.length + 10}\r\n\r\n${text}`,
  'length-negative': (text) => `HTTP/1.1 200 OK\r\n${json}Content-Length: -1\r\n\r\n${text}`,
  'chunk-of-terabytes': (text) =>
    `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n${text}`,
  'floods-trailers': (text) =>
    `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n${'X-A: y\r\n'.repeat(20_000)}\r\n`,
  'interim-replies-first': (text) =>
    `${'HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'.repeat(1000)}HTTP/1.1 200 OK\r\n${json}Content-Length: ${text.length}\r\n\r\n${text}`,
  'cookies-by-hundreds': (text) =>
    `HTTP/1.1 200 OK\r\n${json}${Array.from({ length: 300 }, (_, n) => `sEt-cOOkie: a${n}=b\r\n`).join('')}Content-Length: ${text.length}\r\n\r\n${text}`,
  'switches-on-calls': () =>
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nxxxx',
  'keys-of-prototypes': (text) =>
    ((body) => `HTTP/1.1 200 OK\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`)(polluted(text)),
  'halves-of-characters': (text) =>
    ((body) => `HTTP/1.1 200 OK\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`)(
      text.replaceAll('"echo"', '"\\ud800"').replaceAll('"undefined"', '"\\udfff\\ud800"'),
    ),
  'retry-without-bounds': (text) =>
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nretry: 99999999999999999999\nid: a\u0000b\nretry: -1\nretry: 0\ndata: ${text}\n\n`,
};

serve(port, {
  post(message, _request, response) {
    if (message.method !== 'tools/call' && message.method !== 'tools/list') return false;
    const answer = answerOf(sound, message);
    if (answer === undefined) return false;
    const { socket } = response;
    if (socket === null) return true;
    socket.on('error', () => {});
    socket.write(replies[id](JSON.stringify(answer)));
    // Of a chunk that is announced more is to come.
    if (id !== 'chunk-of-terabytes') socket.end();
    return true;
  },
});
