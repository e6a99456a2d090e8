/** The server under audit or fuzzing: one connection that is opened again where it was lost, and what it needs around it. */
import { copyFixture, placesIn, removeLeftovers } from '../app/suite/connect/fixture.ts';
import type { Connection } from '../app/suite/connect/connection.ts';
import { createLiveServer, type LiveServerOptions } from '../app/suite/connect/live-server.ts';
import { redactorOf } from '../app/run-redactor.ts';
import type { TraceEvent } from '../model/trace.ts';
import { permissionOf, type Consent } from '../probe/choose-tools.ts';
import { createRunFolder } from '../probe/run-folder.ts';
import type { Redactor } from '../trace/redaction/redact.ts';
import { startedTarget, type ExerciseOptions } from './options.ts';

export interface ExerciseSession {
  redactor: Redactor;
  consent: Consent;
  /** Copy of the files that the server was given. */
  fixture: string | undefined;
  /** A connection that works: the last one, or a new one where that was lost. @throws McpcError target */
  connection(): Promise<Connection>;
  /** A new connection; the last one is ended. @throws McpcError target */
  fresh(): Promise<Connection>;
  /** What was recorded last of a connection. */
  eventsOf(connection: Connection): readonly TraceEvent[];
  /** All connections so far. */
  connections(): Connection[];
  /** Ends processes, removes folders. */
  close(): Promise<void>;
}

/** @param keep how many events of each connection are kept, the last ones, for judging or telling them */
export async function openSession(options: ExerciseOptions & Pick<LiveServerOptions, 'era'>, keep: number, limits?: { maxEvents: number; maxBytes: number }): Promise<ExerciseSession> {
  const redactor = redactorOf(options);
  if (options.fixture !== undefined) removeLeftovers();
  const copy = options.fixture === undefined ? undefined : await copyFixture(options.fixture);
  const folder = createRunFolder();
  const events = new Map<Connection, TraceEvent[]>();
  const server = createLiveServer({
    ...options,
    target: startedTarget(options.target, copy?.path),
    redactor,
    ...(limits === undefined ? {} : { limits }),
    onEvent(event, connection) {
      const list = events.get(connection);
      if (list === undefined) events.set(connection, [event]);
      else list.push(event);
      if (list !== undefined && list.length > keep) list.shift();
    },
  });
  let current: Connection | undefined;

  async function fresh(): Promise<Connection> {
    await current?.close();
    if (current !== undefined && keep < Number.POSITIVE_INFINITY) events.delete(current);
    current = undefined;
    current = await server.open();
    return current;
  }

  return {
    redactor,
    consent: { permission: permissionOf(options), places: copy === undefined ? folder : placesIn(copy.path) },
    fixture: copy?.path,
    connection: async () => (current?.opened?.peer.alive === true ? current : fresh()),
    fresh,
    eventsOf: (connection) => events.get(connection) ?? [],
    connections: () => [...events.keys()],
    async close() {
      await server.closeAll();
      folder.remove();
      await copy?.remove();
    },
  };
}
