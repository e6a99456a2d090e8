/**
 * The main thread's side of a check. It starts the thread, forwards its messages, and ends it if it does not end in
 * time: after Ctrl-C, at the deadline, or out of memory. It must not touch anything that a target sent, and it loads
 * little.
 */
import type { Worker } from 'node:worker_threads';
import { McpcError, targetError } from '../../core/model/errors.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { TraceHeader } from '../../core/model/trace.ts';
import { endLeftBehind } from '../../client/transport/process/left-behind.ts';
import {
  keepWatchdog,
  signalGroup,
  unwatchGroup,
  watchGroup,
} from '../../client/transport/process/process-registry.ts';
import { removeRunFolders } from '../../client/transport/process/run-folders.ts';
import { runMark } from '../../client/transport/process/run-mark.ts';
import type { CheckOptions } from '../check-options.ts';
import { errorOf, type ThrownError } from '../threads/thrown-error.ts';
import type { FromThread, ToThread } from './messages.ts';
import { heapMb, ranOutOfMemory } from '../threads/host.ts';
import { keepThread, takeThread } from './own-thread.ts';

export interface OutsideOptions extends CheckOptions {
  /** Deadline of the whole check, milliseconds. */
  checkMs: number;
}

/**
 * Milliseconds after the request to end. The first is until its processes are killed, so that nothing waits for them.
 * The second is until a thread is ended that has not acknowledged it, the third until an acknowledging one is. Ctrl-C
 * must be through within two seconds.
 */
const steps = {
  interrupted: { killMs: 700, deafMs: 1_200, lateMs: 1_600 },
  deadline: { killMs: 2_000, deafMs: 1_200, lateMs: 4_000 },
};

/**
 * Runs one check in a thread: the one started in advance, or left by the last check, else a new one. A check that had
 * to be ended returns a report of its partial result.
 * @throws McpcError as runCheck, also interrupted at Ctrl-C without any result, target at the deadline without any
 * result
 */
export async function runInThread(options: OutsideOptions): Promise<RunReport> {
  return new OutsideCheck(takeThread(), options).run();
}

class OutsideCheck {
  private readonly began = performance.now();
  private readonly groups = new Set<number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private header: TraceHeader | undefined;
  private partial: RunReport | undefined;
  private heard = false;
  /** Nothing that it starts may live on. */
  private killing = false;
  private over = false;
  /** Reason of the request to end. */
  private why: string | undefined;
  private resolve: (report: RunReport) => void = () => {};
  private reject: (error: unknown) => void = () => {};

  private readonly worker: Worker;
  private readonly options: OutsideOptions;

  constructor(worker: Worker, options: OutsideOptions) {
    this.worker = worker;
    this.options = options;
  }

