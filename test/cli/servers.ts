/** Small servers with one habit each, as text of a script for `node`. */

/** Answers initialize and ping, and does what `extra` says beside. */
function stdioServer(extra = ''): string {
  return `
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const lines = createInterface({ input: process.stdin });
const answers = {
  initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'small', version: '1' } }),
  ping: () => ({}),
};
${extra}
lines.on('line', (line) => {
  let message;
  try { message = JSON.parse(line); } catch { return say({ id: null, error: { code: -32700, message: 'Parse error' } }); }
  if (message.id === undefined || message.method === undefined) return;
  const answer = answers[message.method];
  if (answer) say({ id: message.id, result: answer(message) });
  else say({ id: message.id, error: { code: -32601, message: 'Method not found' } });
});
lines.on('close', () => process.exit(0));
`;
}

export const sound = stdioServer();
/** Breaks one MUST: the result of ping has to be an object. */
export const wrongPing = stdioServer("answers.ping = () => 'pong';");
/** Tells what environment, arguments and folder it was started with. */
export const tellsEnvironment = stdioServer(`
import { writeFileSync } from 'node:fs';
writeFileSync('seen.json', JSON.stringify({ env: process.env, args: process.argv.slice(2), cwd: process.cwd() }));
`);
export const silent = "process.stdin.resume(); process.stderr.write('started\\n');\n";
export const dies = "process.stderr.write('cannot find my configuration\\n'); process.exit(7);\n";
export const floods = "setInterval(() => process.stdout.write('noise noise noise\\n'.repeat(1000)), 20);\n";
/** Answers initialize and nothing else, starts a grandchild, and both refuse to end: what must not be left behind. */
export const clings = stdioServer(`
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
setInterval(() => {}, 1000);
lines.on('line', (line) => {
  if (JSON.parse(line).method !== 'ping') return;
  writeFileSync('pids.json', JSON.stringify([process.pid, child.pid]));
  process.stderr.write('asked to ping\\n');
});
answers.ping = undefined;
lines.prependListener('close', () => { process.exit = () => {}; });
`).replace("else say({ id: message.id, error: { code: -32601, message: 'Method not found' } });", '');
/** Lists one or two of everything, and writes down what it is asked. */
export const inventory = stdioServer(`
import { appendFileSync } from 'node:fs';
lines.on('line', (line) => appendFileSync('calls.txt', String(JSON.parse(line).method ?? '') + '\\n'));
const none = { type: 'object', properties: {} };
const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} };
Object.assign(answers, {
  initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'inventory', version: '1' } }),
  'tools/list': () => ({
    tools: [
      { name: 'find', description: 'Finds things\\u001b[31m\\nof all kinds', inputSchema: { type: 'object', properties: { query: { type: 'string', description: 'What to look for' } }, required: ['query'] } },
      { name: 'delete_note', inputSchema: none },
      { name: 'list_all', inputSchema: none },
      { name: 'quiet', inputSchema: none },
    ],
  }),
  'tools/call': ({ params }) => ({ content: [{ type: 'text', text: 'called ' + params.name }] }),
  'prompts/list': () => ({ prompts: [{ name: 'review', arguments: [{ name: 'language', required: true }] }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Review it.' } }] }),
  'resources/list': () => ({ resources: [{ uri: 'note://1', name: 'one' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'any' }] }),
  'resources/read': ({ params }) => ({ contents: [{ uri: params.uri, text: 'a note' }] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'completion/complete': () => ({ completion: { values: ['fr'] } }),
});
`);
