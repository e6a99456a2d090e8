/**
 * The requests of a check of an authorization server, under the policy for addresses that a target names. All are
 * recorded; the redactor learns what is secret of them before.
 */
import { createSideFetch } from '../../client/peer/beside/side-fetch.ts';
import type { HttpTarget } from '../../client/target/target.ts';
import type { EventSink, HeaderMap } from '../../core/model/trace.ts';
import { asObject } from '../../core/model/json.ts';
import { bodyOf } from '../login/exchanges.ts';

export interface ProbeReply {
  status: number;
  headers: HeaderMap;
  /** The JSON object of the body. */
  content?: Record<string, unknown>;
}

export interface ProbeRequest {
  method: 'GET' | 'POST';
  headers: [string, string][];
  body?: string;
}

export interface ProbeExchanges {
  /** @returns why there is no reply, where there is none */
  send(address: string, request: ProbeRequest): Promise<ProbeReply | { missing: string }>;
  close(): Promise<void>;
}

export interface ProbeWays {
  sink: EventSink;
  /** Of one request, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Name of the connection in the trace. */
const session = 'as';
/** Values that the replies of authorization servers hold and that are secret. */
const secretMembers = [
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'registration_access_token',
] as const;

/** @param learn gets each value that is secret, before it is recorded */
export function createProbeExchanges(
  target: HttpTarget,
  { sink, signal, timeoutMs }: ProbeWays,
  learn: (secret: string) => void,
): ProbeExchanges {
  const bodies = new Map<string, string>();
  const side = createSideFetch(target, session, (event) => {
    const body = event.from === 'server' ? bodyOf(event) : undefined;
    if (event.exchange !== undefined && body !== undefined) {
      bodies.set(event.exchange, body);
      const content = objectIn(body);
      for (const name of secretMembers) if (typeof content?.[name] === 'string') learn(content[name]);
    }
    return sink(event);
  });
  return {
    async send(address, request) {
      if (signal?.aborted === true) return { missing: 'the check was ended' };
      if (!URL.canParse(address)) return { missing: `"${address.slice(0, 200)}" is no address` };
      const url = new URL(address);
      const reach = side.reach(url);
      const refused = typeof reach === 'object' ? reach.refused : await side.refusal(url);
      if (refused !== undefined) return { missing: `mcpc does not ask ${url.origin}: ${refused}` };
      const exchange = side.send(url, { ...request, timeoutMs })!;
      const outcome = await exchange.response;
      await exchange.done;
      if ('error' in outcome) return { missing: outcome.error };
      const content = objectIn(bodies.get(exchange.id));
      bodies.delete(exchange.id);
      return { status: outcome.status, headers: outcome.headers, ...(content === undefined ? {} : { content }) };
    },
    close: () => side.close(),
  };
}

function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
