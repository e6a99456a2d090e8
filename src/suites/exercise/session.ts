/** The server under audit or fuzzing: one connection that is opened again where it was lost, and what it needs around it. */
import { copyFixture, placesIn, removeLeftovers } from '../run/connect/fixture.ts';
import type { Connection } from '../run/connect/connection.ts';
import { createLiveServer, type LiveServerOptions } from '../run/connect/live-server.ts';
import { redactorOf } from '../../check/run-redactor.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { permissionOf, type Consent } from '../../client/offers/choose-tools.ts';
import { createRunFolder } from '../../client/schedule/run-folder.ts';
import { createEventStore, type EventStore } from '../../core/trace/event-store.ts';
import type { Redactor } from '../../core/trace/redaction/redact.ts';
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
  /** The latest recording of a connection without a successor. */
  eventsOf(connection: Connection): readonly TraceEvent[];
  /** Ends all connections without a call of `onEnded`, and calls it. */
  endAll(): Promise<void>;
  /** Ends processes, removes folders. */
  close(): Promise<void>;
}

export interface KeepOptions {
  /** Number of the latest events kept for each connection. */
  last?: number;
  /** Called for an ended connection, with all of its events. */
  onEnded?(connection: Connection, events: Iterable<TraceEvent>): Promise<void>;
  /** Limit of the recording of each connection. */
  limits?: { maxEvents: number; maxBytes: number };
}

/** A connection with a full recording is replaced by a new one: it would receive nothing any more. */
const fullShare = 0.5;

export async function openSession(
  options: ExerciseOptions & Pick<LiveServerOptions, 'era'>,
  { last = 0, onEnded, limits }: KeepOptions,
): Promise<ExerciseSession> {
  const redactor = redactorOf(options);
  if (options.fixture !== undefined) removeLeftovers();
  const copy = options.fixture === undefined ? undefined : await copyFixture(options.fixture);
  const folder = createRunFolder();
  const events = new Map<Connection, TraceEvent[]>();
  const stores = new Map<Connection, EventStore>();
  const server = createLiveServer({
    ...options,
    target: startedTarget(options.target, copy?.path),
    redactor,
    ...(limits === undefined ? {} : { limits }),
    onEvent(event, connection) {
      if (onEnded !== undefined) {
        if (!stores.has(connection)) stores.set(connection, createEventStore());
        stores.get(connection)!.push(event);
      }
      if (last === 0) return;
      if (!events.has(connection)) events.set(connection, []);
      const list = events.get(connection)!;
      list.push(event);
      if (list.length > last) list.shift();
    },
  });
  let current: Connection | undefined;

  /** Ends connections and lets go of what was recorded of them. */
  async function end(all: readonly Connection[]): Promise<void> {
    await Promise.all(all.map((one) => one.close()));
    for (const connection of all) {
      const store = stores.get(connection);
      stores.delete(connection);
      events.delete(connection);
      if (store !== undefined) await onEnded?.(connection, store.all());
    }
  }

  async function fresh(): Promise<Connection> {
    const before = current;
    current = undefined;
    if (before !== undefined) await end([before]);
    current = await server.open();
    return current;
  }

  return {
    redactor,
    consent: { permission: permissionOf(options), places: copy === undefined ? folder : placesIn(copy.path) },
    fixture: copy?.path,
    connection: async () =>
      current?.opened?.peer.alive === true && current.recorder.used < fullShare ? current : fresh(),
    fresh,
    eventsOf: (connection) => events.get(connection) ?? [],
    endAll: () => end([...stores.keys()]),
    async close() {
      await server.closeAll();
      folder.remove();
      await copy?.remove();
    },
  };
}
