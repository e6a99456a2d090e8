/**
 * The requests of a login: to the target and its authorization server, under the policy for addresses that a target
 * names. Those for metadata are recorded; those that carry or bring secrets are written nowhere.
 */
import { createSideFetch, type SideFetch } from '../../client/peer/beside/side-fetch.ts';
import type { HttpTarget } from '../../client/target/target.ts';
import { targetError } from '../../core/model/errors.ts';
import { asObject } from '../../core/model/json.ts';
import type { EventSink, HeaderMap, TraceEvent } from '../../core/model/trace.ts';

export interface LoginReply {
  status: number;
  headers: HeaderMap;
  /** Text of the body, as far as it was read. */
  body: string;
}

export interface LoginRequest {
  method: 'GET' | 'POST';
  headers: [string, string][];
  body?: string;
}

export interface LoginExchanges {
  /** Asks for a document and records it. @returns undefined for anything but a JSON object with status 200 */
  document(address: string): Promise<Record<string, unknown> | undefined>;
  /** Asks without recording. @throws McpcError target for an address that may not be asked, and where no reply comes */
  ask(address: string, request: LoginRequest): Promise<LoginReply>;
  close(): Promise<void>;
}

const session = 'login';

/** @param timeoutMs of one request */
export function createLoginExchanges(target: HttpTarget, sink: EventSink, timeoutMs: number): LoginExchanges {
  const recorded = createReader(target, sink);
  let unnumbered = 0;
  const quiet = createReader(target, () => (unnumbered += 1));
  return {
    async document(address) {
      if (!URL.canParse(address)) return undefined;
      const reply = await recorded
        .send(new URL(address), { method: 'GET', headers: [['Accept', 'application/json']] }, timeoutMs)
        .catch(() => undefined);
      return reply?.status === 200 ? objectIn(reply.body) : undefined;
    },
    ask(address, request) {
      if (!URL.canParse(address)) throw targetError(`"${address.slice(0, 200)}" is no address.`);
      return quiet.send(new URL(address), request, timeoutMs);
    },
    close: async () => void (await Promise.all([recorded.close(), quiet.close()])),
  };
}

interface Reader {
  send(address: URL, request: LoginRequest, timeoutMs: number): Promise<LoginReply>;
  close(): Promise<void>;
}

/** Reads the bodies of replies out of the events that tell of them. */
function createReader(target: HttpTarget, sink: EventSink): Reader {
  const bodies = new Map<string, string>();
  const side: SideFetch = createSideFetch(target, session, (event) => {
    const body = event.from === 'server' ? bodyOf(event) : undefined;
    if (event.exchange !== undefined && body !== undefined) bodies.set(event.exchange, body);
    return sink(event);
  });
  return {
    async send(address, request, timeoutMs) {
      const shown = `${address.origin}${address.pathname}`;
      const reach = side.reach(address);
      const refused = typeof reach === 'object' ? reach.refused : await side.refusal(address);
      if (refused !== undefined)
        throw targetError(
          `The login needs ${shown}, which mcpc does not ask: ${refused}.`,
          `If that is your authorization server, allow it with --auth-server ${address.origin}.`,
        );
      const exchange = side.send(address, { ...request, timeoutMs })!;
      const outcome = await exchange.response;
      await exchange.done;
      if ('error' in outcome) throw targetError(`The login got no reply from ${shown}: ${outcome.error}.`);
      return { status: outcome.status, headers: outcome.headers, body: bodies.get(exchange.id) ?? '' };
    },
    close: () => side.close(),
  };
}

/** The text of a body, from the event that shows it. */
export function bodyOf({ http, kind, message, raw }: Omit<TraceEvent, 'seq' | 't'>): string | undefined {
  if (kind === 'message') return raw ?? JSON.stringify(message);
  return kind === 'unparsable' ? raw : http?.body;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The first value of a header. */
export function headerOf(headers: HeaderMap, name: string): string | undefined {
  return [headers[name]].flat()[0];
}
