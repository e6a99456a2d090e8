/**
 * Judges events in idle time: during a check other parts wait for each answer, and judging in between would delay
 * everything. Nothing is judged in another order.
 */
import type { TraceEvent } from '../../core/model/trace.ts';
import type { JudgeFeed } from './judge-feed.ts';

/** Milliseconds without an event after which there is time. */
const calmMs = 3;
/** Events judged at once, so that what comes meanwhile is not held up for long. */
const atOnce = 8;
/** Events that wait at most, and what they take in memory. */
const mostWaiting = 2_000;
const mostBytes = 2 * 1024 * 1024;

export interface LeisurelyFeed extends JudgeFeed {
  /** @param memory what the event takes, in bytes */
  push(event: TraceEvent, memory?: number): void;
}

/**
 * @param feed must not be pushed to by anybody else
 * @param judging runs what is judged at once, for those who measure it
 */
export function leisurely(feed: JudgeFeed, judging: (run: () => void) => void = (run) => run()): LeisurelyFeed {
  let waiting: TraceEvent[] = [];
  /** Number of judged events. */
  let done = 0;
  let bytes = 0;
  let lastMs = 0;
  let due: NodeJS.Timeout | undefined;

  function judge(most = Infinity): void {
    const end = Math.min(waiting.length, done + most);
    judging(() => {
      for (; done < end; done += 1) feed.push(waiting[done]!);
    });
    if (done < waiting.length && done < mostWaiting) return;
    waiting = waiting.slice(done);
    done = 0;
    if (waiting.length === 0) bytes = 0;
  }

  function look(): void {
    const isCalm = performance.now() - lastMs >= calmMs;
    if (isCalm) judge(atOnce);
    due = done < waiting.length ? setTimeout(look, isCalm ? 0 : calmMs) : undefined;
  }

  function flush(): void {
    clearTimeout(due);
    due = undefined;
    judge();
  }

  return {
    push(event, memory = 0) {
      waiting.push(event);
      bytes += memory;
      lastMs = performance.now();
      if (bytes > mostBytes) judge();
      else if (waiting.length - done > mostWaiting) judge(atOnce);
      due ??= setTimeout(look, calmMs);
    },
    settled() {
      flush();
      return feed.settled();
    },
    peek() {
      flush();
      return feed.peek();
    },
    finish() {
      flush();
      return feed.finish();
    },
  };
}
