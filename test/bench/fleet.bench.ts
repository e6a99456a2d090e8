/**
 * Whole runs over fleets, by the built command line. Needs `npm run build` and Linux.
 *
 *   npx tsx test/bench/fleet.bench.ts real DIR [-- flags of fleet check]
 *     DIR: an installed copy of a list of real servers (fleet.json beside node_modules). Prints how long the run
 *     took against the sum of the servers' own start-up times divided by two for each core, as a ratio.
 *   npx tsx test/bench/fleet.bench.ts many [COUNT] [-- flags of fleet check]
 *     COUNT (1000) HTTP servers on this machine, of fifty three slow, three dead and three hostile. Prints results
 *     by status, the rate per minute and the peak memory of mcpc's processes together; fails when a result is
 *     missing or the peak is 400 MB or more.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FleetReport } from '../../src/core/model/reports/fleet.ts';
import { processes } from '../fleet/run-folder.ts';
import { realFleetFile } from '../support/real-fleet.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const split = process.argv.indexOf('--');
const own = process.argv.slice(2, split === -1 ? undefined : split);
const flags = split === -1 ? [] : process.argv.slice(split + 1);
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-fleet-bench-'));
/** What start-up times are divided by, however many checks there are at a time, so that ratios compare. */
const slots = availableParallelism() * 2;
const jobs = flags.includes('--jobs') ? flags[flags.indexOf('--jobs') + 1]! : 'auto';
const limitMb = 400;

/** What a process takes of the machine's memory, MB: pages that it shares with others, the code of Node above all, count in part. 0 when it is gone. */
function takenMb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** mcpc's own processes: the main one and its workers, not the servers. */
function ownProcesses(main: number): number[] {
  return [
    main,
    ...processes()
      .filter(({ parent, command }) => parent === main && command.includes('fleet-worker'))
      .map(({ pid }) => pid),
  ];
}

async function run(file: string): Promise<{ report: FleetReport; ms: number; peakMb: number }> {
  const out = path.join(folder, 'run');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [path.join(root, 'bin/mcpc.js'), 'fleet', 'check', file, '--out', out, '-f', 'chat', ...flags],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  let peakMb = 0;
  let parts: number[] = [];
  const sampling = setInterval(() => {
    const now = ownProcesses(child.pid!).map(takenMb);
    const sum = now.reduce((all, one) => all + one, 0);
    if (sum > peakMb) [peakMb, parts] = [sum, now];
  }, 200);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(sampling);
  console.log(
    `mcpc ended with ${String(code)}; memory at its peak: ${parts.map((mb) => mb.toFixed(0)).join(' + ')} MB`,
  );
  return {
    report: JSON.parse(readFileSync(path.join(out, 'fleet.json'), 'utf8')) as FleetReport,
    ms: performance.now() - began,
    peakMb,
  };
}

function statuses(report: FleetReport): string {
  const counts = new Map<string, number>();
  for (const { status } of report.servers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function real(directory: string): Promise<void> {
  const list = path.join(directory, 'fleet.json');
  const file = path.join(folder, 'fleet.yaml');
  writeFileSync(file, realFleetFile(list, path.resolve(directory)));
  const { report, ms, peakMb } = await run(file);
  const measured = report.servers.reduce((sum, { startUpMs }) => sum + (startUpMs ?? 0), 0);
  const listed = (JSON.parse(readFileSync(list, 'utf8')) as { startMs?: number }[]).reduce(
    (sum, { startMs }) => sum + (startMs ?? 0),
    0,
  );
  const left = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(path.resolve(directory));
    } catch {
      return false;
    }
  });
  console.log(
    `${report.servers.length} servers: ${statuses(report)}; each with a score or a reason: ${report.servers.every(({ score, reason }) => score !== null || reason !== null)}`,
  );
  console.log(`processes left over in ${directory}: ${left.length}`);
  console.log(`total ${seconds(ms)}, --jobs ${jobs}, peak memory ${peakMb.toFixed(0)} MB`);
  console.log(
    `start-up times: ${seconds(measured)} as measured in the run, ${seconds(listed)} as listed for a machine at rest`,
  );
  console.log(
    `ratio of the total to start-up times / ${slots}: ${(ms / (measured / slots)).toFixed(2)} (measured), ${(ms / (listed / slots)).toFixed(2)} (listed)`,
  );
  if (left.length > 0 || report.incomplete !== null) process.exitCode = 1;
}

async function many(count: number): Promise<void> {
  const hosts: ChildProcess[] = [];
  try {
    const parts = 4;
    const servers: Record<string, object> = {};
    for (let part = 0; part < parts; part += 1) {
      const first = Math.floor((count * part) / parts);
      const host = spawn(
        process.execPath,
        [
          '--import',
          'tsx',
          path.join(root, 'test/bench/many-servers.ts'),
          String(Math.floor((count * (part + 1)) / parts) - first),
          String(first),
        ],
        { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      hosts.push(host);
      const line = await new Promise<string>((resolve, reject) => {
        let text = '';
        host.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()).endsWith('\n') && resolve(text));
        host.once('exit', (code) => reject(new Error(`the servers ended with ${code}`)));
      });
      for (const { name, url } of JSON.parse(line) as { name: string; url: string }[])
        servers[name] = { url, timeouts: { start: '15s', check: '2m' } };
    }
    const file = path.join(folder, 'fleet.json');
    writeFileSync(file, JSON.stringify({ version: 1, servers }));
    const { report, ms, peakMb } = await run(file);
    const missing = count - report.servers.length;
    console.log(`${report.servers.length} of ${count} results: ${statuses(report)}`);
    for (const kind of ['sound', 'slow', 'dead', 'hostile']) {
      const of = report.servers.filter(({ name }) => name.startsWith(kind));
      console.log(
        `  ${kind}: ${of.length}, of which ${of.filter(({ status }) => status === 'checked').length} checked, ${of.filter(({ compliant }) => compliant === true).length} compliant`,
      );
    }
    console.log(
      `total ${seconds(ms)}, ${((report.servers.length / ms) * 60_000).toFixed(1)} servers a minute, --jobs ${jobs}`,
    );
    console.log(`peak memory of mcpc's processes together: ${peakMb.toFixed(0)} MB (limit ${limitMb})`);
    if (missing > 0 || peakMb >= limitMb) process.exitCode = 1;
  } finally {
    for (const host of hosts) host.kill('SIGKILL');
  }
}

try {
  if (own[0] === 'real' && own[1] !== undefined) await real(own[1]);
  else if (own[0] === 'many') await many(Number(own[1] ?? 1000));
  else throw new Error('usage: fleet.bench.ts real DIR | many [COUNT] [-- flags of fleet check]');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
