/**
 * A puppet that speaks HTTP+SSE (2024-11-05): each GET of /sse is a connection, whose first event says where to
 * post. It answers what the script leaves open as a faultless server would.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '../json.ts';
import { offersOf } from '../plain/offers.ts';
import { createExchange, type Exchange } from '../script/exchange.ts';
import { createPlayer, type Player, type Wire } from '../script/player.ts';
import { bodyOf, connectionHeader, headerOf, isForeign, jsonBody, listen, requestIds } from './http-listener.ts';
import type { HttpPuppet, HttpPuppetOptions } from './http-puppet.ts';

interface SseConnection {
  player: Player;
  stream: Exchange;
  /** The POST that is being taken in; it is accepted before anything is said on the stream. */
  posted?: Exchange;
}

export async function startSsePuppet({ script, partOf, host }: HttpPuppetOptions): Promise<HttpPuppet> {
  const offers = offersOf(script);
  const claims = new Set<number>();
  const connections = new Map<string, SseConnection>();

  function connect(request: IncomingMessage, response: ServerResponse): void {
    const name = headerOf(request, connectionHeader);
    const part = name !== undefined && partOf ? partOf(name) : connections.size === 0 ? 'first' : 'further';
    const key = String(connections.size + 1);
    const stream = createExchange('GET', [], response);
    const claim = (section: number): boolean => !claims.has(section) && Boolean(claims.add(section));
    const connection = { stream } as SseConnection;
    connection.player = createPlayer({ script, offers, part, claim, wire: wireOf(connection), connection: {} });
    connections.set(key, connection);
    const { player } = connection;
    response.on('close', () => {
      if (!response.writableFinished) player.take({ kind: 'drop', exchange: stream });
    });
    // The script may have the opening of the stream in it; else it goes as it should.
    const taken = player.take({ kind: 'http', http: { method: 'GET', headers: request.headers, exchange: stream } });
    if (!taken.scripted) {
      stream.stream({});
      stream.event({ event: 'endpoint', data: Buffer.from(`/messages?connection=${key}`) });
    }
    player.begin();
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://puppet');
    if (url.pathname === '/sse' && request.method === 'GET') {
      if (isForeign(request)) createExchange('GET', [], response).reply(403, {});
      else connect(request, response);
      return;
    }
    const known = connections.get(url.searchParams.get('connection') ?? '');
    // A scripted endpoint cannot name the connection; the client then has just one.
    const connection = known ?? (url.pathname.startsWith('/messages') ? [...connections.values()].at(-1) : undefined);
    if (!connection || request.method !== 'POST') {
      createExchange(request.method ?? '', [], response).reply(connection || url.pathname === '/sse' ? 405 : 404, {});
      return;
    }
    await post(connection, request, response);
  }

  async function post(connection: SseConnection, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { player, stream } = connection;
    const text = await bodyOf(request);
    const message = parseJson(text);
    const exchange = createExchange('POST', requestIds(message), response);
    connection.posted = exchange;
    const http = { method: 'POST', headers: request.headers, exchange };
    const taken = player.take(message === undefined ? { kind: 'raw', text, http } : { kind: 'message', message, http });
    if (taken.scripted) exchange.reply(202, {});
    else if (isForeign(request)) exchange.reply(403, {});
    else if (message === undefined) {
      const { headers, body } = jsonBody(player.plain.unreadable().message);
      exchange.reply(400, headers, body);
    } else {
      exchange.reply(202, {});
      const reply = player.plain.answer(message);
      if (reply) stream.event({ data: Buffer.from(JSON.stringify(reply.message)) });
    }
    player.settled();
  }

  const listening = await listen(route, host);
  return { url: `${listening.origin}/sse`, port: listening.port, close: listening.close };
}

/** Everything but the reply to a POST travels on the stream. */
function wireOf(connection: SseConnection): Wire {
  const stream = (): Exchange => {
    connection.posted?.reply(202, {});
    return connection.stream;
  };
  return {
    message(bytes) {
      stream().event({ data: bytes });
      return true;
    },
    raw: (text) => stream().event({ data: Buffer.from(text) }),
    target: (act, own) => (act === 'server-status' ? own : stream()),
    close: () => connection.stream.destroy(),
    exit: () => connection.stream.destroy(),
  };
}
