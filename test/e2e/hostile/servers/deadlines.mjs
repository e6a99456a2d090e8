/**
 * Servers that waste time.
 *
 *   node deadlines.mjs <id> [port] <mark>
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, sound } from './small-mcp.mjs';

const words = process.argv.slice(2);
const [id] = words;
const port = words.length > 2 ? words[1] : undefined;

const never = () => undefined;
const onlyHandshake = {
  ...Object.fromEntries(Object.keys(sound).map((method) => [method, never])),
  initialize: sound.initialize,
};
const tools = Array.from({ length: 8 }, (_, index) => ({
  name: `read_${index}`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}));

let handshakes = 0;
/** Which tools were called, in order; told by the ninth one and on stderr. */
const called = [];

/** Answers everything but the methods named, and refuses what it does not know. */
const behaviours = {
  'silent-after-handshake': () =>
    serve(port, { answers: new Proxy(onlyHandshake, { get: (answers, method) => answers[method] ?? never }) }),
  'silent-after-first-session': () =>
    serve(port, {
      answers: {
        ...sound,
        initialize: (message) => {
          handshakes += 1;
          return handshakes > 2 ? undefined : sound.initialize(message);
        },
      },
    }),
  'noise-after-handshake': () =>
    serve(port, { answers: new Proxy(onlyHandshake, { get: (answers, method) => answers[method] ?? noise }) }),
  'asks-and-never-answers': () => {
    let say = () => {};
    serve(port, {
      answers: new Proxy(onlyHandshake, { get: (answers, method) => answers[method] ?? never }),
      started: (send) => {
        say = send;
        let count = 0;
        setInterval(() => say({ jsonrpc: '2.0', id: `q${(count += 1)}`, method: 'ping' }), 50);
      },
    });
  },
  'never-answers-initialize': () => serve(port, { answers: { initialize: never } }),
  'hangs-in-every-tool': () =>
    serve(port, { answers: { ...sound, 'tools/list': () => ({ tools }), 'tools/call': count(never) } }),
  'slow-in-every-tool': () =>
    serve(port, {
      answers: {
        ...sound,
        'tools/list': () => ({ tools: tools.slice(0, 1) }),
        'tools/call': count(() => sleep(1_800).then(() => ({ content: [{ type: 'text', text: 'at last' }] }))),
      },
    }),
  'body-drop-by-drop': () => serve(port, { post: slowly('application/json', ' ') }),
  'stream-drop-by-drop': () => serve(port, { post: slowly('text/event-stream', ': still here\n\n') }),
  'keeps-busy': () => {
    const ping = () => {
      writeFileSync('asked', '');
      return { text: 'mcpc-reads-this-for-ever' };
    };
    serve(port, { answers: { ...sound, ping } });
  },
  'hangs-in-a-call': () => {
    const call = (message) => {
      writeFileSync('asked', message.params.arguments.path);
      return { content: [{ type: 'text', text: 'mcpc-waits-on-this-for-ever' }] };
    };
    const reader = {
      name: 'read_file',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      annotations: { readOnlyHint: true },
    };
    serve(port, { answers: { ...sound, 'tools/list': () => ({ tools: [reader] }), 'tools/call': call } });
  },
  hangs: () => serve(port, { answers: { ...sound, ping: () => ({ text: 'mcpc-waits-on-this-for-ever' }) } }),
  'fills-memory': () => serve(port, { answers: { ...sound, ping: () => ({ text: 'mcpc-keeps-all-of-this' }) } }),
  'keeps-busy-at-once': () =>
    serve(port, {
      answers: {
        ...sound,
        initialize: (message) => ({ ...sound.initialize(message), instructions: 'mcpc-reads-this-for-ever' }),
      },
    }),
};

function noise() {
  process.stdout.write('Thinking about it\n{"half": \n');
  return undefined;
}

function count(answer) {
  return (message) => {
    called.push(message.params?.name);
    process.stderr.write(`${called.length} calls: ${called.join(' ')}\n`);
    return answer(message);
  };
}

/** Answers the handshake, and begins every other answer without ever ending it. */
function slowly(type, drop) {
  return (message, _request, response) => {
    if (message.method === 'initialize' || message.id === undefined) return false;
    response.writeHead(200, { 'content-type': type });
    const timer = setInterval(() => response.write(drop), 50);
    response.on('close', () => clearInterval(timer));
    return true;
  };
}

behaviours[id]();
