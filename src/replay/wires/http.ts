/** A replay over Streamable HTTP. Session and event ids are its own; statuses and headers are as recorded. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../../core/model/json.ts';
import { parseExact } from '../../core/trace/importers/exact-json.ts';
import { errorText, type ReplayConnection, type Way } from '../connection.ts';
import { shapeOf, type StreamShape } from '../recorded-http.ts';
import type { Recording, Turn } from '../recording.ts';
import { EventStream } from './event-stream.ts';
import { bodyOf, keptHeaders, listenHttp, refuse, type HttpReplay, type ListeningHttp } from './listen.ts';

interface HttpSession {
  id: string | undefined;
  connection: ReplayConnection;
  /** What belongs to no request, on the stream that a GET opened. */
  own: EventStream;
  /** All streams, so that a client can go on with one. */
  streams: EventStream[];
}

export async function replayHttp(recording: Recording, place: HttpReplay): Promise<ListeningHttp> {
  const sessions = new Map<string, HttpSession>();
  const named = recording.sessions !== false;
  const plainShape = shapeOf(recording);
  let shared: HttpSession | undefined;

  function open(id: string | undefined): HttpSession {
    const own = new EventStream(0, recording.ownStream ?? plainShape);
    const session: HttpSession = { id, own, streams: [own], connection: place.connect((text) => own.send(text)) };
    session.connection.begin();
    if (id === undefined) shared = session;
    else sessions.set(id, session);
    return session;
  }

  /** The session of a request; a handshake opens one. */
  function sessionOf(request: IncomingMessage, messages: readonly unknown[]): HttpSession | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return sessions.get(id);
    if (messages.some((one) => isObject(one) && one['method'] === 'initialize'))
      return open(named ? randomUUID() : undefined);
    return shared ?? (sessions.size === 0 ? open(undefined) : undefined);
  }

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, 413, 'The body is too large.');
    let value: unknown;
    try {
      value = parseExact(body, { spelling: true });
    } catch {
      return refuse(response, 400, 'Parse error: the body is no JSON.', -32700);
    }
    const messages = Array.isArray(value) ? (value as unknown[]) : [value];
    const session = sessionOf(request, messages);
    if (session === undefined) return refuse(response, 404, 'There is no such session.', -32001);
    const requests = messages.filter((one) => isObject(one) && 'id' in one && 'method' in one);
    if (requests.length === 0) {
      const taken = accepting(response, session.id);
      if (messages.length !== 1) response.writeHead(202).end();
      for (const one of messages) if (isObject(one)) await session.connection.take(one, taken);
      if (!response.headersSent) response.writeHead(202).end();
      return;
    }
    const exchange = new Exchange(response, session, plainShape, Array.isArray(value));
    await Promise.all(messages.filter(isObject).map((one) => session.connection.take(one, exchange.wayOf(one['id']))));
    exchange.finish();
  }

  return listenHttp(
    place,
    async (request, response) => {
      if (request.method === 'POST') return post(request, response);
      const session = sessionOf(request, []);
      if (session === undefined) return refuse(response, 404, 'There is no such session.', -32001);
      const refused =
        request.method === 'GET' || request.method === 'DELETE' ? recording.refused[request.method] : undefined;
      if (refused !== undefined) {
        response.writeHead(refused.status, keptHeaders(refused.headers)).end(refused.body);
        return;
      }
      if (request.method === 'DELETE') {
        session.connection.end();
        for (const stream of session.streams) stream.end();
        if (session.id !== undefined) sessions.delete(session.id);
        response.writeHead(200).end();
        return;
      }
      if (request.method !== 'GET') return refuse(response, 405, 'There is no such method here.');
      const last = request.headers['last-event-id'];
      const stream = typeof last === 'string' ? session.streams.find((one) => one.has(last)) : session.own;
      (stream ?? session.own).attach(response, typeof last === 'string' ? last : undefined);
    },
    () => {
      for (const session of [...sessions.values(), ...(shared === undefined ? [] : [shared])]) session.connection.end();
    },
  );
}

