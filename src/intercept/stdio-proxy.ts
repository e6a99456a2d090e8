/**
 * Stands between a client and a server that talk over stdio: the client's bytes go to the server and the
 * server's to the client, unchanged and at once, and a copy of each line becomes an event. It must not add a
 * byte to either direction, nor hold one back.
 */
import type { Readable, Writable } from 'node:stream';
import type { EventInput, EventSink } from '../model/trace.ts';
import { createLineSplitter, type LineSplitter } from '../trace/line-splitter.ts';
import { decodeUtf8, linePayload } from '../trace/payload.ts';
import { defaultTransportLimits, type TransportLimits } from '../transport/limits.ts';
import { logRecorder } from '../transport/process/log-lines.ts';
import { startRecorded, type SpawnOptions } from '../transport/process/piped-child.ts';
import { groupAlive, signalGroup, unwatchGroup } from '../transport/process/process-registry.ts';
import { passStderr } from './pass-stderr.ts';
import { within } from '../transport/within.ts';

export interface StdioProxyOptions extends SpawnOptions {
  session: string;
  sink: EventSink;
  /** What the client writes. */
  input: Readable;
  /** What the client reads. */
  output: Writable;
  /** Where the server's stderr goes. */
  errors: Writable;
  limits?: Partial<TransportLimits>;
}

export interface StdioProxyExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StdioProxy {
  /** Resolves when the server has ended, all it wrote has been handed on, and all is recorded. Never rejects. */
  readonly exited: Promise<StdioProxyExit>;
  /** Hands a signal on to the server's process group. */
  signal(signal: NodeJS.Signals): void;
}

type Recorded = Omit<EventInput, 'session'>;

/** Longest wait for the pipes of an ended server, which its children may hold open. */
const drainMs = 500;

/**
 * Starts the server and connects it.
 *
 * @throws McpcError (target) when the command cannot be started
 */
export async function startStdioProxy(options: StdioProxyOptions): Promise<StdioProxy> {
  const { session, sink, input, output, errors } = options;
  const limits = { ...defaultTransportLimits, ...options.limits };
  const record = (event: Recorded): number => sink({ session, ...event });

  const { child, pid } = await startRecorded(options, record);
  let ended = false;
  let stdinOpen = true;

  // The pipes come first, so that bytes are under way before anything is made of them.
  input.pipe(child.stdin);
  child.stdout.pipe(output, { end: false });
  passStderr(child.stderr, errors);

  const fromClient = messageLines('client', record, limits);
  input.on('data', (chunk: Buffer) => fromClient.push(chunk));
  const closeInput = (reason?: string): void => {
    if (!stdinOpen) return;
    stdinOpen = false;
    fromClient.end();
    if (!ended) record({ from: 'client', kind: 'closed', what: 'stdin', ...(reason === undefined ? {} : { reason }) });
  };
  input.once('end', () => closeInput());
  input.once('error', (error: Error) => {
    closeInput(error.message);
    child.stdin.end();
  });
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (!stdinOpen || ended) return;
    stdinOpen = false;
    record({ from: 'server', kind: 'closed', what: 'stdin', reason: error.code ?? error.message });
  });

  const fromServer = messageLines('server', record, limits);
  child.stdout.on('data', (chunk: Buffer) => fromServer.push(chunk));
  const stdoutOver = over(child.stdout).then(() => {
    fromServer.end();
    record({ from: 'server', kind: 'closed', what: 'stdout' });
  });
  // A client that has gone reads nothing any more: the server is told by the end of its stdin, as it would be without us.
  output.on('error', (error: Error) => {
    closeInput(error.message);
    child.stdin.end();
    child.stdout.resume();
  });

  const keep = logRecorder(record, limits);
  const log = createLineSplitter({ maxLineBytes: limits.maxStderrLineBytes, onLine: (line) => keep(line), onOversize: (head) => keep(head) });
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
  const stderrOver = over(child.stderr).then(() => log.end());

  const exited = new Promise<StdioProxyExit>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      // Its last words are still in the pipes and come first, unless somebody holds those open.
      void within(Promise.all([stdoutOver, stderrOver]), drainMs).then(() => {
        closeInput();
        record({ from: 'server', kind: 'exit', exit: { code, signal }, reason: 'by itself' });
        if (groupAlive(pid)) signalGroup(pid, 'SIGTERM');
        else unwatchGroup(pid);
        input.unpipe(child.stdin);
        input.pause();
        child.stdin.destroy();
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, signal });
      });
    });
  });

  return { exited, signal: (signal) => void (ended || signalGroup(pid, signal)) };
}

/** Records each line of one direction as a message, or as what it is. */
function messageLines(from: 'client' | 'server', record: (event: Recorded) => number, limits: TransportLimits): LineSplitter {
  return createLineSplitter({
    maxLineBytes: limits.maxLineBytes,
    onLine: (line, terminated) => {
      const payload = linePayload(line, limits.json);
      record({ from, ...payload, ...(terminated ? {} : { reason: payload.reason ?? 'no newline at end' }) });
    },
    onOversize: (head) => {
      const raw = decodeUtf8(head.subarray(0, 256)).text;
      record({ from, kind: 'limit', raw, reason: `a line is longer than ${limits.maxLineBytes} bytes; it was handed on, but not recorded` });
    },
  });
}

/** The end of a stream, in whatever way. */
function over(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('error', () => {});
    stream.once('end', () => resolve());
    stream.once('close', () => resolve());
  });
}
