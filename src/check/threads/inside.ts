/** The thread's own side: its port to the main thread, and what it was started with. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { joinRun } from '../../client/transport/process/run-mark.ts';
import type { ThreadData } from './host.ts';

export interface OpenThread<From, Options> {
  port: MessagePort;
  options: Options;
  /** Posts a message to the main thread. */
  report(message: From): void;
}

/** Joins the run of the main thread. @throws Error outside of a thread */
export function enterThread<From, Options = undefined>(): OpenThread<From, Options> {
  const port = parentPort;
  if (port === null) throw new Error('thread.js is no program of its own');
  const { mark, options } = workerData as ThreadData<Options>;
  joinRun(mark);
  return { port, options, report: (message) => port.postMessage(message) };
}
