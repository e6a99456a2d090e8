/** Clients that go on, or give up, where their server has written to stderr. */
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { stdioConnections } from '../../src/core/facts/state/stdio-connections.ts';
import { endsByItself } from '../../src/core/facts/values/client-end.ts';
import { openers } from '../../src/core/facts/values/openers.ts';

interface Connection {
  lines: number;
  requests: number;
  left: boolean;
  events: number[];
}

const mostEvents = 10;

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
  const connections = stdioConnections<Connection>(() => ({ lines: 0, requests: 0, left: false, events: [] }));
  const note = (connection: Connection, seq: number): void => {
    if (connection.events.length < mostEvents) connection.events.push(seq);
  };

  return {
    trace(event) {
      const left = endsByItself(event);
      if (left === undefined) return undefined;
      for (const connection of connections.values()) {
        if (connection.left) continue;
        connection.left = left;
        note(connection, event.seq);
      }
      return undefined;
    },
    event({ event, session }) {
      const connection = event.kind === 'stderr' && event.from === 'server' ? connections.of(session) : undefined;
      if (connection === undefined) return undefined;
      connection.lines += 1;
      note(connection, event.seq);
      return undefined;
    },
    request({ from, method, seq, session }) {
      const connection = from === 'client' ? connections.of(session) : undefined;
      if (connection === undefined || openers.has(method)) return undefined;
      connection.requests += 1;
      if (connection.requests === 1) note(connection, seq);
      return undefined;
    },
    sessionOver(session) {
      const connection = connections.find(session);
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
