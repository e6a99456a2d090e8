/** A replay over the HTTP+SSE transport of 2024-11-05: a stream for what the server sends, an address for the client. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../../core/model/json.ts';
import { parseExact } from '../../core/trace/importers/exact-json.ts';
import { errorText, type ReplayConnection, type Way } from '../connection.ts';
import { bodyOf, listenHttp, refuse, type HttpReplay, type ListeningHttp } from './listen.ts';

export const ssePath = '/sse';
const messagesPath = '/messages';

interface SseSession {
  connection: ReplayConnection;
  response: ServerResponse;
}

export async function replaySse(place: HttpReplay): Promise<ListeningHttp> {
  const sessions = new Map<string, SseSession>();

  function stream(response: ServerResponse): void {
    const id = randomUUID();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
    response.write(`event: endpoint\ndata: ${messagesPath}?sessionId=${id}\n\n`);
    const send = (text: string): void => void response.write(`event: message\ndata: ${text}\n\n`);
    const connection = place.connect(send);
    sessions.set(id, { connection, response });
    response.on('close', () => {
      sessions.delete(id);
      connection.end();
    });
    connection.begin();
  }

  async function post(request: IncomingMessage, response: ServerResponse, id: string | null): Promise<void> {
    const session = sessions.get(id ?? '');
    if (session === undefined) return refuse(response, 404, 'There is no such session.', -32001);
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, 413, 'The body is too large.');
    let value: unknown;
    try {
      value = parseExact(body, { spelling: true });
    } catch {
      return refuse(response, 400, 'Parse error: the body is no JSON.', -32700);
    }
    response.writeHead(202).end('Accepted');
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isObject(message)) await session.connection.take(message, wayOf(message['id'], session.response));
  }

  return listenHttp(
    place,
    async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://unused');
      if (request.method === 'POST' && pathname === messagesPath)
        return post(request, response, searchParams.get('sessionId'));
      if (request.method === 'GET') return stream(response);
      return refuse(response, request.method === 'POST' ? 404 : 405, `The stream is at ${ssePath}.`);
    },
    () => {
      for (const { connection } of sessions.values()) connection.end();
    },
  );
}

function wayOf(id: unknown, response: ServerResponse): Way {
  const send = (text: string): void => void response.write(`event: message\ndata: ${text}\n\n`);
  return {
    send,
    took() {},
    reply: (text, turn) => {
      if (text !== undefined) send(text);
      else if (turn?.http !== undefined)
        send(errorText(id, -32603, `the recording has HTTP status ${turn.http.status} here, without a response`));
    },
    cut: (text) => {
      response.write(`event: message\ndata: ${text.slice(0, Math.floor(text.length / 2))}`);
      setImmediate(() => response.destroy());
    },
    refuse: (status) => send(errorText(id, -32603, `HTTP status ${status}`)),
    drop: () => response.destroy(),
  };
}
