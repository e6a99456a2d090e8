/**
 * Memory while a large file is judged. V8 lets garbage grow to several times what is alive before it collects, which for
 * a file of some hundred thousand connections or open requests comes to hundreds of megabytes. Collecting earlier costs a
 * fifth of the time, so it begins only where much is alive: garbage that waits for its collection is no reason. Before, the
 * heap may double.
 */
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * Most files stay below it: the state of a conversation takes a few megabytes, in addition to about twenty of mcpc
 * itself.
 */
const roomyBytes = 32 * 1024 * 1024;

/** Looks how much is alive after each collection of the whole heap; once it is much, the heap grows by a quarter of that at a time. */
export interface HeapWatch {
  /** True if much is, or was, alive. */
  readonly tight: boolean;
  end(): void;
}

/** Entries of a PerformanceObserver for `gc`. */
interface CollectionEntry extends PerformanceEntry {
  detail?: { kind?: number };
}

export function createHeapWatch(): HeapWatch {
  // Objects created while the first requests wait seem long-lived, so V8 would promote all later ones at once. They and
  // their events would only go with a collection of the whole heap.
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--heap-growing-percent=100');
  let tight = false;
  const observer = new PerformanceObserver((list) => {
    const whole = list
      .getEntries()
      .some((entry) => (entry as CollectionEntry).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (!whole || tight || getHeapStatistics().used_heap_size < roomyBytes) return;
    tight = true;
    setFlagsFromString('--heap-growing-percent=25');
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    get tight() {
      return tight;
    },
    end: () => observer.disconnect(),
  };
}
