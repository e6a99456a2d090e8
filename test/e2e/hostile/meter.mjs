/** Loaded before mcpc by run-hostile.ts: writes the peak memory of this process, in MB, when it ends. */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.MCPC_TEST_PEAK;
if (isMainThread && file !== undefined && process.argv[1]?.endsWith('mcpc.js')) {
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS / 1024)));
}
