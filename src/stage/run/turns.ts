/**
 * Brings events of overlapping starts into the order of the starts, as if each had begun at the end of the one before.
 * Judging then sees the same trace with and without overlap.
 */
import type { EventInput, EventSink } from '../../core/model/trace.ts';

export interface Turns {
  /** The place of the next start: its events, and their end. */
  next(): Turn;
}

export interface Turn {
  sink: EventSink;
  /** Nothing more comes of this start. */
  close(): void;
}

interface Lane {
  began: number;
  held: { event: EventInput; at: number }[];
  closed: boolean;
}

/**
 * @param out takes the events in order
 * @param now milliseconds on a clock that never goes back
 */
export function createTurns(out: EventSink, now: () => number): Turns {
  const lanes: Lane[] = [];
  /** Time of the trace at which the first lane begins, and of its newest event. */
  let offset = 0;
  let newest = 0;

  function emit({ began }: Lane, event: EventInput, at: number): number {
    newest = Math.round((offset + at - began) * 1000) / 1000;
    const timed = { ...event, t: newest };
    return out(timed);
  }

  function advance(): void {
    while (lanes[0]?.closed === true) {
      lanes.shift();
      offset = newest;
      const [first] = lanes;
      if (first === undefined) return;
      for (const { event, at } of first.held) emit(first, event, at);
      first.held = [];
    }
  }

  return {
    next() {
      const lane: Lane = { began: now(), held: [], closed: false };
      lanes.push(lane);
      return {
        sink(event) {
          if (lanes[0] === lane) return emit(lane, event, now());
          lane.held.push({ event, at: now() });
          return 0;
        },
        close() {
          lane.closed = true;
          advance();
        },
      };
    },
  };
}
