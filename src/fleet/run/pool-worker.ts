/** One worker process of a fleet run, seen from the main process: started, listened to, ended with all that it started. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { packageRoot } from '../../files/package/package-root.ts';
import { killMarked } from '../../client/transport/process/left-behind.ts';
import {
  keepWatchdog,
  signalGroup,
  unwatchGroup,
  watchGroup,
} from '../../client/transport/process/process-registry.ts';
import { removeRunFolders } from '../../client/transport/process/run-folders.ts';
import { markedEnv, partMark } from '../../client/transport/process/run-mark.ts';
import { within } from '../../client/transport/within.ts';
import type { WorkerStrain } from '../jobs/job-limit.ts';
import type { FromWorker, ToWorker } from './messages.ts';

export interface PoolWorker {
  readonly pid: number | undefined;
  send(message: ToWorker): void;
  /** Ends the process at once, and passes the reason to `onLost`. */
  kill(why: string): void;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Its latest measurements. */
  readonly strain: WorkerStrain;
}

export interface WorkerListener {
  onMessage(message: FromWorker & { job: number }): void;
  /** The process ended on its own; a short reason. */
  onLost(why: string): void;
}

/**
 * Heap of a worker, megabytes: two of them and the main process stay below 400 MB. A check needs about ten; one that
 * needs more than all of these ends its worker.
 */
const usualHeapMb = 120;
/**
 * Young objects are collected often: memory matters here, not the last percent of speed. Old objects may grow by four
 * fifths before the next collection; by default V8 would collect far more often with so low a limit.
 */
const heapFlags = ['--min-semi-space-size=4', '--max-semi-space-size=4', '--heap-growing-percent=80'];
/** A worker that says nothing for so long is stuck. */
const silenceMs = 60_000;
/** A stopped worker has nothing to finish. */
const stopMs = 500;
const tailLength = 4_000;

export function startWorker({ onMessage, onLost }: WorkerListener, heapMb = usualHeapMb): PoolWorker {
  keepWatchdog();
  const mark = partMark();
  const child = fork(path.join(packageRoot(), 'dist', 'fleet-worker.js'), [mark], {
    // In a group of its own, which the watchdog ends should this process be gone while the worker is busy.
    detached: process.platform !== 'win32',
    env: markedEnv(process.env, mark),
    execArgv: [`--max-old-space-size=${heapMb}`, ...heapFlags],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { pid } = child;
  if (pid !== undefined) watchGroup(pid);
  const groups = new Set<number>();
  let strain: WorkerStrain = { lateMs: 0, heap: 0 };
  let stopping = false;
  /** Why it was killed. */
  let killed: string | undefined;
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-tailLength)));

  const kill = (why: string): void => {
    killed ??= why;
    child.kill('SIGKILL');
  };
  const watchdog = setTimeout(() => kill(`the worker process did not respond for ${silenceMs / 1000} s`), silenceMs);
  watchdog.unref();

  child.on('message', (message: FromWorker) => {
    watchdog.refresh();
    if (message.say === 'alive') {
      strain = message;
      return;
    }
    if (message.say !== 'group') return onMessage(message);
    if (message.alive) {
      groups.add(message.pid);
      watchGroup(message.pid);
    } else {
      groups.delete(message.pid);
      unwatchGroup(message.pid);
    }
  });
  let gone: () => void = () => {};
  const ended = new Promise<void>((resolve) => (gone = resolve));
  const end = (why: string): void => {
    clearTimeout(watchdog);
    for (const group of groups) {
      signalGroup(group, 'SIGKILL');
      unwatchGroup(group);
    }
    groups.clear();
    if (pid !== undefined) unwatchGroup(pid);
    // Processes that its servers started outside their groups.
    killMarked(mark);
    removeRunFolders(mark);
    gone();
    if (!stopping) onLost(why);
    stopping = true;
  };
  child.once('error', (error) => end(`a worker process could not be started: ${error.message}`));
  // Not before its last messages were read.
  child.once('close', (code, signal) => end(killed ?? whyLost(code, signal, tail, heapMb)));

  return {
    pid,
    get strain() {
      return strain;
    },
    send: (message) => void (child.connected && child.send(message, () => {})),
    kill,
    async stop() {
      stopping = true;
      if (child.connected) child.send({ say: 'stop' } satisfies ToWorker, () => {});
      if (await within(ended, stopMs)) child.kill('SIGKILL');
      await ended;
    },
  };
}

function whyLost(code: number | null, signal: NodeJS.Signals | null, tail: string, heapMb: number): string {
  if (/heap out of memory|Reached heap limit/i.test(tail)) return `the worker process ran out of memory (${heapMb} MB)`;
  const said = /^\S*Error: .*$/m.exec(tail)?.[0];
  return `the worker process ended with ${signal ?? `code ${code}`}${said === undefined ? '' : `: ${said}`}`;
}
