/** Metadata documents of clients, as the authorization server asked for them and got them. */
import { asObject, type JsonObject } from '../../../model/json.ts';
import type { TraceEvent } from '../../../model/trace.ts';
import { header } from '../../values/header.ts';
import { textsOf } from '../grants/requests.ts';

/** One request of an authorization server for a document of a client. */
interface Serving {
  address: string;
  seq: number;
  status?: number;
  content?: JsonObject;
  /** For how long it may be kept, in milliseconds, and since when. */
  maxAgeMs: number;
  at: number;
  events: number[];
}

export interface ServedDocuments {
  /** Takes an event that belongs to such a request; false for any other. */
  take(event: TraceEvent): boolean;
  /** Addresses of redirects in the document; undefined where it was not given. */
  redirectsOf(address: string): string[] | undefined;
  stateOf(address: string): string;
  /** Requests for it between two events. */
  between(address: string, from: number, to: number): readonly Serving[];
  /** A request for it before an event, whose reply may still be kept at that time. */
  keptAt(address: string, seq: number, at: number): Serving | undefined;
}

const mostServings = 1000;

export function createServedDocuments(): ServedDocuments {
  const all: Serving[] = [];
  const open = new Map<string, Serving>();
  const of = (address: string): Serving[] => all.filter((one) => one.address === address);

  return {
    take(event) {
      const { exchange, http, kind } = event;
      if (exchange === undefined) return false;
      if (kind === 'http-request' && event.from === 'server') {
        const address = `${http?.origin ?? ''}${http?.path ?? '/'}`;
        const made: Serving = { address, seq: event.seq, at: event.t, maxAgeMs: 0, events: [event.seq] };
        open.set(exchange, made);
        if (all.length < mostServings) all.push(made);
        return true;
      }
      const serving = open.get(exchange);
      if (serving === undefined) return false;
      serving.events.push(event.seq);
      if (kind === 'http-response') {
        serving.status = http?.status ?? 0;
        const age = /\bmax-age=(\d{1,9})\b/.exec(header(http?.headers, 'cache-control') ?? '')?.[1];
        serving.maxAgeMs = age === undefined ? 0 : Number(age) * 1000;
        if ((http?.bodyBytes ?? 0) === 0 || http?.body !== undefined) open.delete(exchange);
        return true;
      }
      const content = kind === 'message' ? asObject(event.message) : undefined;
      if (content !== undefined) serving.content = content;
      open.delete(exchange);
      return true;
    },
    redirectsOf(address) {
      const content = of(address).findLast((one) => one.content !== undefined)?.content;
      return content && textsOf(content.redirect_uris);
    },
    stateOf(address) {
      const last = of(address).findLast(({ status }) => status === 200);
      if (last === undefined) return 'unfetched';
      const { content } = last;
      if (content === undefined) return 'unreadable';
      const whole = typeof content.client_id === 'string' && typeof content.client_name === 'string';
      if (!whole || textsOf(content.redirect_uris).length === 0) return 'incomplete';
      return content.client_id === address ? 'good' : 'other-id';
    },
    between: (address, from, to) => of(address).filter(({ seq }) => seq > from && seq < to),
    keptAt: (address, seq, at) =>
      of(address).find((one) => one.seq < seq && one.status === 200 && at < one.at + one.maxAgeMs),
  };
}
