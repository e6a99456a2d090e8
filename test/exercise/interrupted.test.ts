/** Ctrl-C ends each command that calls tools, whatever the server is at: what was under way is no fault of the server, and nothing is begun anew. */
import { expect, test } from 'vitest';
import { Workspace } from '../cli/harness.ts';

const space = new Workspace();
/** Answers all but one method. In the files that it is told it notes each start, and that the method has come. */
space.write(
  'server.mjs',
  `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [silent, file] = process.argv.slice(2);
appendFileSync(file + '.starts', 'x');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === silent) return appendFileSync(file + '.silent', 'x');
  const say = (rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
  if (method === 'initialize') return say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
  const tools = ['get_a', 'get_b', 'get_c'].map((name) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }));
  say(method === 'tools/list' ? { result: { tools } } : method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } });
}).on('close', () => process.exit(0));
`,
);

/** Time limits are an hour: whoever waits for one does not end within the time of the test. */
const long = ['--timeout', '1h', '--start-timeout', '1h', '--spec', '2025-11-25'];
const commands: [name: string, words: string[], silent: string[]][] = [
  ['audit', ['audit'], ['initialize', 'tools/list', 'tools/call']],
  ['fuzz', ['fuzz', '--jobs', '1'], ['initialize', 'tools/list', 'tools/call']],
  ['generate', ['generate', '--output', 'evals'], ['initialize', 'tools/list', 'tools/call']],
  ['hints init', ['hints', 'init'], ['initialize', 'tools/list']],
  ['check --plan', ['check', '--plan'], ['initialize', 'tools/list']],
];

test.each(commands.flatMap(([name, words, silent]) => silent.map((method) => [name, method, words] as const)))(
  '%s, waiting for %s',
  async (name, method, words) => {
    const file = `${name}-${method}`.replaceAll(/[ /]/g, '-');
    const run = space.start([...words, ...long, '--', 'node', 'server.mjs', method, file]);
    while (!space.has(`${file}.silent`)) await new Promise((resolve) => setTimeout(resolve, 20));
    const { length } = space.read(`${file}.starts`);
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(space.read(`${file}.starts`)).toHaveLength(length);
  },
  60_000,
);
