/** Clients whose server ended while they waited for it: they start it again, or go away. */
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';
import { stdioConnections } from '../../src/core/facts/state/stdio-connections.ts';
import { endsByItself } from '../../src/core/facts/values/client-end.ts';
import { BoundedMap } from '../../src/core/model/bounded.ts';

interface Connection {
  requests: number;
  /** Methods of requests without an answer. */
  waiting: Map<unknown, string>;
  /** Methods that were answered, each with the requests that had been sent by its first answer. */
  answered: Map<string, number>;
  crash?: { waiting: string[]; restarted: boolean; left: boolean; events: number[] };
}

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
  const connections = stdioConnections<Connection>(() => ({
    requests: 0,
    waiting: new BoundedMap(mostMethods),
    answered: new BoundedMap(mostMethods),
  }));
  const open = (): NonNullable<Connection['crash']>[] =>
    [...connections.values()].flatMap(({ crash }) => (crash === undefined || crash.left ? [] : [crash]));

  return {
    trace(event) {
      const isOwn = endsByItself(event);
      if (isOwn === undefined) return undefined;
      for (const crash of open()) {
        crash.left = true;
        // Once mcpc has ended the client nothing shows what it would have done.
        if (isOwn) crash.events.push(event.seq);
        else crash.waiting = crash.restarted ? crash.waiting : [];
      }
      return undefined;
    },
    event({ event, session }) {
      const connection = connections.of(session);
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
      const connection = from === 'client' ? connections.of(session) : undefined;
      if (connection === undefined || typeof method !== 'string') return undefined;
      connection.requests += 1;
      connection.waiting.set(id, method);
      return undefined;
    },
    answered({ from, id, method, outcome, session }) {
      const connection = from === 'client' ? connections.of(session) : undefined;
      // A request of a process that has ended is over as well.
      if (connection === undefined || (outcome !== 'result' && outcome !== 'error')) return undefined;
      connection.waiting.delete(id);
      if (typeof method === 'string' && !connection.answered.has(method))
        connection.answered.set(method, connection.requests);
      return undefined;
    },
    sessionOver(session) {
      const crash = connections.find(session)?.crash;
      if (crash === undefined) return undefined;
      const { events, left, restarted, waiting } = crash;
      const others = [...connections.values()].flatMap(({ answered, crash: own, requests }) => {
        const sent = own === undefined ? answered.get(waiting[0] ?? '') : undefined;
        return sent === undefined ? [] : [{ isFollowed: requests > sent }];
      });
      const followed = others.filter(({ isFollowed }) => isFollowed).length;
      return {
        facts: { crash: { waiting, restarted, left, followed, stopped: others.length - followed } },
        events,
        cites: { crash: events },
      };
    },
  };
}
