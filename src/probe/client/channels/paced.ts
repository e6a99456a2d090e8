/** Requests that wait for their turn: an exchange that looks like any other and begins when its turn has come. */
import type { HttpConnection, HttpExchange, HttpOutcome, HttpRequest } from '../../../transport/http/http-exchange.ts';
import type { RequestRate } from '../../request-rate.ts';

/** An exchange that may not have begun; `begun` resolves when it has. */
export interface PacedExchange extends HttpExchange {
  readonly begun?: Promise<void>;
}

export interface PacedConnection {
  exchange(request: HttpRequest): PacedExchange;
  close(): Promise<void>;
}

/** The connection with every request in its turn; the same connection without a rate. */
export function paced(connection: HttpConnection, rate: RequestRate | undefined): PacedConnection {
  if (!rate) return connection;
  return {
    exchange(request) {
      const turn = rate.turn();
      return turn === undefined ? connection.exchange(request) : later(turn, () => connection.exchange(request), request);
    },
    close: () => connection.close(),
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
