/**
 * Speed and memory of `mcpc judge` on a long transcript, against a bare loop that reads the same file line by
 * line and JSON-parses it. Writes a transcript of a million messages (tool calls with progress, reads, pings,
 * lists; about 450 bytes a line) as a trace and as a capture of JSON-RPC lines, judges each in a process of its
 * own, and prints the ratio and the peak memory. Needs `npm run build`.
 *
 *   npx tsx test/bench/judge.bench.ts [messages]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, createWriteStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeConversation } from './long-conversation.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const messages = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-judge-bench-'));
const peak = "process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS+'\\n'))";
const bareLoop = `
  import { createReadStream } from 'node:fs';
  import { createInterface } from 'node:readline';
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(process.argv[1]) })) if (JSON.parse(line).footer !== true) count += 1;
  process.stdout.write(String(count));`;

function run(args: string[]): Promise<{ ms: number; peakMb: number; code: number | null; stdout: string; stderr: string }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', `data:text/javascript,${peak}`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('exit', (code) => {
      const kib = Number(/peak (\d+)/.exec(stderr)?.[1] ?? 0);
      resolve({ ms: performance.now() - began, peakMb: kib / 1024, code, stdout, stderr });
    });
  });
}

/** The same conversation as another tool would have captured it: each message a line, and nothing else. */
async function asLines(trace: string, lines: string): Promise<void> {
  const out = createWriteStream(lines);
  for await (const line of createInterface({ input: createReadStream(trace) })) {
    const at = line.indexOf('"message":{');
    if (at !== -1 && !out.write(`${line.slice(at + '"message":'.length, -1)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function compare(what: string, file: string, count: number, args: string[]): Promise<void> {
  const bare = await run(['--input-type=module', '-e', bareLoop, file]);
  const judged = await run([path.join(root, 'bin/mcpc.js'), 'judge', '--quiet', ...args, file]);
  if (judged.code !== 0) throw new Error(`mcpc judge ended with ${judged.code}: ${judged.stdout}${judged.stderr}`);
  const speed = (ms: number): string => `${(ms / 1000).toFixed(1)} s, ${Math.round(count / (ms / 1000))} messages a second`;
  console.log(`\n${what}, ${count} messages, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  console.log(`bare loop   ${speed(bare.ms)}, peak ${bare.peakMb.toFixed(0)} MB`);
  console.log(`mcpc judge  ${speed(judged.ms)}, peak ${judged.peakMb.toFixed(0)} MB`);
  console.log(`ratio of speeds ${(bare.ms / judged.ms).toFixed(2)}`);
}

try {
  const trace = path.join(folder, 'long.trace.jsonl');
  const fd = openSync(trace, 'w');
  const count = writeConversation((text) => writeSync(fd, text), messages);
  closeSync(fd);
  await compare('a trace (at least 0.33 of the bare loop, under 300 MB)', trace, count, []);
  const lines = path.join(folder, 'long.jsonl');
  await asLines(trace, lines);
  await compare('a capture of JSON-RPC lines, which is read exactly, told apart by sender and redacted', lines, count, ['--spec', '2025-11-25']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
