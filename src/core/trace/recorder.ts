/**
 * Numbers and stamps the events of one run, keeps them within limits, and hands them on: to listeners at once, to
 * writers as soon as the header is known. It is independent of the meaning of an event.
 */
import { withDefaults } from '../model/defaults.ts';
import { McpcError } from '../model/errors.ts';
import type { EventInput, EventSink, TraceEvent, TraceFooter, TraceHeader } from '../model/trace.ts';
import { createEventStore, type EventStore } from './event-store.ts';
import type { Redactor } from './redaction/redact.ts';
import { sizeOf } from './value-size.ts';

export interface RecorderLimits {
  /** Most events in a trace, the closing `limit` event not counted. */
  maxEvents: number;
  /** Most bytes in a trace, by the estimated size of its events as JSON. */
  maxBytes: number;
}

export const defaultRecorderLimits: RecorderLimits = { maxEvents: 1_000_000, maxBytes: 256 * 1024 * 1024 };

/** Where a trace goes. Calls come in order: header, events, footer. They must not throw. */
export interface TraceWriter {
  header(header: TraceHeader): void;
  event(event: TraceEvent): void;
  footer(footer: TraceFooter): void;
  /** Everything handed over has reached its place. Rejects with what went wrong, if anything did. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Milliseconds on a clock that never goes back; only differences matter. */
  now?: () => number;
  limits?: Partial<RecorderLimits>;
  /** A first listener; see `subscribe`. */
  onEvent?: (event: TraceEvent) => void;
  /** Takes secrets out; what writers, `events` and listeners of redacted events get has passed through it. */
  redactor?: Pick<Redactor, 'event' | 'header'>;
  /** Keep the (redacted) events in `events`, however many there are. */
  keep?: boolean;
  /** Keeps the (redacted) events within bounds; the trace ends where it is full. */
  store?: EventStore;
}

export interface Recorder {
  /** Takes an event and returns its seq; 0 when it was dropped (limit reached, or the trace is finished). */
  readonly sink: EventSink;
  /** The events so far, redacted; stays empty without the option `keep`. */
  readonly events: readonly TraceEvent[];
  /** The last seq given out. */
  readonly count: number;
  /** Events dropped since a limit was reached. */
  readonly dropped: number;
  /** A limit was reached: the trace cannot be complete any more. */
  readonly limited: boolean;
  /** Share of the limits that is used up, from 0 to 1. */
  readonly used: number;
  /** The header, redacted, once it was set. */
  readonly header: TraceHeader | undefined;
  /**
   * Calls the listener with every further event, synchronously and in order, until the returned function is called.
   * Without `redacted` the listener sees the original event (the probe must: it echoes session ids). Judging must use
   * redacted ones, so that a saved trace gives equal verdicts. It also gets the size of the event in memory, in bytes.
   */
  subscribe(listener: (event: TraceEvent, memory: number) => void, options?: { redacted?: boolean }): () => void;
  /** Sets the header, once; writers get nothing before it is known. */
  setHeader(header: TraceHeader): void;
  /**
   * Adds a writer, which gets the whole trace. Without `keep` this has to happen before the header is set or
   * the first event is made: events are let go as soon as no writer waits for them.
   */
  writeTo(writer: TraceWriter): void;
  /** Ends the trace; later events are dropped. Calling it again returns the first footer. `more` goes into the footer. */
  finish(end: { complete: boolean; reason?: string; more?: Record<string, unknown> }): TraceFooter;
}

interface Listener {
  call: (event: TraceEvent, memory: number) => void;
  redacted: boolean;
}

/**
 * Makes the recorder of one trace.
 *
 * At a limit one `limit` event is recorded in place of the event that exceeded it. Further events are counted and
 * dropped; the footer then says so and is never `complete`.
 */
