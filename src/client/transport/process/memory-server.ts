/**
 * A server inside this process that uses pipes in memory like a child process: it reads stdin, writes stdout and
 * stderr, and ends with a code or by a signal. It costs no process; whatever depends on a real one (its group, its
 * signals, how the system cuts what it writes) has to be tested with one.
 */
import { EventEmitter } from 'node:events';
import { Transform } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import type { EventInput } from '../../../core/model/trace.ts';
import type { SpawnOptions } from './piped-child.ts';

/** Inputs of a server inside this process. */
export interface ServerPipes {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** Ends the server at once, as the end of a process does: what it wrote still arrives, later writes do not. */
  exit(code: number | null, signal?: NodeJS.Signals | null): void;
}

/** Starts a server on the pipes. The function that it may return is called for SIGTERM, which otherwise ends the server. */
export type ServeInMemory = (pipes: ServerPipes) => (() => void) | void;

/** A server that runs: its pipes, and its process group. */
export interface RunningServer {
  child: {
    readonly stdin: Writable;
    readonly stdout: Readable;
    readonly stderr: Readable;
    once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
  };
  /** 0 where there is no process. */
  pid: number;
  group: {
    /** Something of it still runs. */
    alive(): boolean;
    /** False when nothing is left to be signalled. */
    signal(signal: NodeJS.Signals): boolean;
    /** It is over, and need not be watched any more; resolves when nothing of it is left. */
    release(): void | Promise<void>;
  };
}

/** Starts the server, and reports it as its command. */
export function startInMemory(
  named: SpawnOptions,
  serve: ServeInMemory,
  record: (event: Omit<EventInput, 'session'>) => void,
): RunningServer {
  const { command, args = [] } = named;
  record({ from: 'harness', kind: 'spawn', detail: { command, args: [...args] } });
  const [stdin, stdout, stderr] = [pipe(), pipe(), pipe()];
  const ends = new EventEmitter();
  let alive = true;

  function exit(code: number | null, signal: NodeJS.Signals | null = null): void {
    if (!alive) return;
    alive = false;
    stdin.destroy();
    stdout.end();
    stderr.end();
    // Listeners get the end of a process only after the function that ended it returns.
    setImmediate(() => ends.emit('exit', code, signal));
  }

  const terminate = serve({ stdin, stdout, stderr, exit });
  return {
    child: { stdin, stdout, stderr, once: (event, listener) => ends.once(event, listener) },
    pid: 0,
    group: {
      alive: () => alive,
      signal(signal) {
        if (!alive) return false;
        if (signal === 'SIGTERM' && terminate) terminate();
        else exit(null, signal);
        return true;
      },
      release: () => {},
    },
  };
}

/**
 * Output of one turn of the event loop arrives in one piece in a later turn, as with a pipe of the system; never while
 * it is being written.
 */
function pipe(): Transform {
  let held: Buffer[] = [];
  let ended: (() => void) | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held.length === 0) {
        setImmediate(() => {
          if (!this.destroyed) this.push(Buffer.concat(held));
          held = [];
          ended?.();
        });
      }
      held.push(chunk);
      done();
    },
    flush(done) {
      if (held.length === 0) done();
      else ended = done;
    },
  });
}
