/**
 * Memory while a large file is judged. V8 lets garbage grow to several times what is alive before it collects, which for
 * a file of some hundred thousand connections or open requests comes to hundreds of megabytes. Collecting earlier costs a
 * tenth of the time, so it begins only where much is alive.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Most files never get there: what is followed of a conversation takes a few megabytes. */
const roomyBytes = 64 * 1024 * 1024;

/** Looks how large the heap is, now and then; once it is large, it grows by a quarter of what is alive at a time. */
export interface HeapWatch {
  /** @returns whether the heap is, or was, large */
  look(): boolean;
}

export function createHeapWatch(): HeapWatch {
  let tight = false;
  return {
    look() {
      if (!tight && getHeapStatistics().used_heap_size >= roomyBytes) {
        tight = true;
        setFlagsFromString('--heap-growing-percent=25');
      }
      return tight;
    },
  };
}
