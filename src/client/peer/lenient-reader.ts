/**
 * Reads what a server on stdio writes in another form than one message a line: over several lines, in frames, behind
 * the words of a log, without a newline. It only applies to a server that otherwise leaves the handshake unanswered. It
 * marks such messages in the trace (`readAs`), and accepts only responses to waiting requests. What stdout should have
 * held is for rules to say.
 */
import { BoundedSet } from '../../core/model/bounded.ts';
import type { EventSink, ReadAs, TraceEvent } from '../../core/model/trace.ts';
import { createEmbeddedJson } from '../transport/process/embedded-json.ts';

type Json = Record<string, unknown>;

export interface LenientReaderOptions {
  session: string;
  sink: EventSink;
  /** Records the text after the last newline of stdout, if it is a whole message; returns true then. */
  readUnfinished(): boolean;
  /** Milliseconds for the answer in its proper form, once one was seen in another. */
  graceMs: number;
  /** Of all connections of a run: once one had to be read so, the others are from their beginning. */
  known: { needed: boolean };
}

export interface LenientReader {
  observe(event: TraceEvent): void;
  /** stdout holds something behind its last newline. */
  unfinished(): void;
  close(): void;
}

/** Characters of a message that is pieced together. */
const longest = 1 << 20;
/** Requests that are remembered to wait. */
const keptOpen = 1000;

export function createLenientReader({
  session,
  sink,
  readUnfinished,
  graceMs,
  known,
}: LenientReaderOptions): LenientReader {
  const embedded = createEmbeddedJson(longest);
  /** Ids of requests of the client that wait. */
  const open = new BoundedSet<unknown>(keptOpen);
  let greeted = false;
  let active = known.needed;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  /** Seen in another form, and not taken yet. */
  let seen: { message: Json; raw: string; readAs: ReadAs }[] = [];

  function noteClient(message: unknown): void {
    const { id, method } = (message ?? {}) as Json;
    if (method !== undefined && id !== undefined) open.add(id);
  }

  function noteServer(event: TraceEvent): void {
    embedded.reset();
    const { id, method } = (event.message ?? {}) as Json;
    if (method !== undefined || !open.delete(id)) return;
    // A server with correct answers is read as usual.
    if (event.readAs === undefined && !active) greeted = true;
  }

  function look(text: string): void {
    for (const { text: raw, lines } of embedded.push(text)) {
      const message = responseOf(raw);
      if (message !== undefined && open.has(message.id))
        seen.push({ message, raw, readAs: lines > 1 ? 'lines' : 'part' });
    }
    if (seen.length > 0) due();
  }

  /** At once for a server that is known to need it, else when the proper form had its time. */
  function due(): void {
    if (active) return takeAll();
    timer ??= setTimeout(begin, graceMs);
  }

  function begin(): void {
    timer = undefined;
    if (closed || greeted || open.size === 0) return;
    const unfinished = readUnfinished();
    if (!unfinished && seen.length === 0) return;
    active = true;
    if (!known.needed)
      sink({
        session,
        from: 'harness',
        kind: 'assumed',
        reason: 'what the server writes on stdout is no message a line, and was read as messages all the same',
      });
    known.needed = true;
    takeAll();
  }

  function takeAll(): void {
    const messages = seen;
    seen = [];
    for (const { message, raw, readAs } of messages)
      if (open.has(message.id)) sink({ session, from: 'server', kind: 'message', message, raw, readAs });
  }

  return {
    observe(event) {
      if (greeted || closed) return;
      if (event.kind === 'message' && event.from === 'client') noteClient(event.message);
      else if (event.kind === 'message' && event.from === 'server') noteServer(event);
      else if (event.kind === 'unparsable' && event.from === 'server') look(event.raw ?? '');
    },
    unfinished() {
      if (greeted || closed) return;
      if (active) readUnfinished();
      else due();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function responseOf(text: string): Json | undefined {
  if (!text.includes('"jsonrpc"')) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return 'jsonrpc' in value && ('result' in value || 'error' in value) && !('method' in value) ? value : undefined;
  } catch {
    return undefined;
  }
}
