/**
 * `mcpc client` on a client of the official SDK beside as many bare starts of that client, which list and call at a server
 * that records and judges nothing. Both run in turn on this machine; the ratio is what counts. Needs `npm run build`.
 *
 *   npx tsx test/bench/client.bench.ts [rounds] [--spec REVISION]
 *
 * A round prints the wall time of both, and the largest memory of mcpc itself.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';
import { endpointPath, serveStreamableHttp } from '../../src/server/transports/streamable-http.ts';
import { stageScene } from '../../src/stage/scene/play.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const client = path.join(root, 'examples/clients/sdk-client.mjs');
const pollMs = 20;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { spec: { type: 'string', default: '2025-11-25' } },
});
const spec = values.spec as Revision;
const rounds = Number(positionals[0] ?? 3);

/** Runs a command to its end. @returns with the largest memory of its own process, in MB (Linux; 0 elsewhere) */
async function run(args: readonly string[]): Promise<{ ms: number; memoryMb: number; code: number | null }> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
  let memoryMb = 0;
  const poll = setInterval(() => (memoryMb = Math.max(memoryMb, peakOf(child.pid))), pollMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearInterval(poll);
  return { ms: performance.now() - began, memoryMb, code };
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function bareStarts(count: number): Promise<{ ms: number }> {
  const server = await serveStreamableHttp(stageScene({}, [spec]).host, { port: 0, path: endpointPath });
  const began = performance.now();
  for (let start = 0; start < count; start += 1) await run([client, server.origin + endpointPath]);
  await server.close();
  return { ms: performance.now() - began };
}

/** The client's starts in a trace: each ends with an exit of the client. */
function startsIn(trace: string): number {
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"seq"'))
    .map((line) => JSON.parse(line) as TraceEvent)
    .filter(({ from, kind }) => from === 'client' && kind === 'exit').length;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const ratios: number[] = [];
let largest = 0;
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-client-bench-'));
try {
  for (let round = 1; round <= rounds; round += 1) {
    const trace = path.join(folder, `${round}.jsonl`);
    const whole = await run([
      'bin/mcpc.js',
      'client',
      '--spec',
      spec,
      '--trace',
      trace,
      '--',
      process.execPath,
      client,
    ]);
    if (whole.code !== 0 && whole.code !== 1) throw new Error(`mcpc client ended with ${whole.code}`);
    const starts = startsIn(trace);
    const bare = await bareStarts(starts);
    ratios.push(whole.ms / bare.ms);
    largest = Math.max(largest, whole.memoryMb);
    console.log(
      `round ${round}: ${starts} starts, mcpc client ${seconds(whole.ms)}, bare ${seconds(bare.ms)}: ${(whole.ms / bare.ms).toFixed(2)}; memory of mcpc ${whole.memoryMb.toFixed(0)} MB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const middle = [...ratios].sort((a, b) => a - b)[Math.floor(ratios.length / 2)]!;
console.log(`\nratio ${middle.toFixed(2)} (median of ${rounds}), memory up to ${largest.toFixed(0)} MB`);
