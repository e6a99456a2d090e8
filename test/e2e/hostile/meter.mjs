/** Loaded before mcpc by run-hostile.ts: writes the peak memory of this process, in MB, when it ends. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.MCPC_TEST_PEAK;
if (isMainThread && file !== undefined && process.argv[1]?.endsWith('mcpc.js')) {
  process.on('exit', () => writeFileSync(file, String(peakKb() / 1024)));
}

/** The kernel counts in the peak of resourceUsage what the parent held when it started this process; VmHWM is ours alone. */
function peakKb() {
  const status = '/proc/self/status';
  const own = existsSync(status) ? /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(status, 'utf8')) : null;
  return own ? Number(own[1]) : process.resourceUsage().maxRSS;
}
