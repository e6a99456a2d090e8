/**
 * A puppet that speaks Streamable HTTP at /mcp. It finds out which connection a request belongs to, lets the
 * player have it, and answers what the script leaves open as a faultless server would.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { oddlySpelled } from '../../../core/model/request-headers.ts';
import { headerPairs } from '../../../client/transport/network/http-headers.ts';
import { isRecord, parseJson } from '../json.ts';
import { offersOf } from '../plain/offers.ts';
import type { PlainReply } from '../plain/plain-server.ts';
import { createExchange, type Exchange } from '../script/exchange.ts';
import { createPlayer, type Connection, type OutgoingMessage, type Player, type Wire } from '../script/player.ts';
import type { Part } from '../script/reading.ts';
import type { Script } from '../script.ts';
import { bodyOf, connectionHeader, headerOf, isForeign, jsonBody, listen, requestIds } from './http-listener.ts';
import { refusalOf, type HttpRefusal } from './http-refusal.ts';

export interface HttpPuppet {
  url: string;
  port: number;
  close(): Promise<void>;
}

export interface HttpPuppetOptions {
  script: Script;
  /** Section for the connection with this name (connectionHeader); the first one plays the first section. */
  partOf?(connection: string): Part;
  host?: string;
}

export interface HttpConnectionState extends Connection {
  player: Player;
  exchanges: Exchange[];
  deleted: boolean;
  /** The script is in the middle of what it does upon an earlier request; the next one has to wait. */
  busy?: Promise<void>;
}

export async function startHttpPuppet({ script, partOf, host }: HttpPuppetOptions): Promise<HttpPuppet> {
  const offers = offersOf(script);
  const claims = new Set<number>();
  const named = new Map<string, HttpConnectionState>();
  const all: HttpConnectionState[] = [];
  let port = 0;
  /** Addresses of the script's own host, with the port that it has in life. */
  const own = (text: string): string => text.replaceAll(/\b(127\.0\.0\.1|localhost):3000\b/g, `$1:${port}`);

  function connect(name: string | undefined): HttpConnectionState {
    const part = name !== undefined && partOf ? partOf(name) : all.length === 0 ? 'first' : 'further';
    const state = { exchanges: [], deleted: false } as unknown as HttpConnectionState;
    const claim = (section: number): boolean => !claims.has(section) && Boolean(claims.add(section));
    state.player = createPlayer({ script, offers, part, claim, wire: wireOf(state), connection: state });
    all.push(state);
    if (name !== undefined) named.set(name, state);
    state.player.begin();
    return state;
  }

  /** By the client's name for it, else by its session, else the newest, unless the client starts again. */
  function connectionOf(request: IncomingMessage, message: unknown): HttpConnectionState {
    const name = headerOf(request, connectionHeader);
    if (name !== undefined) return named.get(name) ?? connect(name);
    const session = headerOf(request, 'mcp-session-id');
    const owner = session === undefined ? undefined : all.find((one) => one.sessionId === session);
    if (owner) return owner;
    const newest = all.at(-1);
    const begins =
      isRecord(message) && message.method === 'initialize' && newest?.player.plain.negotiated !== undefined;
    return newest && !begins ? newest : connect(undefined);
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const message = text === '' ? undefined : parseJson(text);
    const state = connectionOf(request, message);
    while (state.busy) await state.busy;
    const method = request.method ?? 'GET';
    const exchange = createExchange(method, requestIds(message), response, own);
    state.exchanges.push(exchange);
    response.on('close', () => {
      if (!response.writableFinished) state.player.take({ kind: 'drop', exchange });
    });
    const carries = exchange.ids.length > 0;
    if (state.player.waiting && carries) {
      exchange.stream({});
      state.player.flush();
    }
    const http = {
      method,
      headers: request.headers,
      url: request.url ?? '/',
      spelled: oddlySpelled(headerPairs(request.rawHeaders).map(([name]) => name)),
      exchange,
    };
    const taken = state.player.take(
      text === ''
        ? { kind: 'http', http }
        : message === undefined
          ? { kind: 'raw', text, http }
          : { kind: 'message', message, http },
    );
    if (taken.scripted && taken.finished) {
      state.busy = taken.finished;
      await state.busy;
      delete state.busy;
    }
    const due = !taken.scripted || (!exchange.replied && !carries && !taken.silent);
    if (due) answer(state, { request, exchange, message });
    state.player.settled();
  }

  function answer(
    state: HttpConnectionState,
    { request, exchange, message }: { request: IncomingMessage; exchange: Exchange; message: unknown },
  ): void {
    const { player, ...standing } = state;
    if (script.era === 'stateful' && exchange.method === 'GET' && player.waiting && request.url === '/mcp') {
      exchange.stream({});
      player.flush();
      return;
    }
    const refused = isForeign(request)
      ? { status: 403 }
      : refusalOf(request, { script, state: { ...standing, plain: player.plain }, message });
    if (refused) return refuse(exchange, refused);
    if (exchange.method === 'DELETE') {
      state.deleted = true;
      exchange.reply(204, {});
      return;
    }
    const reply = player.plain.answer(message);
    if (!reply) exchange.reply(202, {});
    else give(state, exchange, reply, isRecord(message) && message.method === 'initialize');
  }

  function give(state: HttpConnectionState, exchange: Exchange, reply: PlainReply, starts: boolean): void {
    const { headers, body } = jsonBody(reply.message);
    if (reply.stays && !exchange.replied) exchange.stream({ 'x-accel-buffering': 'no' });
    if (exchange.streaming) {
      exchange.event({ data: body });
      if (!reply.stays) exchange.end();
      return;
    }
    const accepted = starts && script.era === 'stateful' && isRecord(reply.message) && 'result' in reply.message;
    if (accepted) state.sessionId ??= randomUUID();
    exchange.reply(
      reply.status ?? 200,
      { ...headers, ...(accepted ? { 'mcp-session-id': state.sessionId! } : {}) },
      body,
    );
  }

  const listening = await listen(route, host);
  ({ port } = listening);
  return { url: `${listening.origin}/mcp`, port: listening.port, close: listening.close };
}

