/** Answers the requests that a server sends on one connection, up to a number, few at a time, and counts them. */
import pLimit from 'p-limit';
import type { TraceEvent } from '../../../core/model/trace.ts';
import type { Answerer, ClientAnswer } from './client-answers.ts';

type Json = Record<string, unknown>;

export interface ServerRequests {
  /** Requests so far, answered or not. */
  readonly asked: number;
  observe(event: TraceEvent): void;
}

export interface ServerRequestOptions {
  answerer: Answerer;
  /** Capabilities that the client declared. */
  declared(): Json;
  /** Sends the answer to a request with these parameters; resolves when the server has taken it. */
  send(message: Json, params: Json | undefined, deviation: ClientAnswer['deviation']): Promise<void>;
}

/** Over HTTP each answer takes a socket: a server that asks a thousand times at once need not take a thousand at once. */
const mostAtOnce = 50;

export function createServerRequests({ answerer, declared, send }: ServerRequestOptions): ServerRequests {
  const inTurn = pLimit(mostAtOnce);
  let asked = 0;

  function answer(one: unknown): void {
    if (typeof one !== 'object' || one === null || !('method' in one) || !('id' in one) || one.id === null) return;
    const { id } = one;
    const params = (one as Json).params as Json | undefined;
    asked += 1;
    // Each answer may cost an HTTP request; a server that never stops asking gets no more of them.
    if (!answerer.mayAnswer()) return;
    void answerer
      .respond(one.method, params, declared())
      .then(({ reply, deviation }) => inTurn(() => send({ jsonrpc: '2.0', id, ...reply }, params, deviation)));
  }

  return {
    get asked() {
      return asked;
    },
    observe({ kind, from, message }) {
      if (kind !== 'message' || from !== 'server') return;
      for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) answer(one);
    },
  };
}
