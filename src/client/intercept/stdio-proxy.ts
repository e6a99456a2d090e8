/**
 * A stdio proxy between a client and a server. It forwards bytes in both directions unchanged and at once, and reports
 * copies. It must not add a byte to either direction, nor hold one back, nor look into any, except
 * for the calls that call-gate.ts keeps from the server.
 */
import type { Readable, Writable } from 'node:stream';
import type { EventInput } from '../../core/model/trace.ts';
import { startRecorded, type SpawnOptions } from '../transport/process/piped-child.ts';
import { groupAlive, signalGroup, unwatchGroup } from '../transport/process/process-registry.ts';
import { createCallGate, type Against } from './call-gate.ts';
import { passStderr } from './pass-stderr.ts';
import type { TapSink } from './taps.ts';
import { within } from '../transport/within.ts';

export interface StdioProxyOptions extends SpawnOptions {
  session: string;
  tell: TapSink;
  /** Output of the client. */
  input: Readable;
  /** Input of the client. */
  output: Writable;
  /** Where the server's stderr goes. */
  errors: Writable;
  /** Why a message of the client must not reach the server: it is answered here. Both directions then pass line by line. */
  against?: Against | undefined;
}

export interface StdioProxyExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StdioProxy {
  /** Resolves when the server has ended, and its output is forwarded and reported. Never rejects. */
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
  const { session, tell, input, output, errors } = options;
  const record = (event: Recorded): void => tell({ tap: 'event', event: { session, ...event } });

  const { child, pid } = await startRecorded(options, record);
  let ended = false;
  let stdinOpen = true;

  // The pipes come first, so that bytes are under way before anything is made of them.
  const gate = options.against === undefined ? undefined : createCallGate(options.against);
  const said = gate === undefined ? input : input.pipe(gate.inward);
  said.pipe(child.stdin);
  (gate === undefined ? child.stdout : child.stdout.pipe(gate.outward)).pipe(output, { end: false });
  passStderr(child.stderr, errors);

  said.on('data', (chunk: Buffer) => tell({ tap: 'stdio', of: 'client', chunk }));
  const closeInput = (reason?: string): void => {
    if (!stdinOpen) return;
    stdinOpen = false;
    tell({ tap: 'stdio-end', of: 'client' });
    if (!ended) record({ from: 'client', kind: 'closed', what: 'stdin', reason });
  };
  said.once('end', () => closeInput());
  input.once('error', (error: Error) => {
    closeInput(error.message);
    child.stdin.end();
  });
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (!stdinOpen || ended) return;
    stdinOpen = false;
    record({ from: 'server', kind: 'closed', what: 'stdin', reason: error.code ?? error.message });
  });

  child.stdout.on('data', (chunk: Buffer) => tell({ tap: 'stdio', of: 'server', chunk }));
  const stdoutOver = over(child.stdout).then(() => {
    tell({ tap: 'stdio-end', of: 'server' });
    record({ from: 'server', kind: 'closed', what: 'stdout' });
  });
  // A client that has gone reads nothing any more: the server's stdin ends, as it would without the proxy.
  output.on('error', (error: Error) => {
    closeInput(error.message);
    child.stdin.end();
    child.stdout.resume();
  });

  child.stderr.on('data', (chunk: Buffer) => tell({ tap: 'stdio', of: 'stderr', chunk }));
  const stderrOver = over(child.stderr).then(() => tell({ tap: 'stdio-end', of: 'stderr' }));

  const exited = new Promise<StdioProxyExit>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      // The remaining output in the pipes comes first, unless another process holds those open.
      void within(Promise.all([stdoutOver, stderrOver]), drainMs).then(() => {
        closeInput();
        record({ from: 'server', kind: 'exit', exit: { code, signal }, reason: 'by itself' });
        if (groupAlive(pid)) signalGroup(pid, 'SIGTERM');
        else unwatchGroup(pid);
        input.unpipe();
        said.unpipe();
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

/** The end of a stream, in whatever way. */
function over(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('error', () => {});
    stream.once('end', () => resolve());
    stream.once('close', () => resolve());
  });
}
