/** Clients whose server ended while they waited for it: they start it again, or go away. */
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';

interface Connection {
  /** Methods of requests without an answer. */
  waiting: Map<unknown, string>;
  /** Methods that were answered, each with the requests that were sent behind the answer. */
  answered: Map<string, number>;
  crash?: { waiting: string[]; restarted: boolean; left: boolean; events: number[] };
}

const mostConnections = 2_000;
const mostMethods = 100;

const sessionFacts: Definitions<SessionState> = {
  crash: {
    says: 'stdio: the process ended with another code than 0, unasked. waiting (methods of open requests), restarted (the client started another process before its own end), left (the client ended). Of other connections where the first of these methods was answered: followed and stopped (how many had further requests, or none).',
    rests: ['bytes', 'start', 'order'],
  },
};

export const feature: Feature = {
  name: 'crashes-of-servers',
  after: ['session'],
  facts: { session: sessionFacts },
  create: createCrashes,
};

function createCrashes(): Hooks {
  const connections = new Map<SessionState, Connection>();
  const of = (session: SessionState): Connection | undefined => {
    const found = connections.get(session);
    if (found !== undefined || session.transport !== 'stdio' || connections.size >= mostConnections) return found;
    const made: Connection = { waiting: new Map(), answered: new Map() };
    connections.set(session, made);
    return made;
  };
  const open = (): NonNullable<Connection['crash']>[] =>
    [...connections.values()].flatMap(({ crash }) => (crash === undefined || crash.left ? [] : [crash]));

  return {
    trace(event) {
      if (event.kind !== 'exit' || event.from !== 'client') return undefined;
      for (const crash of open()) {
        crash.left = true;
        // Once mcpc has ended the client nothing shows what it would have done.
        if ((event.reason ?? 'by itself') === 'by itself') crash.events.push(event.seq);
        else crash.waiting = crash.restarted ? crash.waiting : [];
      }
      return undefined;
    },
    event({ event, session }) {
      const connection = of(session);
      if (event.kind === 'spawn') {
        for (const crash of open()) {
          if (!crash.restarted) crash.events.push(event.seq);
          crash.restarted = true;
        }
        return undefined;
      }
      const isCrash = event.kind === 'exit' && event.from === 'server' && !session.stdinClosed;
      if (connection === undefined || !isCrash || typeof event.exit?.code !== 'number' || event.exit.code === 0)
        return undefined;
      const waiting = [...connection.waiting.values()];
      connection.crash = { waiting, restarted: false, left: false, events: [event.seq] };
      return undefined;
    },
    request({ from, id, method, session }) {
      const connection = from === 'client' ? of(session) : undefined;
      if (connection === undefined || typeof method !== 'string') return undefined;
      for (const [name, count] of connection.answered) connection.answered.set(name, count + 1);
      if (connection.waiting.size < mostMethods) connection.waiting.set(id, method);
      return undefined;
    },
    answered({ from, id, method, outcome, session }) {
      const connection = from === 'client' ? of(session) : undefined;
      // A request of a process that has ended is over as well.
      if (connection === undefined || (outcome !== 'result' && outcome !== 'error')) return undefined;
      connection.waiting.delete(id);
      if (typeof method === 'string' && !connection.answered.has(method) && connection.answered.size < mostMethods)
        connection.answered.set(method, 0);
      return undefined;
    },
    sessionOver(session) {
      const crash = connections.get(session)?.crash;
      if (crash === undefined) return undefined;
      const { events, left, restarted, waiting } = crash;
      const counts = [...connections.values()]
        .map(({ answered, crash: own }) => (own === undefined ? answered.get(waiting[0] ?? '') : undefined))
        .filter((count) => count !== undefined);
      const followed = counts.filter((count) => count > 0).length;
      return {
        facts: { crash: { waiting, restarted, left, followed, stopped: counts.length - followed } },
        events,
        cites: { crash: events },
      };
    },
  };
}