/** For notifications and answers of the client: the status that one got in the recording, else 202. */
function accepting(response: ServerResponse, session: string | undefined): Way {
  return {
    took(turn) {
      if (response.headersSent) return;
      const http = turn?.http ?? { status: 202, headers: {} };
      const headers = { ...keptHeaders(http.headers), ...sessionHeader(session, turn) };
      response.writeHead(http.status, headers).end(http.body);
    },
    send() {},
    reply() {},
    cut() {},
    refuse() {},
    drop() {},
  };
}

/** The session id of the replay, where the recorded response had one. */
function sessionHeader(id: string | undefined, turn: Turn | undefined): Record<string, string> {
  const had = turn === undefined || turn.method === 'initialize' || turn.http?.headers['mcp-session-id'] !== undefined;
  return id !== undefined && had ? { 'mcp-session-id': id } : {};
}

/** The reply to one POST: JSON or a stream, as recorded; a stream where something comes before the response. */
class Exchange {
  private stream: EventStream | undefined;
  private readonly replies: string[] = [];
  private readonly response: ServerResponse;
  private readonly session: HttpSession;
  private readonly plainShape: StreamShape;
  private readonly batch: boolean;

  constructor(response: ServerResponse, session: HttpSession, plainShape: StreamShape, batch: boolean) {
    this.response = response;
    this.session = session;
    this.plainShape = plainShape;
    this.batch = batch;
  }

  wayOf(id: unknown): Way {
    return {
      send: (text, turn, said) => {
        const { own } = this.session;
        // A question that no client reads would not be answered.
        const readers = own.hasReader || !isObject(said?.message) || !('id' in said.message);
        (said?.own === true && readers ? own : this.streamOf(turn)).send(text);
      },
      took() {},
      reply: (text, turn) => this.reply(text, turn),
      cut: (text) => {
        if (this.response.headersSent) this.response.write(`data: ${text.slice(0, Math.floor(text.length / 2))}`);
        else {
          this.response.writeHead(200, {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          });
          this.response.write(text.slice(0, Math.floor(text.length / 2)));
        }
        setImmediate(() => this.response.destroy());
      },
      refuse: (status) => {
        if (this.response.headersSent) this.reply(errorText(id, -32603, `HTTP status ${status}`), undefined);
        else refuse(this.response, status, 'A status that --fault makes.');
      },
      drop: () => this.response.destroy(),
    };
  }

  private reply(text: string | undefined, turn: Turn | undefined): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    if (text === undefined) {
      if (turn?.http === undefined || this.response.headersSent) return;
      const { status, headers, body = '' } = turn.http;
      this.response.writeHead(status, { ...keptHeaders(headers), ...this.named(turn) }).end(body);
      return;
    }
    if (this.batch) return void this.replies.push(text);
    const streamed = String(turn?.http?.headers['content-type'] ?? '').startsWith('text/event-stream');
    if (this.stream !== undefined || streamed) {
      const stream = this.streamOf(turn);
      stream.send(text);
      stream.end();
      return;
    }
    // A server that answers on another stream accepts the POST with 202, whose body no client reads.
    const recorded = turn?.http?.status ?? 200;
    const status = recorded === 202 ? 200 : recorded;
    this.response
      .writeHead(status, {
        ...keptHeaders(turn?.http?.headers ?? {}),
        ...this.named(turn),
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      .end(text);
  }

  finish(): void {
    if (!this.batch || this.replies.length === 0 || this.response.writableEnded) return;
    const text = `[${this.replies.join(',')}]`;
    if (this.stream !== undefined) {
      this.stream.send(text);
      this.stream.end();
    } else this.response.writeHead(200, { 'content-type': 'application/json', ...this.named(undefined) }).end(text);
  }

  private streamOf(turn: Turn | undefined): EventStream {
    if (this.stream === undefined) {
      this.stream = new EventStream(this.session.streams.length, turn?.stream ?? this.plainShape);
      this.session.streams.push(this.stream);
      this.stream.attach(this.response, undefined, { ...keptHeaders(turn?.http?.headers ?? {}), ...this.named(turn) });
    }
    return this.stream;
  }

  private named(turn: Turn | undefined): Record<string, string> {
    return sessionHeader(this.session.id, turn);
  }
}
