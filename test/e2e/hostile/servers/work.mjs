/**
 * Servers whose texts and messages cost more the longer they are, for whoever reads them carelessly.
 *
 *   node work.mjs <id> [port] [more words]
 */
import { serve, sound } from './small-mcp.mjs';

const [id, second] = process.argv.slice(2);
const port = /^\d+$/.test(second ?? '') ? second : undefined;
const big = 4_000_000;
const many = (part, length = big) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const echo = (description) => ({
  tools: [
    {
      name: 'echo',
      description,
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      annotations: { readOnlyHint: true },
    },
  ],
});
const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Sends progress for each call that asks for it, before the call is answered. */
function progress(count, send) {
  return (message) => {
    const token = message.params?._meta?.progressToken;
    if (token !== undefined)
      for (let index = 1; index <= count; index += 1)
        send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress: index, total: count },
        });
    return sound['tools/call'](message);
  };
}

let say = () => {};
const changed = {
  'work-letters': { 'tools/list': () => echo(many('a')) },
  'work-letters-and-equals': { 'tools/list': () => echo(`${many('a')}=`) },
  'work-schemes': { 'tools/list': () => echo(many('a.+-')) },
  'work-addresses': { 'tools/list': () => echo(many('a://b')) },
  'work-tokens': { 'tools/list': () => echo(many('eyJ-')) },
  'work-escapes': { 'tools/list': () => echo(many('%2541\\u0041')) },
  'work-json-in-text': {
    'tools/call': () => text(`${'['.repeat(200_000)}${many('"a",', 400_000)}"b"${']'.repeat(200_000)}`),
  },
  'work-text-in-text': {
    'tools/call': () => text(Array.from({ length: 14 }).reduce((inner) => JSON.stringify([inner]), 'x')),
  },
  'work-progress': { 'tools/call': progress(30_000, (message) => say(message)) },
};
const answers = { ...sound, ...changed[id.replace(/-(?:http|sse)$/, '')] };

if (id === 'work-raw-line') process.stdout.write(`${many('a')}=\n`);
if (id === 'work-log-line') process.stderr.write(`${many('a')}=${many('eyJ-')}\n`);
serve(port, { answers, started: (send) => (say = send) });
