/**
 * Calls of `echo` through SDK, coprocess and server, beside the client of the official SDK on the same server; and the time
 * from the start of the coprocess to its handshake, beside the start of a bare node. All run by turns on this machine; the
 * ratios are what counts. Needs `npm run build`.
 *
 *   npx tsx test/bench/coprocess.bench.ts [--calls 2000] [--rounds 5]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: { calls: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
});
const [calls, rounds] = [Number(values.calls), Number(values.rounds)];
const server = `${root}node_modules/@modelcontextprotocol/server-everything/dist/index.js`;
// The SDK as it is published.
const { Coprocess } = (await import(`${root}dist/sdk/index.mjs`)) as typeof import('../../src/sdk/index.ts');

async function through(): Promise<number> {
  const mcpc = await Coprocess.start({ server: [process.execPath, server, 'stdio'] });
  await mcpc.call('echo', { message: 'warm' });
  const began = performance.now();
  for (let n = 0; n < calls; n += 1) {
    const { text } = await mcpc.call('echo', { message: `m${n}` });
    if (text !== `Echo: m${n}`) throw new Error(`wrong answer: ${text}`);
  }
  const took = performance.now() - began;
  await mcpc.close();
  return took;
}

async function plain(): Promise<number> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server, 'stdio'], stderr: 'ignore' }),
  );
  await client.callTool({ name: 'echo', arguments: { message: 'warm' } });
  const began = performance.now();
  for (let n = 0; n < calls; n += 1) await client.callTool({ name: 'echo', arguments: { message: `m${n}` } });
  const took = performance.now() - began;
  await client.close();
  return took;
}

async function handshake(): Promise<number> {
  const began = performance.now();
  const mcpc = await Coprocess.start({ server: 'no-such-server' });
  const took = performance.now() - began;
  await mcpc.close();
  return took;
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close');
  return performance.now() - began;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

const took = { through: [] as number[], plain: [] as number[], handshake: [] as number[], node: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  took.plain.push(await plain());
  took.through.push(await through());
  took.node.push(await bareNode());
  took.handshake.push(await handshake());
}
const ratio = median(took.through.map((ms, index) => ms / took.plain[index]!));
console.log(
  `${calls} calls: SDK client ${median(took.plain).toFixed(0)} ms, coprocess ${median(took.through).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
);
console.log(
  `start to handshake: ${median(took.handshake).toFixed(0)} ms, bare node ${median(took.node).toFixed(0)} ms, difference ${median(took.handshake.map((ms, index) => ms - took.node[index]!)).toFixed(0)} ms`,
);