  run(): Promise<RunReport> {
    const { target, serve, signal, checkMs } = this.options;
    const {
      onProgress: _p,
      onStderr: _s,
      onNotice: _n,
      onWait: _w,
      onHeader: _h,
      onPartial: _r,
      signal: _a,
      checkMs: _c,
      ...rest
    } = this.options;
    if (target.kind === 'stdio' || serve !== undefined) keepWatchdog();
    const onAbort = (): void => this.end('interrupted', 'interrupted');
    return new Promise<RunReport>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.worker.ref();
      this.worker.on('message', (message: FromThread) => this.take(message));
      this.worker.once('error', (error) => void this.failed(error));
      this.worker.once('exit', () => void this.failed(new Error('the thread of the check ended by itself')));
      this.worker.postMessage({ say: 'check', options: rest } satisfies ToThread);
      this.after(checkMs, () => this.end('deadline', `the check took longer than ${checkMs} ms`));
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    }).finally(() => {
      signal?.removeEventListener('abort', onAbort);
      for (const timer of this.timers) clearTimeout(timer);
    });
  }

  private after(ms: number, act: () => void): void {
    this.timers.add(setTimeout(act, Math.min(ms, 2 ** 31 - 1)));
  }

  private take(message: FromThread): void {
    if (this.over) return;
    if (message.say === 'progress') this.options.onProgress?.(message.at);
    else if (message.say === 'stderr') this.options.onStderr?.(message.line);
    else if (message.say === 'notice') this.options.onNotice?.(message.line);
    else if (message.say === 'wait') this.options.onWait?.(message.line);
    else if (message.say === 'header') this.header = message.header;
    else if (message.say === 'partial') this.partial = message.report;
    else if (message.say === 'ending') this.heard = true;
    else if (message.say === 'group') this.group(message.pid, message.alive);
    else if (message.say === 'done') void this.leave(message.still).then(() => this.resolve(message.report));
    else void this.leave(message.still).then(() => this.reject(this.thrown(message.error)));
  }

  private group(pid: number, alive: boolean): void {
    if (alive) {
      this.groups.add(pid);
      watchGroup(pid);
      if (this.killing) signalGroup(pid, 'SIGKILL');
    } else {
      this.groups.delete(pid);
      unwatchGroup(pid);
    }
  }

  /** Asks the check to end, and enforces it. */
  private end(how: keyof typeof steps, why: string): void {
    if (this.why !== undefined || this.over) return;
    this.why = why;
    this.worker.postMessage({ say: 'end', ...(how === 'deadline' ? { why } : {}) } satisfies ToThread);
    const { killMs, deafMs, lateMs } = steps[how];
    this.after(killMs, () => this.killGroups());
    this.after(deafMs, () => void (this.heard || this.force(why)));
    this.after(lateMs, () => void this.force(why));
  }

  private killGroups(): void {
    this.killing = true;
    for (const pid of this.groups) signalGroup(pid, 'SIGKILL');
  }

  /** The error of the thread, or its meaning if the check was ended. */
  private thrown(error: ThrownError): Error {
    return this.why !== undefined && error.stage !== 'usage' ? this.nothingKnown(this.why) : errorOf(error);
  }

  private nothingKnown(why: string): McpcError {
    if (this.options.signal?.aborted === true) return new McpcError('interrupted', 'The check was interrupted.');
    return targetError(
      `Nothing of the target is known: ${why}.`,
      'Give it more time with --check-timeout, or try the command by hand.',
    );
  }

  private failed(error: Error): Promise<void> {
    if (this.over) return Promise.resolve();
    if (ranOutOfMemory(error)) return this.force(`mcpc used up its memory (${heapMb} MB) on what the target sent`);
    return this.leave().then(() => this.reject(error));
  }

  /**
   * Ends the thread. Nothing of the check runs when this resolves, nor do the processes that it started.
   *
   * @param still the thread says that nothing of the check goes on: then it is kept for the next one
   */
  private async leave(still = false): Promise<void> {
    this.over = true;
    for (const event of ['message', 'error', 'exit']) this.worker.removeAllListeners(event);
    if (!still || this.why !== undefined || this.groups.size > 0 || !keepThread(this.worker)) await this.terminate();
    this.killGroups();
    for (const pid of this.groups) unwatchGroup(pid);
    this.groups.clear();
  }

  private async terminate(): Promise<void> {
    // Errors while it is being ended are not findings.
    this.worker.on('error', () => {});
    await this.worker.terminate();
  }

  /** Ends a check that does not end by itself. */
  private async force(why: string): Promise<void> {
    if (this.over) return;
    await this.leave();
    try {
      const left = await endLeftBehind(runMark());
      removeRunFolders();
      const { reportOfNothing, namedCommands } = await import('./known.ts');
      const known =
        this.partial ?? (this.header === undefined ? undefined : await reportOfNothing(this.header, this.options));
      if (known === undefined) this.reject(this.nothingKnown(why));
      else
        this.resolve({
          ...known,
          ...(left.length === 0 ? {} : { leftBehind: namedCommands(left, this.options) }),
          incomplete: why,
          durationMs: Math.round(performance.now() - this.began),
        });
    } catch (error) {
      this.reject(error);
    }
  }
}
