/** What the transport tests share: a sink that keeps events and lets a test await one. */
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { EventSink, TraceEvent } from '../../src/core/model/trace.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';

export interface Tape {
  sink: EventSink;
  events: readonly TraceEvent[];
  /** The first event (past or future) that fits. */
  until(fits: (event: TraceEvent) => boolean): Promise<TraceEvent>;
  of(kind: TraceEvent['kind']): TraceEvent[];
}

export function tape(): Tape {
  const recorder = createRecorder({ keep: true });
  return {
    sink: recorder.sink,
    events: recorder.events,
    until(fits) {
      const known = recorder.events.find(fits);
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => {
        const stop = recorder.subscribe((event) => {
          if (!fits(event)) return;
          stop();
          resolve(event);
        });
      });
    },
    of: (kind) => recorder.events.filter((event) => event.kind === kind),
  };
}

/** An HTTP server on a free port of the loopback, for the length of a callback. */
export async function withServer(
  listener: RequestListener,
  run: (url: string, server: Server) => Promise<void>,
): Promise<void> {
  await withListening(createServer(listener), (port, server) => run(`http://127.0.0.1:${port}/mcp`, server as Server));
}

export async function withListening<S extends import('node:net').Server>(
  server: S,
  run: (port: number, server: S) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await run((server.address() as AddressInfo).port, server);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}
