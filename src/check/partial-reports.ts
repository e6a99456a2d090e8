/** Makes the report of a check that is under way, now and then, so that something is known should it have to be ended. */
import type { RunReport } from '../core/model/reports/run-report.ts';

/** Milliseconds between two reports at least; short checks need none. */
const restMs = 1_000;
/** The next report waits so many times what the last one took: a fiftieth of the work at most. */
const costs = 50;

/** @returns a function that ends it */
export function startPartials(make: () => Promise<RunReport>, tell: (report: RunReport) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let over = false;

  function next(ms: number): void {
    if (over) return;
    timer = setTimeout(() => void once(), ms);
    timer.unref();
  }

  async function once(): Promise<void> {
    const began = performance.now();
    try {
      const report = await make();
      if (!over) tell(report);
    } catch {
      // Faults are reported at the end of the check, where the same is done.
      return;
    }
    next(Math.max(restMs, (performance.now() - began) * costs));
  }

  next(restMs);
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
