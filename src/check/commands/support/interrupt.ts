/**
 * Ctrl-C and its like: the first asks the work to end in order, the second ends everything at once. It is independent
 * of the work, and prints no results.
 */
import { exitCodes } from '../../../core/model/errors.ts';
import { killMarked } from '../../../client/transport/process/left-behind.ts';
import { killAllGroups } from '../../../client/transport/process/process-registry.ts';
import { removeRunFolders } from '../../../client/transport/process/run-folders.ts';
import { runMark } from '../../../client/transport/process/run-mark.ts';

export interface Interruption {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  /**
   * Waits for work that is to end soon after an interruption.
   * @returns its value; `undefined` when it has not ended some seconds after the first signal
   */
  within<T>(work: Promise<T>): Promise<T | undefined>;
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const graceMs = 5_000;

/** Listens from now on. `tell` prints the line for the user. */
export function listenForInterrupts(report: (line: string) => void): Interruption {
  const controller = new AbortController();
  let overdue: () => void = () => {};
  const tooLate = new Promise<undefined>((resolve) => {
    overdue = () => resolve(undefined);
  });
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      killAllGroups();
      killMarked(runMark());
      removeRunFolders();
      process.exit(exitCodes.interrupted);
    }
    report('Stopping; once more to stop at once.');
    setTimeout(overdue, graceMs).unref();
    controller.abort();
  };
  for (const signal of endingSignals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    within: (work) => {
      // A late rejection must not become an unhandled one.
      work.catch(() => {});
      return Promise.race([work, tooLate]);
    },
  };
}
