/**
 * The example server, with values of any JSON type at any place of its messages: null where an object is due, lists of
 * lists, objects that no program can turn into a text. The same id gives the same values for the same messages.
 *
 *   node odd-values.mjs <id> [port] <mark>
 */
import { spawn } from 'node:child_process';
import { createServer, request as ask } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const words = process.argv.slice(2);
const [id] = words;
const port = words.length > 2 ? words[1] : undefined;
const example = fileURLToPath(new URL('../../../../dist/example-server.js', import.meta.url));

const values = [
  null,
  0,
  -1,
  1e308,
  '',
  'text',
  ' \ud800',
  'a'.repeat(3000),
  true,
  false,
  [],
  [null],
  [[]],
  [1, 'a', {}],
  {},
  { toString: null, valueOf: null },
  [{ toString: 0, valueOf: 0 }],
  { toString: 1, toJSON: 1, then: 1, length: 4_294_967_296 },
  JSON.parse('{"__proto__":{"a":1},"constructor":null,"hasOwnProperty":1}'),
  { type: null, name: null, uri: null, id: null, method: null },
];

let state = [...id].reduce((sum, character) => (sum * 31 + character.codePointAt(0)) >>> 0, 7);
function random() {
  for (const shift of [13, -17, 5]) state = (state ^ (shift > 0 ? state << shift : state >>> -shift)) >>> 0;
  return state / 2 ** 32;
}
const pick = (list) => list[Math.floor(random() * list.length)];

function placesIn(value, path = [], found = []) {
  found.push(path);
  if (typeof value === 'object' && value !== null && path.length < 9)
    for (const name of Object.keys(value).slice(0, 40)) placesIn(value[name], [...path, name], found);
  return found;
}

/** One message in four has one odd value; handshakes have none, so that the conversation goes on. */
function odd(message) {
  if (
    message?.result?.protocolVersion !== undefined ||
    message?.result?.supportedVersions !== undefined ||
    random() > 0.25
  )
    return message;
  const all = placesIn(message);
  // Mostly the answer stays one to its request.
  const inner =
    random() < 0.85 ? all.filter((path) => path.length > 0 && path[0] !== 'id' && path[0] !== 'jsonrpc') : all;
  const depth = pick([...new Set(inner.map((path) => path.length))]);
  const path = pick(inner.filter((one) => one.length === depth));
  if (path.length === 0) return pick(values);
  const copy = structuredClone(message);
  const holder = path.slice(0, -1).reduce((at, name) => at[name], copy);
  holder[path.at(-1)] = pick(values);
  return copy;
}

function oddText(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return text;
  }
  return JSON.stringify(odd(message));
}

function onStdio() {
  const child = spawn(process.execPath, [example, 'stdio', '--fixtures'], { stdio: ['pipe', 'pipe', 'inherit'] });
  process.stdin.pipe(child.stdin);
  createInterface({ input: child.stdout }).on('line', (line) => process.stdout.write(`${oddText(line)}\n`));
  child.once('exit', (code) => process.exit(code ?? 0));
}

function pass(reply, response, inner) {
  const { 'content-length': _length, ...headers } = reply.headers;
  response.writeHead(reply.statusCode, headers);
  response.flushHeaders();
  response.once('close', () => reply.destroy());
  reply.once('error', () => response.destroy());
  const type = String(headers['content-type']);
  let rest = '';
  reply.setEncoding('utf8');
  reply.on('data', (text) => {
    rest += text;
    if (!type.startsWith('text/event-stream')) return;
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) response.write(`${/^data: [{[]/.test(line) ? `data: ${inner(line.slice(6))}` : line}\n`);
  });
  reply.once('end', () => response.end(type.startsWith('application/json') ? inner(rest) : rest));
}

function onHttp(kind) {
  const child = spawn(process.execPath, [example, kind, '--fixtures', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    const upstream = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (upstream === undefined) return;
    createServer((request, response) => {
      const headers = { ...request.headers, host: `127.0.0.1:${upstream}` };
      const passed = ask(
        { host: '127.0.0.1', port: upstream, method: request.method, path: request.url, headers },
        (reply) => pass(reply, response, oddText),
      );
      passed.once('error', () => response.destroy());
      request.pipe(passed);
    }).listen(Number(port), '127.0.0.1');
  });
  child.once('exit', () => process.exit(0));
  process.once('SIGTERM', () => child.kill());
}

if (port === undefined) onStdio();
else onHttp(id.endsWith('-sse') ? 'sse' : 'http');
