/** Starts an HTTP server under test, waits until its port takes connections, and stops it with its whole group. */
import { connect } from 'node:net';
import { targetError } from '../../core/model/errors.ts';
import type { EventSink } from '../../core/model/trace.ts';
import type { Target } from '../../client/target/target.ts';
import type { Timing } from '../../client/target/timing.ts';
import { within } from '../../client/transport/within.ts';
import { openStdioProcess, type Exit, type StdioProcess } from '../../client/transport/process/stdio-process.ts';
import type { ServeOptions } from './serve-options.ts';

export interface ServedProcess {
  readonly pid: number;
  /**
   * Starts the server again if its process has ended.
   * @param wasRefused the connection was refused, so wait for the process to exit
   * @returns true if it was started
   * @throws McpcError target when it does not come back, or has ended too often
   */
  revive(wasRefused?: boolean): Promise<boolean>;
  /**
   * Asks the process to end (SIGTERM), and ends it when it does not in time; `revive` starts it again without counting that.
   * @param ms how long it may take
   */
  shutDown(ms: number): Promise<Exit>;
  stop(): Promise<void>;
}

/** Name of the session that the process's own events carry. */
const session = 'serve';

const mostRevivals = 3;
/** A process that takes no connections any more has ended, or will within so many milliseconds. */
const endingMs = 1_000;

/** @throws McpcError target when the process ends, or its port takes no connection in time */
export async function startServed(
  serve: ServeOptions,
  target: Target,
  sink: EventSink,
  timing: Timing,
  signal?: AbortSignal,
): Promise<ServedProcess> {
  let current = await startOnce(serve, target, sink, timing, signal);
  let stopped = false;
  let revivals = 0;
  /** It was asked to end. */
  let asked = false;
  let reviving: Promise<boolean> | undefined;
  /** A live process that accepts no connections is waited for once. */
  let waitedFor: Started | undefined;

  async function reviveNow(wasRefused: boolean): Promise<boolean> {
    if (wasRefused && waitedFor !== current) {
      waitedFor = current;
      await within(current.child.exited, endingMs);
    }
    if (stopped || !current.gone()) return false;
    if (asked) {
      asked = false;
      current = await startOnce(serve, target, sink, timing, signal);
      return false;
    }
    revivals += 1;
    if (revivals > mostRevivals)
      throw targetError(`The server ended by itself ${revivals} times.`, 'Run the command by hand to see why.');
    current = await startOnce(serve, target, sink, timing, signal);
    return true;
  }

  return {
    get pid() {
      return current.child.pid;
    },
    revive: (wasRefused = false) => (reviving ??= reviveNow(wasRefused).finally(() => (reviving = undefined))),
    async shutDown(ms) {
      asked = true;
      const { child } = current;
      await child.close(ms, 0);
      return child.exited;
    },
    stop() {
      stopped = true;
      return current.child.close(timing.lateMs, 0);
    },
  };
}

interface Started {
  child: StdioProcess;
  /** The process has ended. */
  gone(): boolean;
}

async function startOnce(
  serve: ServeOptions,
  target: Target,
  sink: EventSink,
  timing: Timing,
  signal?: AbortSignal,
): Promise<Started> {
  const child = await openStdioProcess({
    command: serve.command,
    args: serve.args,
    cwd: serve.cwd,
    env: serve.env,
    session,
    sink,
    stdout: 'log',
  });
  const place = placeOf(target, serve.port);
  const until = performance.now() + timing.startMs;
  let gone = false;
  void child.exited.then(() => {
    gone = true;
  });
  while (!(await takesConnections(place))) {
    if (gone)
      throw targetError(
        `The server command ended before it listened on ${shown(place)}.`,
        'Run the command by hand to see why.',
      );
    if (signal?.aborted || performance.now() > until) {
      await child.close(timing.lateMs, 0);
      throw targetError(
        `The server did not listen on ${shown(place)} within ${timing.startMs} ms.`,
        'Does the command take its port from {{port}}? A slow one needs a longer --start-timeout.',
      );
    }
  }
  return { child, gone: () => gone };
}

/** Where the server is expected to take connections. */
function placeOf(target: Target, port: number): { host: string; port: number } | { path: string } {
  if (target.kind !== 'stdio' && target.unixSocket !== undefined) return { path: target.unixSocket };
  return { host: target.kind === 'stdio' ? '127.0.0.1' : new URL(target.url).hostname.replace(/^\[|\]$/g, ''), port };
}

function shown(place: ReturnType<typeof placeOf>): string {
  return 'path' in place ? `the Unix socket ${place.path}` : `port ${place.port}`;
}

/** One attempt; a refused one is retried by the caller after a short breath. */
function takesConnections(place: ReturnType<typeof placeOf>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const end = (answer: boolean): void => {
      socket.destroy();
      if (answer) resolve(true);
      else setTimeout(() => resolve(false), 25);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
