/**
 * `mcpc check` beside a bare client that starts the same server as often and sends the same messages one after another,
 * judging nothing; and beside the time that the server needs from its start to its first list of tools. Both run in
 * turn on this machine; the ratios are what counts. Needs `npm run build`.
 *
 *   npx tsx test/bench/check.bench.ts [rounds] [--server NAME]... [--profile quick] [-- command args…]
 *
 * Without a command: six servers, over stdio and HTTP; the example server is checked in the stateless era. CPU of mcpc is that of all its threads; CPU of the server that
 * of all processes which the check started and that have ended.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { connectionsOf, firstList, replayAll, type Measured } from './bare-client.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const split = process.argv.indexOf('--');
const own = process.argv.slice(2, split === -1 ? undefined : split);
const named = split === -1 ? [] : process.argv.slice(split + 1);
const { values, positionals } = parseArgs({
  args: own,
  allowPositionals: true,
  options: { server: { type: 'string', multiple: true }, profile: { type: 'string', default: 'full' } },
});
const rounds = Number(positionals[0] ?? 5);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`${positionals[0]} is no number of rounds`);
const resolve = createRequire(import.meta.url).resolve;
const everything = resolve('@modelcontextprotocol/server-everything/dist/index.js');
const example = path.join(root, 'dist/example-server.js');
const bench = path.join(root, 'test/bench/bench-server.mjs');
const made = (...more: string[]): [Measured, Measured] => [
  { http: false, command: [process.execPath, bench, 'stdio', ...more] },
  { http: true, command: [process.execPath, bench, '{{port}}', ...more] },
];

const servers: [name: string, targets: Measured[]][] =
  named.length > 0
    ? [['the server', [{ http: false, command: named }]]]
    : [
        [
          'server-everything',
          [
            { http: false, command: [process.execPath, everything, 'stdio'] },
            { http: true, command: [process.execPath, everything, 'streamableHttp'], env: { PORT: '{{port}}' } },
          ],
        ],
        [
          'example server (2026-07-28)',
          [
            { http: false, command: [process.execPath, example, 'stdio'] },
            { http: true, command: [process.execPath, example, 'http', '--port', '{{port}}'] },
          ],
        ],
        [
          'server-memory',
          [{ http: false, command: [process.execPath, resolve('@modelcontextprotocol/server-memory/dist/index.js')] }],
        ],
        ['starts in 1.5 s', made('--start-ms', '1500')],
        ['answers in 50 ms', made('--reply-ms', '50')],
        ['has 200 tools', made('--tools', '200')],
      ];

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-bench-'));
/** When mcpc ends: its peak memory (KiB), and the CPU time of the processes that it waited for (hundredths of a second). */
const atEnd =
  "import{readFileSync}from'node:fs';process.on('exit',()=>{let c=0;try{const f=readFileSync('/proc/self/stat','utf8').split(') ')[1].split(' ');c=Number(f[13])+Number(f[14])}catch{}process.stderr.write('\\nmcpc-ended '+process.resourceUsage().maxRSS+' '+c+'\\n')})";

interface Checked {
  ms: number;
  peakMb: number;
  cpuMs: number;
  serverCpuMs: number;
  starts: number;
  waitMs: number;
  events: TraceEvent[];
}

function check(target: Measured, trace: string): Promise<Checked> {
  const reached = target.http
    ? [
        '--serve',
        target.command.join(' '),
        '--url',
        `http://127.0.0.1:{{port}}${target.path ?? '/mcp'}`,
        ...Object.entries(target.env ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ]
    : ['--', ...target.command];
  const began = performance.now();
  return new Promise((done, reject) => {
    const child = spawn(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${atEnd}`,
        path.join(root, 'bin/mcpc.js'),
        'check',
        '--quiet',
        '--timings',
        '--json',
        '--profile',
        values.profile,
        '--trace',
        trace,
        '--overwrite',
        ...reached,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      const ms = performance.now() - began;
      if (code === null || code > 1) return reject(new Error(`mcpc check ended with ${code}: ${stderr}`));
      const [, peak = '0', ticks = '0'] = /mcpc-ended (\d+) (\d+)/.exec(stderr) ?? [];
      const timings = (JSON.parse(stdout) as RunReport).timings!;
      const events = readFileSync(trace, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as TraceEvent)
        .filter((event) => typeof event.seq === 'number');
      done({
        ms,
        peakMb: Number(peak) / 1024,
        cpuMs: timings.cpuMs,
        serverCpuMs: Number(ticks) * 10,
        starts: timings.starts,
        waitMs: timings.idle[0]?.wallMs ?? 0,
        events,
      });
    });
  });
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
}

async function measure(name: string, target: Measured): Promise<void> {
  const rows: { ratio: number; starts: number; overList: number; listMs: number; checked: Checked }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const checked = await check(target, path.join(folder, 'run.trace.jsonl'));
    const bareMs = await replayAll(connectionsOf(checked.events), target);
    const listMs = await firstList(target);
    // The first round warms the file cache.
    if (round > 0)
      rows.push({ ratio: checked.ms / bareMs, starts: checked.starts, overList: checked.ms / listMs, listMs, checked });
  }
  const of = (value: (row: (typeof rows)[number]) => number): number => median(rows.map(value));
  console.log(
    `${name}, ${target.http ? 'HTTP' : 'stdio'}: ${(of(({ checked }) => checked.ms) / 1000).toFixed(2)} s; bare client ratio ${of(({ ratio }) => ratio).toFixed(2)}; ${of(({ starts }) => starts)} processes; ${of(({ overList }) => overList).toFixed(1)} times the ${of(({ listMs }) => listMs).toFixed(0)} ms to the first tools/list; CPU of mcpc ${(of(({ checked }) => checked.cpuMs) / 1000).toFixed(2)} s, of the server ${(of(({ checked }) => checked.serverCpuMs) / 1000).toFixed(2)} s; longest silence ${of(({ checked }) => checked.waitMs).toFixed(0)} ms; ${of(({ checked }) => checked.peakMb).toFixed(0)} MB`,
  );
}

try {
  console.log(`Medians of ${rounds} rounds:`);
  for (const [name, targets] of servers) {
    if (values.server !== undefined && !values.server.includes(name)) continue;
    for (const target of targets) await measure(name, target);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
