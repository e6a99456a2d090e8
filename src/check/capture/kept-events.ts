/**
 * Keeps the events that verdicts cite while a capture is judged, so that it need not be read a second time. Verdicts
 * cite what has just been seen, and the beginning of a conversation; where one cites anything else, or too much, or
 * memory is short, the keeper says so.
 */
import { BoundedMap } from '../../core/model/bounded.ts';
import type { TraceEvent } from '../../core/model/trace.ts';

// Limited to young objects: events that are kept longer grow old, the heap looks full, and the capture would be read
// twice.
const firstEvents = 256;
const lastEvents = 1024;
const mostKept = 20_000;

export interface KeptEvents {
  /** Takes in an event, before it is judged. */
  saw(event: TraceEvent): void;
  /** A verdict cites the event with that seq. */
  cite(seq: number): void;
  /** Memory is short: keeps nothing from now on. */
  letGo(): void;
  /** The events with the seqs, in order; undefined when one of them was not kept. */
  find(seqs: ReadonlySet<number>): TraceEvent[] | undefined;
}

export function createKeptEvents(): KeptEvents {
  let first: TraceEvent[] = [];
  let last: TraceEvent[] = [];
  const kept = new BoundedMap<number, TraceEvent>(mostKept);
  let complete = true;

  /** Seqs count from 1. */
  function recent(seq: number): TraceEvent | undefined {
    if (seq <= firstEvents) return first[seq - 1];
    const event = last[seq % lastEvents];
    return event?.seq === seq ? event : undefined;
  }

  function giveUp(): void {
    complete = false;
    kept.clear();
    first = [];
    last = [];
  }

  return {
    saw(event) {
      if (!complete) return;
      if (event.seq <= firstEvents) first.push(event);
      else last[event.seq % lastEvents] = event;
    },
    cite(seq) {
      if (!complete || kept.has(seq)) return;
      const event = recent(seq);
      if (event !== undefined && !kept.isFull) kept.set(seq, event);
      else giveUp();
    },
    letGo: giveUp,
    find(seqs) {
      const events: TraceEvent[] = [];
      for (const seq of [...seqs].sort((a, b) => a - b)) {
        const event = kept.get(seq) ?? recent(seq);
        if (event === undefined) return undefined;
        events.push(event);
      }
      return events;
    },
  };
}
