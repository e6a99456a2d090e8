/**
 * Time that `mcpc intercept` adds to a message: pings to a server that answers at once, one after another,
 * with and without the proxy in between, over stdio and HTTP. Needs `npm run build`.
 *
 *   npx tsx test/bench/intercept.bench.ts [pings]
 */
import { spawn } from 'node:child_process';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../bin/mcpc.js');
const pings = Number(process.argv[2] ?? 3000);
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};
const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'bench', version: '1' } };
const answers = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? ${JSON.stringify(initialized)} : {} }) + '\\n');
  });`;

/** Mean milliseconds of a ping, after a tenth of them to warm up. */
async function measure(ask: (message: object) => Promise<unknown>): Promise<number> {
  await ask(initialize);
  const warm = Math.round(pings / 10);
  let began = performance.now();
  for (let id = 1; id <= pings + warm; id += 1) {
    if (id === warm + 1) began = performance.now();
    await ask({ jsonrpc: '2.0', id, method: 'ping' });
  }
  return (performance.now() - began) / pings;
}

async function overStdio(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  let due: () => void = () => {};
  createInterface({ input: child.stdout }).on('line', () => due());
  const ms = await measure((message) => {
    const answered = new Promise<void>((resolve) => (due = resolve));
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return answered;
  });
  child.stdin.end();
  await new Promise((resolve) => child.once('exit', resolve));
  return ms;
}

async function overHttp(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const ms = await measure(
    (message) =>
      new Promise<void>((resolve, reject) => {
        const sent = request(
          url,
          {
            method: 'POST',
            agent,
            headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          },
          (reply) => {
            reply.resume();
            reply.once('end', resolve);
          },
        );
        sent.once('error', reject);
        sent.end(JSON.stringify(message));
      }),
  );
  agent.destroy();
  return ms;
}

function tell(name: string, plain: number, through: number): void {
  console.log(
    `${name}  plain ${(plain * 1000).toFixed(0)} us, through mcpc ${(through * 1000).toFixed(0)} us: ${((through - plain) * 500).toFixed(0)} us added to each message`,
  );
}

const server = ['-e', answers];
tell('stdio', await overStdio(server), await overStdio([bin, 'intercept', '--', process.execPath, ...server]));

const http = createServer((incoming, response) => {
  let body = '';
  incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
  incoming.on('end', () => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? initialized : {} }));
  });
});
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const upstream = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
const proxy = spawn(process.execPath, [bin, 'intercept', '--listen', '127.0.0.1:0', '--upstream', upstream], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const url = await new Promise<string>((resolve) => {
  proxy.stderr.on('data', (chunk: Buffer) => {
    const found = /Listening on (\S+),/.exec(chunk.toString())?.[1];
    if (found !== undefined) resolve(found);
  });
});
tell('http ', await overHttp(upstream), await overHttp(url));
proxy.kill('SIGINT');
await new Promise((resolve) => proxy.once('exit', resolve));
http.closeAllConnections();
http.close();