function refuse(exchange: Exchange, { status, body, headers }: HttpRefusal): void {
  const json = body === undefined ? undefined : jsonBody(body);
  exchange.reply(status, { ...json?.headers, ...headers }, json?.body);
}

function usable(exchange: Exchange): boolean {
  return !exchange.replied || exchange.streaming;
}

/** Messages travel on the reply to their request, else on the newest reply that is open. */
function wireOf(state: HttpConnectionState): Wire {
  function carrierOf({ message, exchange }: OutgoingMessage): Exchange | undefined {
    if (exchange) return exchange;
    const first: unknown = Array.isArray(message) ? message[0] : message;
    const own =
      isRecord(first) && !('method' in first)
        ? state.exchanges.findLast((one) => one.ids.includes(first.id) && usable(one))
        : undefined;
    return (
      own ??
      state.exchanges.findLast((one) => one.method === 'POST' && one.ids.length > 0 && usable(one)) ??
      state.exchanges.findLast(usable)
    );
  }

  return {
    message(bytes, how) {
      const exchange = carrierOf(how);
      if (!exchange) return false;
      if (!exchange.replied && how.last && !how.stray) {
        exchange.reply(200, { 'content-type': 'application/json' }, bytes);
        return true;
      }
      if (!exchange.replied) exchange.stream({});
      exchange.event({ data: bytes });
      const answers = isRecord(how.message) && !('method' in how.message);
      if (answers && !how.stray && exchange.method === 'POST' && how.exchange === undefined) exchange.end();
      return true;
    },
    raw(text, exchange) {
      if (exchange?.streaming) exchange.event({ data: Buffer.from(text) });
      else exchange?.reply(200, { 'content-type': 'application/json' }, Buffer.from(text));
    },
    target(_act, own) {
      return own && usable(own) ? own : (state.exchanges.findLast(usable) ?? state.exchanges.at(-1));
    },
    close() {
      for (const exchange of state.exchanges.filter(usable)) exchange.destroy();
    },
    // A server that ends takes its connections with it.
    exit() {
      for (const exchange of state.exchanges.filter(usable)) exchange.destroy();
    },
  };
}
