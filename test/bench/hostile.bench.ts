/**
 * Peak memory and CPU time of `mcpc check`, without a flag, on each attack on memory, beside a sound server that sends as
 * many bytes over the same transport at the same occasions, and the ratios. Ends with code 1 where a peak is 400 MB or more. Run it on an idle machine, after
 * `npm run build`.
 *
 *   npx tsx test/bench/hostile.bench.ts [id]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

type Transport = 'stdio' | 'http' | 'sse';

const cli = fileURLToPath(new URL('../../bin/mcpc.js', import.meta.url));
const server = fileURLToPath(new URL('../e2e/hostile/servers/memory.mjs', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-hostile-bench-'));
// The kernel counts in maxRSS what the parent held when it started the process; VmHWM is that of mcpc alone.
const meter =
  "process.on('exit',()=>{const fs=require('fs'),u=process.resourceUsage(),own=/^VmHWM:\\s*(\\d+)/m.exec(fs.existsSync('/proc/self/status')?fs.readFileSync('/proc/self/status','utf8'):'');if(process.argv[1]?.endsWith('mcpc.js'))fs.writeFileSync(process.env.MCPC_TEST_PEAK,JSON.stringify([(own?Number(own[1]):u.maxRSS)/1024,(u.userCPUTime+u.systemCPUTime)/1e6]))})";
const mostMb = 400;

const attacks: [id: string, transport: Transport][] = [
  ['one-byte-chunks-large', 'http'],
  ['empty-lines', 'stdio'],
  ['tiny-lines', 'stdio'],
  ['tiny-messages', 'stdio'],
  ['tiny-events', 'http'],
  ['tiny-message-events', 'http'],
  ['endless-questions', 'http'],
  ['many-objects', 'stdio'],
  ['many-numbers', 'http'],
  ['fifty-megabytes', 'stdio'],
  ['gzip-bombs', 'http'],
  ['brotli-bombs', 'http'],
];

type Measured = [mb: number, cpu: number, code: unknown];

async function measure(id: string, transport: Transport): Promise<Measured> {
  const words =
    transport === 'stdio'
      ? ['--', process.execPath, server, id]
      : [
          '--serve',
          `${process.execPath} ${server} ${id} {{port}}`,
          '--url',
          `http://127.0.0.1:{{port}}/${transport === 'sse' ? 'sse' : 'mcp'}`,
        ];
  const peak = path.join(folder, 'peak');
  const child = spawn(process.execPath, ['--require', meterFile, cli, 'check', '--quiet', ...words], {
    cwd: folder,
    env: { ...process.env, MCPC_TEST_PEAK: peak },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as unknown[];
  const [mb, cpu] = JSON.parse(readFileSync(peak, 'utf8')) as [number, number];
  return [mb, cpu, code];
}

const meterFile = path.join(folder, 'meter.cjs');
writeFileSync(meterFile, meter);
try {
  for (const [id, transport] of attacks) {
    if (process.argv[2] !== undefined && process.argv[2] !== id) continue;
    const sound = await measure(`beside-${id}`, transport);
    const [mb, cpu, code] = await measure(id, transport);
    if (mb >= mostMb) process.exitCode = 1;
    const ratio = (one: number, other: number): string => (one / other).toFixed(2);
    const told = ([mb, cpu, code]: Measured): string =>
      `${mb.toFixed(0)} MB, ${cpu.toFixed(1)} s CPU, exit ${code as string}`;
    console.log(
      `${id.padEnd(22)} ${transport.padEnd(5)} ${told([mb, cpu, code])}; as many bytes of a sound server: ${told(sound)}; ratio of memory ${ratio(mb, sound[0])}, of CPU ${ratio(cpu, sound[1])}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
