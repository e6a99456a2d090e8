/** Clients that go on, or give up, where their server has written to stderr. */
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';

interface Connection {
  lines: number;
  requests: number;
  left: boolean;
  events: number[];
}

const mostConnections = 2_000;
const mostEvents = 10;
/** Requests by which a client only begins. */
const openers: ReadonlySet<unknown> = new Set(['initialize', 'server/discover', 'ping']);

const sessionFacts: Definitions<SessionState> = {
  noise: {
    says: 'stdio: lines (that the server wrote to stderr), requests (of the client behind the handshake), left (the client ended by itself). Of connections without such lines, active and idle: how many had such requests, or none.',
    rests: ['bytes', 'start'],
  },
};

export const feature: Feature = {
  name: 'noise',
  after: ['session'],
  facts: { session: sessionFacts },
  create: createNoise,
};

function createNoise(): Hooks {
  const connections = new Map<SessionState, Connection>();
  const of = (session: SessionState): Connection | undefined => {
    const found = connections.get(session);
    if (found !== undefined || session.transport !== 'stdio' || connections.size >= mostConnections) return found;
    const made: Connection = { lines: 0, requests: 0, left: false, events: [] };
    connections.set(session, made);
    return made;
  };
  const note = (connection: Connection, seq: number): void => {
    if (connection.events.length < mostEvents) connection.events.push(seq);
  };

  return {
    trace(event) {
      if (event.kind !== 'exit' || event.from !== 'client') return undefined;
      for (const connection of connections.values()) {
        if (connection.left) continue;
        connection.left = (event.reason ?? 'by itself') === 'by itself';
        note(connection, event.seq);
      }
      return undefined;
    },
    event({ event, session }) {
      const connection = event.kind === 'stderr' && event.from === 'server' ? of(session) : undefined;
      if (connection === undefined) return undefined;
      connection.lines += 1;
      note(connection, event.seq);
      return undefined;
    },
    request({ from, method, seq, session }) {
      const connection = from === 'client' ? of(session) : undefined;
      if (connection === undefined || openers.has(method)) return undefined;
      connection.requests += 1;
      if (connection.requests === 1) note(connection, seq);
      return undefined;
    },
    sessionOver(session) {
      const connection = connections.get(session);
      if (connection === undefined || connection.lines === 0) return undefined;
      const quiet = [...connections.values()].filter(({ lines }) => lines === 0);
      const active = quiet.filter(({ requests }) => requests > 0);
      const { lines, requests, left, events } = connection;
      const cited = [...events, ...active.slice(0, 2).flatMap((one) => one.events.slice(0, 1))];
      return {
        facts: { noise: { lines, requests, left, active: active.length, idle: quiet.length - active.length } },
        events: cited,
        cites: { noise: cited },
      };
    },
  };
}
