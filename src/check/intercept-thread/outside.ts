/**
 * The main thread's side of an interception. It passes copies of the traffic to the thread that records and judges, and
 * ends that thread if it does not end after Ctrl-C. It must not look into what passes, nor wait for the thread before
 * everything has passed.
 */
import type { Tap, TapSink } from '../../client/intercept/taps.ts';
import { removeRunFolders } from '../../client/transport/process/run-folders.ts';
import { heapMb, ranOutOfMemory, startThread } from '../threads/host.ts';
import { errorOf } from '../threads/thrown-error.ts';
import type { FromRecording, LiveFinding, Recorded, RecordingOptions, ToRecording } from './messages.ts';

/** Bytes that may wait for the thread; beyond it the recording ends, and forwarding continues. */
const mostWaiting = 64 * 1024 * 1024;
/** Bytes that may wait only for judging, also after Ctrl-C: they are done as soon as judging, our own work, begins. */
const littleWaiting = 256 * 1024;
/** Cost of a tap in addition to its bytes. */
const tapWeight = 256;
/**
 * Milliseconds after Ctrl-C: until a thread with remaining work is ended, since Ctrl-C must finish within two seconds;
 * and until one is ended that only writes its report.
 */
const steps = { judgedMs: 1_500, reportMs: 10_000 };

/** The result; `why` if it was ended early. */
export type Concluded = Recorded | { why: string };

export interface RecordingThread {
  /** Takes a copy; returns at once. */
  readonly tap: TapSink;
  /** Resolves when everything that passed is recorded and judged, or when it had to be ended. */
  conclude(): Promise<Concluded>;
  /** After Ctrl-C it gets little time to conclude. */
  hurry(): void;
  /** Judges no further. */
  end(): void;
  /** Ends the thread, whatever it is at. */
  dispose(): Promise<void>;
}

/** Resolves when the trace is open. @throws McpcError usage for the trace file, the selection or the suite */
export async function openRecordingThread(
  options: RecordingOptions,
  onFinding: (finding: LiveFinding) => void,
): Promise<RecordingThread> {
  const worker = startThread('intercept', options);
  const timers = new Set<NodeJS.Timeout>();
  /** Bytes that are not recorded and judged, and those of them that the thread has not even taken in. */
  let waiting = 0;
  let untaken = 0;
  /** Bytes that were not recorded. */
  let left = 0;
  let batch: Tap[] = [];
  let buffers: ArrayBuffer[] = [];
  let batchAt = 0;
  let batchWeight = 0;
  let hurried = false;
  let reportReady: () => void = () => {};
  let settle: (concluded: Concluded) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const ready = new Promise<void>((resolve) => (reportReady = resolve));
  const outcome = new Promise<Concluded>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  outcome.catch(() => {});

  const post = (message: ToRecording, buffers: ArrayBuffer[] = []): void => worker.postMessage(message, buffers);
  const end = (why: string): void => {
    settle({ why });
    void worker.terminate();
  };

  worker.on('message', (message: FromRecording) => {
    if (message.say === 'taken') untaken -= message.weight;
    else if (message.say === 'judged') waiting -= message.weight;
    else if (message.say === 'finding') onFinding(message.finding);
    else if (message.say === 'ready') reportReady();
    else if (message.say === 'done') settle(message.recorded);
    else fail(errorOf(message.error));
  });
  worker.once('error', (error: NodeJS.ErrnoException) => {
    if (ranOutOfMemory(error)) settle({ why: `judging used up its memory (${heapMb} MB)` });
    else fail(error);
  });
  worker.once('exit', () => fail(new Error('the thread that records ended by itself')));

  function flush(): void {
    if (batch.length === 0) return;
    post({ say: 'taps', at: batchAt, taps: batch, weight: batchWeight }, buffers);
    batch = [];
    buffers = [];
    batchWeight = 0;
  }

  function tap(one: Tap): void {
    const bytes = 'chunk' in one ? one.chunk.length : 0;
    if (left > 0 || waiting + bytes > mostWaiting) {
      left += bytes;
      return;
    }
    if (batch.length === 0) {
      batchAt = performance.timeOrigin + performance.now();
      setImmediate(flush);
    }
    // A copy of these bytes alone: what they stand in is larger, and is written to again.
    if ('chunk' in one) {
      const chunk = new Uint8Array(one.chunk);
      buffers.push(chunk.buffer);
      batch.push({ ...one, chunk });
    } else batch.push(one);
    batchWeight += bytes + tapWeight;
    waiting += bytes + tapWeight;
    untaken += bytes + tapWeight;
  }

  const dispose = async (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer);
    await worker.terminate();
    removeRunFolders();
  };

  try {
    await Promise.race([ready, outcome]);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    tap,
    conclude() {
      flush();
      post({ say: 'conclude', left });
      return outcome;
    },
    hurry() {
      if (hurried) return;
      hurried = true;
      timers.add(
        setTimeout(
          () =>
            void (
              (untaken > 0 || waiting > littleWaiting) &&
              end('it was interrupted before all that was said was judged')
            ),
          steps.judgedMs,
        ),
      );
      timers.add(setTimeout(() => end('it was interrupted while its report was written'), steps.reportMs));
    },
    end: () => end('it was interrupted twice'),
    dispose,
  };
}
