/**
 * The thread in which `mcpc check` runs peer, recorder and judge: whatever a target brings it to do, the main thread
 * stays free to end it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { onGroupChange } from '../../client/transport/process/process-registry.ts';
import { joinRun } from '../../client/transport/process/run-mark.ts';
import { runChecks } from '../check-each.ts';
import { storeCompiledCode } from '../../files/output/compile-cache.ts';
import { describeError } from '../thrown-error.ts';
import type { FromThread, ThreadData, ThreadOptions, ToThread } from './messages.ts';

const port = parentPort;
if (port === null) throw new Error('check-thread.js is no program of its own');
const tell = (message: FromThread): void => port.postMessage(message);
/** Ends the check that runs. */
let ending = new AbortController();

/** True when nothing but the way to the main thread keeps this one alive. */
async function isStill(): Promise<boolean> {
  // Handles that were just closed disappear at one of the next turns of the event loop.
  for (let turn = 0; turn < 10; turn += 1) {
    await nextTurn();
    if (process.getActiveResourcesInfo().every((one) => one === 'MessagePort')) return true;
  }
  return false;
}

async function check(options: ThreadOptions): Promise<void> {
  ending = new AbortController();
  try {
    const report = await runChecks({
      ...options,
      signal: ending.signal,
      onProgress: (at) => tell({ say: 'progress', at }),
      onStderr: (line) => tell({ say: 'stderr', line }),
      onNotice: (line) => tell({ say: 'notice', line }),
      onWait: (line) => tell({ say: 'wait', line }),
      onHeader: (header) => tell({ say: 'header', header }),
      onPartial: (partial) => tell({ say: 'partial', report: partial }),
    });
    storeCompiledCode();
    tell({ say: 'done', report, still: await isStill() });
  } catch (error) {
    tell({ say: 'failed', error: describeError(error), still: await isStill() });
  }
}

joinRun((workerData as ThreadData).mark);
onGroupChange((pid, alive) => tell({ say: 'group', pid, alive }));
port.on('message', (message: ToThread) => {
  if (message.say === 'check') return void check(message.options);
  tell({ say: 'ending' });
  ending.abort(message.why);
});
