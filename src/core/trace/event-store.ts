/**
 * Keeps the events of a run in memory, whatever they become there: the newest as they are, older ones packed. Most runs
 * are short and nothing of them is ever packed. It must not change an event.
 */
import { withDefaults } from '../model/defaults.ts';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { TraceEvent } from '../model/trace.ts';
import { exactNumbers } from './exact-numbers.ts';
import { sizeOf } from './value-size.ts';

export interface EventStoreLimits {
  /** Bytes of memory, roughly, that events may take as they are. */
  maxLooseBytes: number;
  /** Bytes of packed events. */
  maxPackedBytes: number;
}

export interface EventStore {
  /**
   * Takes an event; seqs go up. False once the store is full: the caller should stop.
   * @param memory size of the event in memory, if known
   */
  push(event: TraceEvent, memory?: number): boolean;
  /** The events with these seqs, in order. */
  find(seqs: ReadonlySet<number>): TraceEvent[];
  /** All events in order; the store must not change meanwhile. */
  all(): IterableIterator<TraceEvent>;
  clear(): void;
}

interface Block {
  first: number;
  last: number;
  bytes: Buffer;
}

const MiB = 1024 * 1024;

const defaultEventStoreLimits: EventStoreLimits = { maxLooseBytes: 48 * MiB, maxPackedBytes: 48 * MiB };

/** Text that is packed at a time: what looking for one event has to unpack. */
const blockLength = MiB;

export function createEventStore(given: Partial<EventStoreLimits> = {}): EventStore {
  const limits = withDefaults(defaultEventStoreLimits, given);
  let blocks: Block[] = [];
  let packedBytes = 0;
  let loose: TraceEvent[] = [];
  /** Size of each. */
  let sizes: number[] = [];
  let looseBytes = 0;

  /** Packs the older half of what is loose. */
  function pack(): void {
    const keep = limits.maxLooseBytes / 2;
    let at = 0;
    while (looseBytes > keep && at < loose.length) {
      const lines: string[] = [];
      const first = loose[at]!.seq;
      for (let length = 0; length < blockLength && looseBytes > keep && at < loose.length; at += 1) {
        const line = JSON.stringify(loose[at]);
        lines.push(line);
        length += line.length;
        looseBytes -= sizes[at]!;
      }
      const bytes = deflateRawSync(lines.join('\n'), { level: 1 });
      blocks.push({ first, last: loose[at - 1]!.seq, bytes });
      packedBytes += bytes.length;
    }
    loose = loose.slice(at);
    sizes = sizes.slice(at);
  }

  return {
    push(event, memory = sizeOf(event).memory) {
      loose.push(event);
      sizes.push(memory);
      looseBytes += memory;
      if (looseBytes > limits.maxLooseBytes) pack();
      return packedBytes <= limits.maxPackedBytes;
    },
    find(seqs) {
      const found: TraceEvent[] = [];
      const wanted = [...seqs].sort((a, b) => a - b);
      let at = 0;
      for (const { first, last, bytes } of blocks) {
        while (at < wanted.length && wanted[at]! < first) at += 1;
        if (at >= wanted.length || wanted[at]! > last) continue;
        for (const event of unpacked(bytes)) if (seqs.has(event.seq)) found.push(event);
      }
      for (const event of loose) if (seqs.has(event.seq)) found.push(event);
      return found;
    },
    *all() {
      for (const { bytes } of blocks) yield* unpacked(bytes);
      yield* loose;
    },
    clear() {
      blocks = [];
      loose = [];
      sizes = [];
      packedBytes = 0;
      looseBytes = 0;
    },
  };
}

function* unpacked(bytes: Buffer): Generator<TraceEvent> {
  for (const line of inflateRawSync(bytes).toString().split('\n')) yield exactNumbers(JSON.parse(line) as TraceEvent);
}
