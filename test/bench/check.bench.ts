/**
 * Wall time of `mcpc check` against a bare client that starts the same server as often, initialises it and
 * sends the same requests, one after another, judging nothing. Both run in turn on this machine; the ratio
 * is what counts. Prints also the peak memory of the check. Needs `npm run build`.
 *
 *   npx tsx test/bench/check.bench.ts [rounds] [-- command args…]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TraceEvent } from '../../src/model/trace.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const split = process.argv.indexOf('--');
const rounds = Number(process.argv[2] ?? 5) || 5;
const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const [command = process.execPath, ...args] = split === -1 ? [process.execPath, everything, 'stdio'] : process.argv.slice(split + 1);
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-bench-'));
const peak = "process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS+'\\n'))";

function check(trace: string): Promise<{ ms: number; peakMb: number }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${peak}`, path.join(root, 'bin/mcpc.js'), 'check', '--quiet', '--trace', trace, '--', command, ...args],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) => {
      const kib = Number(/peak (\d+)/.exec(stderr)?.[1] ?? 0);
      if (code === null || code > 1) reject(new Error(`mcpc check ended with ${code}: ${stderr}`));
      else resolve({ ms: performance.now() - began, peakMb: kib / 1024 });
    });
  });
}

type Json = Record<string, unknown>;
const isRequest = (message: unknown): message is Json => typeof message === 'object' && message !== null && 'method' in message && 'id' in message;

/** One session of the trace again: the same lines, each request awaited if it was answered then. */
async function replay(events: TraceEvent[]): Promise<void> {
  const answered = new Set(events.filter((event) => event.from === 'server' && event.kind === 'message').map((event) => JSON.stringify((event.message as Json | null)?.id)));
  const answers = new Map(
    events
      .filter((event) => event.from === 'client' && event.kind === 'message' && !isRequest(event.message) && 'id' in (event.message as Json))
      .map((event) => [JSON.stringify((event.message as Json).id), event.message]),
  );
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.on('error', () => {});
  const waiting = new Map<string, () => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    let message: Json;
    try {
      message = JSON.parse(line) as Json;
    } catch {
      return;
    }
    const id = JSON.stringify(message.id);
    if (isRequest(message) && answers.has(id)) child.stdin.write(`${JSON.stringify(answers.get(id))}\n`);
    else waiting.get(id)?.();
  });
  for (const event of events) {
    if (event.from !== 'client' || (event.kind !== 'message' && event.kind !== 'unparsable')) continue;
    const { message } = event;
    if (!Array.isArray(message) && !isRequest(message) && typeof message === 'object' && message !== null && 'id' in message) continue;
    const due = isRequest(message) && answered.has(JSON.stringify(message.id));
    const reply = due ? new Promise<void>((resolve) => waiting.set(JSON.stringify(message.id), resolve)) : undefined;
    child.stdin.write(`${event.raw ?? JSON.stringify(message)}\n`);
    await Promise.race([reply, exited]);
  }
  child.stdin.end();
  child.kill('SIGTERM');
  await exited;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

try {
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const file = path.join(folder, `${round}.trace.jsonl`);
    const checked = await check(file);
    const events = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as TraceEvent).filter((event) => typeof event.seq === 'number');
    const sessions = group(events);
    const began = performance.now();
    for (const session of sessions.values()) await replay(session);
    const bareMs = performance.now() - began;
    // The first round warms the file cache.
    if (round === 0) continue;
    ratios.push(checked.ms / bareMs);
    console.log(
      `round ${round}: check ${checked.ms.toFixed(0)} ms, bare client ${bareMs.toFixed(0)} ms over ${sessions.size} starts, ratio ${(checked.ms / bareMs).toFixed(2)}, peak memory ${checked.peakMb.toFixed(0)} MB, ${events.length} events`,
    );
  }
  console.log(`median ratio ${median(ratios).toFixed(2)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function group(events: TraceEvent[]): Map<string, TraceEvent[]> {
  const sessions = new Map<string, TraceEvent[]>();
  for (const event of events) sessions.set(event.session, [...(sessions.get(event.session) ?? []), event]);
  return sessions;
}
