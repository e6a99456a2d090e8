/**
 * Requests whose replies ended in order and without a response when the server ended their session, as it may at any
 * time. Rules do not judge them; but of a method that was never answered, whatever the session, nothing is known.
 */
import { BoundedSet } from '../../model/bounded.ts';
import { append } from '../../model/lists.ts';
import type { Exchange, Request } from './open-requests.ts';

export interface EndedWithSession {
  answered(method: string): void;
  /** The reply to an exchange is over. */
  over(exchange: Exchange): void;
  /** An exchange got its status, which shows if the session exists. */
  status(exchange: Exchange, status: number): void;
  /** Seqs of such requests, by methods without any answer. */
  seqs(): number[];
}

const keptMethods = 1000;
/** Of one method. */
const keptSeqs = 10;
/** Of one connection. */
const keptCut = 100;

export function createEndedWithSession(): EndedWithSession {
  const methods = new BoundedSet<string>(keptMethods);
  const ended = new Map<string, number[]>();

  function note({ method = '', seq }: Request): void {
    const seqs = ended.get(method) ?? [];
    if (seqs.length < keptSeqs && (seqs.length > 0 || ended.size < keptMethods)) ended.set(method, [...seqs, seq]);
  }

  return {
    answered(method) {
      methods.add(method);
    },
    over({ connection, requests, inSession, method }) {
      if (!inSession || method !== 'POST') return;
      const left = requests.filter(
        (request) => request.bare === undefined && connection.open.get(request.key) === request,
      );
      append(connection.cutShort, left.slice(0, keptCut - connection.cutShort.length));
    },
    status({ connection, inSession, method }, status) {
      if (!inSession || connection.cutShort.length === 0) return;
      if (status === 404) connection.cutShort.forEach(note);
      // DELETE may be granted for what is not there.
      else if (status >= 300 || method === 'DELETE') return;
      connection.cutShort = [];
    },
    seqs: () => [...ended].filter(([method]) => !methods.has(method)).flatMap(([, seqs]) => seqs),
  };
}
