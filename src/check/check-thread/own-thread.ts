/**
 * The thread that a check runs in, as a thing to be had: started before it is needed, and kept for the next check.
 * Loads almost nothing, so that it can start before the command line is read.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../threads/host.ts';

/** A thread that waits for its next check. */
let idle: Worker | undefined;

/** Starts a thread ahead of its check, unless there is one. It does not keep the program from ending. Never throws. */
export function startAhead(): void {
  if (idle !== undefined) return;
  try {
    wait(start());
  } catch {
    // The caller of the thread gets the error of a damaged installation.
  }
}

/** The thread that waits, else a new one; the caller's from now on. */
export function takeThread(): Worker {
  const worker = idle ?? start();
  idle = undefined;
  return worker;
}

/** Takes a thread back that has nothing to do any more. @returns false where another one waits already */
export function keepThread(worker: Worker): boolean {
  if (idle !== undefined) return false;
  wait(worker);
  return true;
}

/** Errors of an idle thread are ignored; if the cause persists the next one reports it. */
function wait(worker: Worker): void {
  idle = worker;
  worker.unref();
  const forget = (): void => {
    if (idle === worker) idle = undefined;
  };
  worker.once('error', forget);
  worker.once('exit', forget);
}

function start(): Worker {
  return startThread('check', undefined);
}
