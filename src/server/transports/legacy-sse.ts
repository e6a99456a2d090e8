/**
 * The HTTP+SSE transport of 2024-11-05: a stream whose first event names the address for posting, and that address. It
 * is independent of methods.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseError, receive } from '../dispatch/dispatcher.ts';
import { eventDataOf } from '../session/due.ts';
import type { Host } from '../session/host.ts';
import { channelSink } from '../protocol/reply-sink.ts';
import { Session } from '../session/session.ts';
import { writeStreamHead } from './event-stream.ts';
import type { HttpOptions, RunningHttp } from './http-base.ts';
import { readBody, refusal, startHttp, writeReply } from './http-base.ts';

export const ssePath = '/sse';

export async function serveLegacySse(host: Host, options: HttpOptions): Promise<RunningHttp> {
  const streamPath = options.path ?? ssePath;
  const messagesPath = `${streamPath.slice(0, streamPath.lastIndexOf('/'))}/messages`;
  const sessions = new Map<string, { session: Session; write(message: unknown): void; end(): void }>();
  const refuse = (response: ServerResponse, status: number, reason: string, message: string): void =>
    writeReply(host, response, refusal(status, reason, message));

  const open = (response: ServerResponse): void => {
    const { behaviour } = host;
    const id = randomUUID();
    const send = (event: string, data: Buffer): void => {
      if (response.writable)
        response.write(
          Buffer.concat([Buffer.from(`${event === '' ? '' : `event: ${event}\n`}data: `), data, Buffer.from('\n\n')]),
        );
    };
    const write = (message: unknown): void => send(behaviour.sse.messageEvent(message), eventDataOf(host, message));
    const session = new Session(host, 'sse', write);
    sessions.set(id, { session, write, end: () => response.end() });
    response.on('close', () => {
      sessions.delete(id);
      session.close();
    });
    writeStreamHead(host, response, {});
    send(behaviour.sse.endpointEvent, Buffer.from(`${messagesPath}?sessionId=${id}`));
    behaviour.onConnected(session);
  };

  const post = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request);
    const owner = sessions.get(new URL(request.url ?? '/', 'http://unused').searchParams.get('sessionId') ?? '');
    if (owner === undefined || !host.keeps('accept-messages-endpoint'))
      return refuse(response, 404, 'session-unknown', 'There is no such session');
    if (text === undefined) return refuse(response, 413, 'size', 'The body is too large');
    let payload: unknown;
    try {
      payload = JSON.parse(text);
    } catch {
      return writeReply(host, response, { status: 400, reason: 'parse', body: parseError(owner.session) });
    }
    writeReply(host, response, { status: 202, reason: 'posted' });
    receive(owner.session, payload, channelSink(owner.write));
  };

  const running = await startHttp(host, options, async (request, response, path) => {
    if (path === streamPath && request.method === 'GET') return open(response);
    if (path === messagesPath && request.method === 'POST') return post(request, response);
    const known = path === streamPath || path === messagesPath;
    return refuse(
      response,
      known ? 405 : 404,
      'verb',
      known ? 'This method is not supported' : 'There is nothing here',
    );
  });
  return {
    origin: running.origin,
    close() {
      for (const { session, end } of sessions.values()) {
        session.close();
        end();
      }
      return running.close();
    },
  };
}