export function createRecorder(options: RecorderOptions = {}): Recorder {
  const now = options.now ?? (() => performance.now());
  const limits = withDefaults(defaultRecorderLimits, options.limits);
  const redactor = options.redactor ?? { event: (event: TraceEvent) => event, header: (value: TraceHeader) => value };
  const began = now();
  const kept: TraceEvent[] = [];
  const listeners = new Set<Listener>();
  const writers: TraceWriter[] = [];
  /** Events that wait for the header. */
  const held = createEventStore();
  let full = false;
  let header: TraceHeader | undefined;
  let footer: TraceFooter | undefined;
  let count = 0;
  let bytes = 0;
  let dropped = 0;
  let limited = false;
  /** Events that happen while listeners are being called wait here, so that all listeners see one order. */
  const due: { event: TraceEvent; clean: TraceEvent; memory: number }[] = [];
  let delivering = false;

  if (options.onEvent) listeners.add({ call: options.onEvent, redacted: false });

  function add(input: EventInput, memory: number): number {
    count += 1;
    const event: TraceEvent = { seq: count, t: Math.round((now() - began) * 1000) / 1000, ...input };
    const clean = redactor.event(event);
    if (options.keep) kept.push(clean);
    if (options.store?.push(clean, memory) === false) full = true;
    // Without a writer they are not awaited.
    if (header !== undefined) for (const writer of writers) writer.event(clean);
    else if ((options.keep || writers.length > 0) && !held.push(clean, memory)) full = true;
    due.push({ event, clean, memory });
    if (!delivering) deliver();
    return event.seq;
  }

  function deliver(): void {
    delivering = true;
    try {
      for (let next = due.shift(); next !== undefined; next = due.shift()) {
        // A listener that is added meanwhile starts with the next event.
        const current = Array.from(listeners);
        for (const listener of current) {
          if (listeners.has(listener)) listener.call(listener.redacted ? next.clean : next.event, next.memory);
        }
      }
    } finally {
      delivering = false;
    }
  }

  function tooMuch(): string | undefined {
    if (count >= limits.maxEvents) return `more than ${limits.maxEvents} events`;
    if (bytes > limits.maxBytes) return `more than ${limits.maxBytes} bytes of events`;
    return full ? 'more than may be kept in memory, even when it is packed' : undefined;
  }

  const sink: EventSink = (input) => {
    if (footer !== undefined || limited) {
      dropped += 1;
      return 0;
    }
    const size = sizeOf(input);
    bytes += size.text;
    const reason = tooMuch();
    if (reason === undefined) return add(input, size.memory);
    limited = true;
    dropped += 1;
    add(
      {
        session: input.session,
        from: 'harness',
        kind: 'limit',
        reason: `the trace holds ${reason}; the rest was not kept`,
      },
      0,
    );
    return 0;
  };

  return {
    sink,
    events: kept,
    get count() {
      return count;
    },
    get dropped() {
      return dropped;
    },
    get limited() {
      return limited;
    },
    get used() {
      return limited ? 1 : Math.max(count / limits.maxEvents, bytes / limits.maxBytes);
    },
    get header() {
      return header;
    },
    subscribe(listener, how = {}) {
      const entry: Listener = { call: listener, redacted: how.redacted === true };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    setHeader(value) {
      if (header !== undefined) throw new McpcError('internal', 'the header of a trace was set twice');
      header = redactor.header(value);
      for (const writer of writers) {
        writer.header(header);
        for (const event of held.all()) writer.event(event);
        if (footer !== undefined) writer.footer(footer);
      }
      held.clear();
    },
    writeTo(writer) {
      if (header !== undefined) {
        if (!options.keep && count > 0)
          throw new McpcError('internal', 'a trace writer was added after events were let go');
        writer.header(header);
        for (const event of kept) writer.event(event);
        if (footer !== undefined) writer.footer(footer);
      }
      writers.push(writer);
    },
    finish(end) {
      if (footer !== undefined) return footer;
      const complete = end.complete && !limited;
      const reason = limited
        ? `a limit was reached; ${dropped} events were not kept${end.reason ? `; ${end.reason}` : ''}`
        : end.reason;
      footer = {
        footer: true,
        events: count,
        complete,
        ...(complete || reason === undefined ? {} : { reason }),
        ...end.more,
      };
      if (dropped > 0) footer['dropped'] = dropped;
      if (header !== undefined) for (const writer of writers) writer.footer(footer);
      return footer;
    },
  };
}
