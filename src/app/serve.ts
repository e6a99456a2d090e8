/** Starts an HTTP server under test, waits until its port takes connections, and stops it with its whole group. */
import { connect } from 'node:net';
import { targetError } from '../model/errors.ts';
import type { EventSink } from '../model/trace.ts';
import type { Target } from '../probe/target.ts';
import type { Timing } from '../probe/timing.ts';
import { openStdioProcess } from '../transport/stdio-process.ts';
import type { ServeOptions } from './check-options.ts';

export interface ServedProcess {
  pid: number;
  stop(): Promise<void>;
}

/** Name of the session that the process's own events carry. */
const session = 'serve';

/** @throws McpcError target when the process ends, or its port takes no connection in time */
export async function startServed(serve: ServeOptions, target: Target, sink: EventSink, timing: Timing, signal?: AbortSignal): Promise<ServedProcess> {
  const child = await openStdioProcess({
    command: serve.command,
    args: serve.args,
    ...(serve.cwd === undefined ? {} : { cwd: serve.cwd }),
    ...(serve.env === undefined ? {} : { env: serve.env }),
    session,
    sink,
    stdout: 'log',
  });
  const host = target.kind === 'stdio' ? '127.0.0.1' : new URL(target.url).hostname.replace(/^\[|\]$/g, '');
  const until = performance.now() + timing.startMs;
  let gone = false;
  void child.exited.then(() => {
    gone = true;
  });
  while (!(await takesConnections(host, serve.port))) {
    if (gone) throw targetError(`The server command ended before it listened on port ${serve.port}.`, 'Run the command by hand to see why; its output is shown with --verbose.');
    if (signal?.aborted || performance.now() > until) {
      await child.close(timing.lateMs);
      throw targetError(`The server did not listen on port ${serve.port} within ${timing.startMs} ms.`, 'Does the command take its port from {{port}}? A slow one needs a longer --start-timeout.');
    }
  }
  return { pid: child.pid, stop: () => child.close(timing.lateMs) };
}

/** One attempt; a refused one is retried by the caller after a short breath. */
function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answer: boolean): void => {
      socket.destroy();
      if (answer) resolve(true);
      else setTimeout(() => resolve(false), 25);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
