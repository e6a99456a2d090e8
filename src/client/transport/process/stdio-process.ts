/**
 * A server as a child process: bytes in and out of its pipes, reported as events. It is independent of MCP methods, and
 * makes no decision: deadlines are the caller's.
 */
import { withDefaults } from '../../../core/model/defaults.ts';
import type { Readable } from 'node:stream';
import { marksOf, type EventInput, type EventSink, type Marks } from '../../../core/model/trace.ts';
import { endsWhole } from './embedded-json.ts';
import { createLineSplitter, type Line } from '../../../core/trace/line-splitter.ts';
import { decodeUtf8, linePayload, textPayload, type Payload } from '../../../core/trace/payload.ts';
import { defaultTransportLimits, type TransportLimits } from '../limits.ts';
import { budgetOf, heldReason } from '../read-budget.ts';
import { within } from '../within.ts';
import { logRecorder } from './log-lines.ts';
import { startInMemory, type RunningServer, type ServeInMemory } from './memory-server.ts';
import { startContainer } from './container-process.ts';
import { startRecorded, type SpawnOptions } from './piped-child.ts';
import { groupAlive, signalGroup, unwatchGroup } from './process-registry.ts';

export interface StdioOptions extends SpawnOptions {
  session: string;
  sink: EventSink;
  limits?: Partial<TransportLimits>;
  /**
   * Meaning of stdout. `protocol` (the default): one JSON-RPC message a line. `log`: free text, as of a server that
   * speaks HTTP; its lines become `stderr` events with `what: 'stdout'`.
   */
  stdout?: 'protocol' | 'log';
  /** Called when stdout holds text after its last newline, each time that more arrived. */
  onUnfinished?: () => void;
  /** A server inside this process, on pipes in memory, in place of the command; the trace names the command all the same. */
  serve?: ServeInMemory;
}

export interface SendMeta extends Marks {
  /** The parsed message, where the caller knows better than a parse of the text. */
  message?: unknown;
}

export interface Sent {
  /** Seq of the event of the (first) message; 0 when nothing was sent, since stdin was closed. */
  seq: number;
  /** Resolves when the pipe took the bytes: true, or false when it was closed before. Never rejects. */
  written: Promise<boolean>;
}

export interface Exit {
  code: number | null;
  signal: string | null;
}

export interface StdioProcess {
  /** The id of the process; 0 of a server inside this one. */
  readonly pid: number;
  /** Sends one line; the LF is added. Await `written` before sending much more (the pipe may be full). */
  sendText(line: string, meta?: SendMeta): Sent;
  /**
   * Sends bytes as they are, each chunk in a write of its own. Every line in them becomes an event, with the
   * framing given; what follows the last LF too, with the reason "no newline at end".
   */
  sendBytes(
    chunks: readonly (Buffer | string)[],
    meta?: SendMeta & { framing?: 'joined' | 'split' },
  ): Sent & { seqs: number[] };
  /** Records the text after the last newline of stdout, if it is whole messages; returns true then. */
  readUnfinished(): boolean;
  /** Ends stdin after all that was sent. */
  closeStdin(): void;
  /** Resolves when the process has ended and its `exit` event is recorded. Never rejects. */
  readonly exited: Promise<Exit>;
  /**
   * Ends the process and its whole group: stdin is closed, after `stdinMs` milliseconds SIGTERM follows, and after
   * `graceMs` more SIGKILL. To a server on other channels the end of stdin means nothing: 0 sends SIGTERM at once.
   * Resolves when all is over; calling it again gives the same promise. `stdinMs` is as long as `graceMs` by default.
   */
  close(graceMs: number, stdinMs?: number): Promise<void>;
}

/** Longest wait for the pipe of an ended process, which others may hold open, before it is let go. */
const drainMs = 250;
const pollMs = 10;
const lineFeed = 0x0a;
/** Longest wait for the effect of SIGKILL. */
const killMs = 2000;

/**
 * Starts a process in a group of its own.
 *
 * @throws McpcError (target) when the command cannot be started; a `closed` event then gives the reason.
 */
