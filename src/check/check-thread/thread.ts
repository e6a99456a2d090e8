/**
 * The thread in which `mcpc check` runs peer, recorder and judge: whatever a target brings it to do, the main thread
 * stays free to end it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onGroupChange } from '../../client/transport/process/process-registry.ts';
import { runChecks } from '../check-each.ts';
import { storeCompiledCode } from '../../files/output/compile-cache.ts';
import { describeError } from '../threads/thrown-error.ts';
import { enterThread } from '../threads/inside.ts';
import type { FromThread, ThreadOptions, ToThread } from './messages.ts';

const { port, report } = enterThread<FromThread>();
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
    const result = await runChecks({
      ...options,
      signal: ending.signal,
      onProgress: (at) => report({ say: 'progress', at }),
      onStderr: (line) => report({ say: 'stderr', line }),
      onNotice: (line) => report({ say: 'notice', line }),
      onWait: (line) => report({ say: 'wait', line }),
      onHeader: (header) => report({ say: 'header', header }),
      onPartial: (partial) => report({ say: 'partial', report: partial }),
    });
    storeCompiledCode();
    report({ say: 'done', report: result, still: await isStill() });
  } catch (error) {
    report({ say: 'failed', error: describeError(error), still: await isStill() });
  }
}

onGroupChange((pid, alive) => report({ say: 'group', pid, alive }));
port.on('message', (message: ToThread) => {
  if (message.say === 'check') return void check(message.options);
  report({ say: 'ending' });
  ending.abort(message.why);
});
