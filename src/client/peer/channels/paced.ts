/**
 * Requests that wait for their turn: an exchange that looks like any other and begins when its turn has come. Messages
 * without an id (notifications, GET for a stream, DELETE) are repeated here if the server was too busy; requests need
 * another id, so their sender repeats them.
 */
import { isBusy } from '../../../core/model/reports/busy-server.ts';
import type { HttpConnection, HttpExchange, HttpOutcome, HttpRequest } from '../../transport/http/http-exchange.ts';
import type { RequestRate } from '../../load/request-rate.ts';

/** An exchange that may not have begun; `begun` resolves when it has. It is about its last try. */
export interface PacedExchange extends HttpExchange {
  readonly begun?: Promise<void>;
  /** Set while it is being sent once more; resolves when that is through. */
  readonly again?: Promise<unknown>;
}

export interface PacedConnection {
  exchange(request: HttpRequest): PacedExchange;
  close(): Promise<void>;
}

/** The connection with every request in its turn; the same connection without a rate. */
export function paced(connection: HttpConnection, rate: RequestRate | undefined): PacedConnection {
  if (!rate) return connection;
  let closed = false;
  const inTurn = (request: HttpRequest): PacedExchange => {
    const turn = rate.turn();
    return turn === undefined ? connection.exchange(request) : later(turn, () => connection.exchange(request), request);
  };
  return {
    exchange: (request) => (hasNoId(request) ? untilServed(request, inTurn, rate, () => closed) : inTurn(request)),
    close() {
      closed = true;
      return connection.close();
    },
  };
}

/** Nothing is wrong with it, and no response names it. */
function hasNoId({ method, message, deviation, trial }: HttpRequest): boolean {
  if (deviation !== undefined || trial === true) return false;
  if (method !== 'POST') return method === 'GET' || method === 'DELETE';
  return (
    typeof message === 'object' &&
    message !== null &&
    !Array.isArray(message) &&
    !('method' in message && 'id' in message)
  );
}

function untilServed(
  request: HttpRequest,
  send: (request: HttpRequest) => PacedExchange,
  rate: RequestRate,
  isClosed: () => boolean,
): PacedExchange {
  let current = send(request);
  const { begun } = current;
  let again: Promise<HttpOutcome> | undefined;
  let dropped = false;

  async function served(refusals: number): Promise<HttpOutcome> {
    const outcome = await current.response;
    if (!('status' in outcome) || !isBusy(outcome.status)) return outcome;
    rate.refused(outcome.status, String(outcome.headers['retry-after'] ?? ''));
    const { method } = request;
    if (!rate.mayRepeat(refusals)) rate.vain.add(method);
    // A server that is never ready for it is not waited for each time.
    if (dropped || isClosed() || rate.vain.has(method)) return outcome;
    current = send({ ...request, repeats: current.seq });
    again = served(refusals + 1);
    return again;
  }

  const response = served(1);
  return {
    ...(begun === undefined ? {} : { begun }),
    get again() {
      return again;
    },
    get id() {
      return current.id;
    },
    get seq() {
      return current.seq;
    },
    response,
    done: response.then(() => current.done),
    abort(reason, from) {
      dropped = true;
      current.abort(reason, from);
    },
  };
}

function later(turn: Promise<void>, begin: () => HttpExchange, request: HttpRequest): PacedExchange {
  let exchange: HttpExchange | undefined;
  let givenUp: string | undefined;
  const begun = turn.then(() => {
    if (givenUp === undefined) exchange = begin();
  });
  const unsent = (): HttpOutcome => ({ error: givenUp ?? `${request.method} was not sent`, code: 'ABORTED' });
  return {
    begun,
    get id() {
      return exchange?.id ?? '';
    },
    get seq() {
      return exchange?.seq ?? 0;
    },
    response: begun.then(() => exchange?.response ?? unsent()),
    done: begun.then(() => exchange?.done),
    abort(reason = 'given up by the checker', from) {
      if (exchange) exchange.abort(reason, from);
      else givenUp = reason;
    },
  };
}