export async function openStdioProcess(options: StdioOptions): Promise<StdioProcess> {
  const { session, sink } = options;
  const limits = withDefaults(defaultTransportLimits, options.limits);
  const record = (event: Omit<EventInput, 'session'>): number => sink({ session, ...event });

  const { child, pid, group } = options.serve
    ? startInMemory(options, options.serve, record)
    : await startProcess(options, record);

  let stdinOpen = true;
  let stoppedBy: string | undefined;
  let ended = false;
  let letGo = false;
  let cut: string | undefined;

  // stdout
  const budget = budgetOf(sink);
  const holding = budget.share();
  const log = options.stdout === 'log';
  const onStderr = logRecorder(record, limits);
  const stdout = createLineSplitter({ maxLineBytes: limits.maxLineBytes, mayHold: holding.hold });
  const takeStdout = (lines: Iterable<Line>): void => {
    for (const { bytes, end } of lines) {
      if (end === 'too-long' || end === 'not-held') {
        const raw = decodeUtf8(bytes.subarray(0, 256)).text;
        const reason =
          end === 'too-long' ? `a line on stdout is longer than ${limits.maxLineBytes} bytes` : heldReason(budget);
        record({ from: 'server', kind: 'limit', raw, reason: `${reason}; it was skipped` });
      } else if (log) onStderr(bytes, 'stdout');
      // Our signal may have hit the process within a write: half a line is then no fault of the server.
      else if (end === 'none' && stoppedBy !== undefined) cut = decodeUtf8(bytes.subarray(0, 256)).text;
      else {
        const payload = linePayload(bytes, limits.json);
        record({
          from: 'server',
          ...payload,
          ...(end === 'newline' ? {} : { reason: payload.reason ?? 'no newline at end' }),
        });
      }
    }
  };
  const onStdout = (chunk: Buffer): void => {
    takeStdout(stdout.push(chunk));
    if (chunk.at(-1) !== lineFeed) options.onUnfinished?.();
  };
  const stdoutEnded = streamEnd(child.stdout, onStdout).then(() => {
    takeStdout(stdout.end());
    const rest = cut === undefined ? {} : { raw: cut };
    if (letGo)
      record({
        from: 'harness',
        kind: 'closed',
        what: 'stdout',
        reason: 'held open after the end of the process',
        ...rest,
      });
    else record({ from: 'server', kind: 'closed', what: 'stdout', ...rest });
  });

  // stderr
  const stderr = createLineSplitter({ maxLineBytes: limits.maxStderrLineBytes });
  const takeStderr = (lines: Iterable<Line>): void => {
    for (const { bytes } of lines) onStderr(bytes);
  };
  const stderrEnded = streamEnd(child.stderr, (chunk) => takeStderr(stderr.push(chunk))).then(() =>
    takeStderr(stderr.end()),
  );

  // stdin
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (!stdinOpen) return;
    stdinOpen = false;
    if (!ended) record({ from: 'server', kind: 'closed', what: 'stdin', reason: error.code ?? error.message });
  });
  let sending: Promise<unknown> | undefined;

  function write(chunk: Buffer | string): Promise<boolean> {
    if (child.stdin.destroyed || child.stdin.writableEnded) return Promise.resolve(false);
    return new Promise((resolve) => {
      child.stdin.write(chunk, (error) => resolve(!error));
    });
  }

  /** Writes chunks one by one; whatever is sent meanwhile waits, so that bytes of messages never mix. */
  function enqueue(chunks: readonly (Buffer | string)[]): Promise<boolean> {
    const [only] = chunks;
    if (sending === undefined && chunks.length === 1 && only !== undefined) return write(only);
    const all = (async () => {
      await sending;
      for (const chunk of chunks) {
        if (!(await write(chunk))) return false;
        // Without a turn of the event loop the stream would join the next write to this one.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return true;
    })();
    sending = all;
    void all.then(() => {
      if (sending === all) sending = undefined;
    });
    return all;
  }

  function closeStdin(reason?: string): void {
    if (!stdinOpen) return;
    stdinOpen = false;
    record({ from: 'client', kind: 'closed', what: 'stdin', ...(reason === undefined ? {} : { reason }) });
    if (sending === undefined) child.stdin.end();
    else void sending.then(() => child.stdin.end());
  }

  // exit
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      stdinOpen = false;
      const result: Exit = { code, signal };
      // Its last output is still in the pipe and comes first, unless others hold the pipe open.
      void within(Promise.all([stdoutEnded, stderrEnded]), drainMs).then(() => {
        if (!group.alive()) void group.release();
        record({
          from: stoppedBy === undefined ? 'server' : 'harness',
          kind: 'exit',
          exit: result,
          // Signals can cross: the effective one counts, if the system reports it.
          reason: stoppedBy === undefined ? 'by itself' : `stopped by the checker (${signal ?? stoppedBy})`,
        });
        resolve(result);
      });
    });
  });

  /** Signals the group until nothing of it runs, or the time is over. */
  async function endGroup(signal: NodeJS.Signals, waitMs: number): Promise<void> {
    if (!ended) stoppedBy = signal;
    if (!group.signal(signal)) return;
    const deadline = performance.now() + waitMs;
    if (!ended) await within(new Promise<void>((resolve) => child.once('exit', () => resolve())), waitMs);
    // Nothing announces the end of a grandchild, so it has to be looked for.
    while (group.alive() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }

  async function end(graceMs: number, stdinMs: number): Promise<void> {
    closeStdin();
    if (stdinMs > 0) await within(exited, stdinMs);
    if (!ended || group.alive()) await endGroup('SIGTERM', graceMs);
    if (!ended || group.alive()) await endGroup('SIGKILL', killMs);
    // Something that even SIGKILL does not end (stuck in the kernel) must not hang the run.
    await within(exited, killMs);
    await group.release();
    child.stdin.destroy();
    await within(Promise.all([stdoutEnded, stderrEnded]), drainMs);
    letGo = true;
    child.stdout.destroy();
    child.stderr.destroy();
    await Promise.all([stdoutEnded, stderrEnded]);
  }
  let closing: Promise<void> | undefined;

  return {
    pid,
    exited,
    closeStdin: () => closeStdin(),
    readUnfinished() {
      const bytes = stdout.takeUnfinished(endsWhole);
      const payload = bytes && linePayload(bytes, limits.json);
      if (payload)
        record({
          from: 'server',
          ...payload,
          ...(payload.kind === 'message' ? { readAs: 'unfinished' } : {}),
          reason: payload.reason ?? 'no newline came behind it',
        });
      return bytes !== undefined;
    },
    sendText(line, meta = {}) {
      if (!stdinOpen) return { seq: 0, written: Promise.resolve(false) };
      // While the server reads it is recorded: nothing that comes back is taken in before this turn of the event loop ends.
      const written = enqueue([`${line}\n`]);
      return { seq: record({ from: 'client', ...sentPayload(textPayload(line, limits.json), meta) }), written };
    },
    sendBytes(chunks, meta = {}) {
      if (!stdinOpen) return { seq: 0, seqs: [], written: Promise.resolve(false) };
      const seqs: number[] = [];
      const framing = meta.framing === undefined ? {} : { framing: meta.framing };
      const takeSent = (lines: Iterable<Line>): void => {
        for (const { bytes, end } of lines) {
          const payload = sentPayload(linePayload(bytes, limits.json), meta);
          seqs.push(
            record({
              from: 'client',
              ...payload,
              ...framing,
              ...(end === 'newline' ? {} : { reason: 'no newline at end' }),
            }),
          );
        }
      };
      const sent = createLineSplitter({ maxLineBytes: Number.MAX_SAFE_INTEGER });
      for (const chunk of chunks) takeSent(sent.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
      takeSent(sent.end());
      return { seq: seqs[0] ?? 0, seqs, written: enqueue(chunks) };
    },
    close(graceMs, stdinMs = graceMs) {
      closing ??= end(graceMs, stdinMs);
      return closing;
    },
  };
}

async function startProcess(
  options: SpawnOptions,
  record: Parameters<typeof startRecorded>[1],
): Promise<RunningServer> {
  if (options.container === true) return startContainer(options, record);
  const { child, pid } = await startRecorded(options, record);
  return {
    child,
    pid,
    group: {
      alive: () => groupAlive(pid),
      signal: (signal) => signalGroup(pid, signal),
      release: () => unwatchGroup(pid),
    },
  };
}

function sentPayload(payload: Payload, meta: SendMeta): Payload & Marks {
  return {
    ...payload,
    ...(meta.message !== undefined && payload.kind === 'message' ? { message: meta.message } : {}),
    ...marksOf(meta),
  };
}

/** Reads a stream to its end, or to its failure, which for a pipe is the same thing. */
function streamEnd(stream: Readable, onData: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      // A flood would otherwise be read on and on, and no deadline would ever be noticed.
      stream.pause();
      onData(chunk);
      setImmediate(() => stream.resume());
    });
    stream.on('error', () => {});
    stream.once('close', () => resolve());
    stream.once('end', () => resolve());
  });
}
