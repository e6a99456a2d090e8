/**
 * A server over HTTP with a fault: requests reach it as they are (but for headers that the fault hides from it), and the
 * fault befalls the messages of its replies and event streams, and the replies that carry them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFaultEngine } from '../../core/faults/engine.ts';
import type { HttpHead, Sending } from '../../core/faults/operators.ts';
import { rawText } from '../../core/faults/raw-text.ts';
import { usageError } from '../../core/model/errors.ts';
import type { Fault, HttpPlace } from '../../core/model/rules/mutation.ts';
import { headerMap, headerPairs, mediaType } from '../../client/transport/network/http-headers.ts';
import { createSseReader, type SseBlock } from '../../client/transport/http/sse-reader.ts';
import { eventBytes } from '../../client/transport/http/sse-writer.ts';
import { openHttp1 } from '../../client/transport/network/http1.ts';
import { createConversation, isMessage, parsed, type Conversation } from './conversation.ts';

export interface HttpFaultProxyOptions {
  fault: Fault;
  /** Address of the endpoint of the server. */
  upstream: URL;
  /** On the loopback interface; 0 takes a free one. */
  port: number;
}

export interface HttpFaultProxy {
  /** What a client is given. */
  readonly url: string;
  close(): Promise<void>;
}

/** Largest body of a request or reply. */
const mostBytes = 64 * 1024 * 1024;
const sessionHeader = 'mcp-session-id';
/** Made anew by each side, or wrong for a body that was changed; replies have to come as plain text. */
const ownHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'content-length',
  'accept-encoding',
  'host',
]);

interface Posted {
  kind?: HttpPlace['posted'];
  method?: string;
}

/** @throws McpcError (usage) when the port cannot be listened on */
export async function startHttpFaultProxy({ fault, upstream, port }: HttpFaultProxyOptions): Promise<HttpFaultProxy> {
  const engine = createFaultEngine(fault);
  const way = openHttp1(upstream, {});
  /** By session id, and by the address that an `endpoint` event names. */
  const conversations = new Map<string, Conversation>();
  // Of requests that name no session: each answer comes back on the exchange that asked.
  const shared = createConversation();
  let own = '';
  /** Listening streams that are open, by the session that they belong to. */
  const listening = new Map<Conversation, Set<ServerResponse>>();

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method: verb = 'GET', url: path = '/', headers } = request;
    const body = await bodyOf(request);
    const sent = body.length === 0 ? undefined : parsed(body.toString());
    const posted = postedOf(sent);
    const conversation =
      conversations.get(String(headers[sessionHeader])) ??
      conversations.get(path) ??
      (verb === 'GET' || posted.method === 'initialize' ? createConversation() : shared);
    conversation.asked(sent);

    const heard = engine.hear({ verb, headers, names: headerPairs(request.rawHeaders).map(([name]) => name) });
    const onward = way.send({ method: verb, path, headers: onwardHeaders(heard, upstream.host, body.length) });
    onward.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
    onward.once('response', (reply) => {
      const session = reply.headers[sessionHeader];
      if (typeof session === 'string') conversations.set(session, conversation);
      reply.once('error', () => response.destroy());
      const head = (message?: unknown): HttpHead =>
        engine.head({
          status: reply.statusCode ?? 502,
          headers: backHeaders(reply.headers),
          verb,
          posted: posted.kind,
          method: posted.method,
          message,
        });
      if (mediaType(headerMap(headerPairs(reply.rawHeaders))) === 'text/event-stream')
        passEvents(reply, response, head(), conversation, verb === 'GET');
      else void passBody(reply, response, head, conversation).catch(() => response.destroy());
    });
    onward.end(body);
  }

  function passEvents(
    reply: IncomingMessage,
    response: ServerResponse,
    { status, headers }: HttpHead,
    conversation: Conversation,
    listens: boolean,
  ): void {
    response.writeHead(status, headers);
    response.flushHeaders();
    if (listens) listen(conversation, response);
    const reader = createSseReader({
      maxEventBytes: mostBytes,
      onBlock: (block) => {
        const message = block.data === undefined ? undefined : parsed(block.data);
        if (!isMessage(message))
          return void response.write(
            eventBytes(block, block.data === undefined ? undefined : Buffer.from(endpointData(block, conversation))),
          );
        for (const sending of conversation.answer(engine, message)) {
          const send = (): void => {
            if (!response.writableEnded) response.write(eventBytes(block, dataOf(sending)));
            if (listens && sending.everywhere)
              for (const other of listening.get(conversation) ?? [])
                if (other !== response) other.write(eventBytes({ ...block, id: undefined }, dataOf(sending)));
          };
          if (sending.delayMs === undefined) send();
          else setTimeout(send, sending.delayMs).unref();
        }
      },
      onOversize: () => reply.destroy(),
    });
    reply.on('data', (chunk: Buffer) => reader.push(chunk));
    reply.once('end', () => response.end());
  }

  function listen(conversation: Conversation, response: ServerResponse): void {
    const open = listening.get(conversation) ?? new Set();
    listening.set(conversation, open.add(response));
    response.once('close', () => {
      open.delete(response);
      if (open.size === 0) listening.delete(conversation);
    });
  }

  /** HTTP+SSE: where the client posts to; a whole address would lead past the proxy. */
  function endpointData({ event, data = '' }: SseBlock, conversation: Conversation): string {
    if (event !== 'endpoint' || !URL.canParse(data, upstream.href)) return data;
    const { pathname, search } = new URL(data, upstream);
    conversations.set(`${pathname}${search}`, conversation);
    return data.replace(upstream.origin, own);
  }

  async function passBody(
    reply: IncomingMessage,
    response: ServerResponse,
    head: (message?: unknown) => HttpHead,
    conversation: Conversation,
  ): Promise<void> {
    const body = await bodyOf(reply);
    const value = parsed(body.toString());
    const batch = Array.isArray(value) && value.every(isMessage) ? value : undefined;
    if (!isMessage(value) && batch === undefined) return end(response, head(), body);
    const sendings = [value as object]
      .flat()
      .flatMap((message) => conversation.answer(engine, message as Record<string, unknown>));
    const { status, headers } = head(value);
    const messages = sendings.map(({ message }) => message);
    const [first] = sendings;
    const bytes = batch
      ? Buffer.from(messages.length === 0 ? '' : JSON.stringify(messages))
      : first === undefined
        ? Buffer.alloc(0)
        : sendings.length === 1
          ? bytesOf(first)
          : Buffer.concat(sendings.map((one) => bytesOf(one)));
    const delayMs = sendings.reduce((most, one) => Math.max(most, one.delayMs ?? 0), 0);
    if (delayMs === 0) end(response, { status, headers }, bytes);
    else setTimeout(() => end(response, { status, headers }, bytes), delayMs).unref();
  }

  const server = createServer((request, response) => void relay(request, response).catch(() => response.destroy()));
  server.requestTimeout = 0;
  server.timeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        usageError(
          `Cannot listen on port ${port}: ${error.code ?? error.message}`,
          'Choose another one, or 0 for a free one.',
          error,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${own}${upstream.pathname}${upstream.search}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      way.destroy();
    },
  };
}

function postedOf(sent: unknown): Posted {
  if (Array.isArray(sent)) return { kind: 'batch' };
  if (!isMessage(sent)) return {};
  if (typeof sent['method'] !== 'string') return { kind: 'response' };
  return { kind: sent['id'] === undefined ? 'notification' : 'request', method: sent['method'] };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    bytes += (chunk as Buffer).length;
    if (bytes > mostBytes) throw new Error('the body is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function onwardHeaders(
  heard: Record<string, string | string[] | undefined>,
  host: string,
  bytes: number,
): [string, string][] {
  const passed = Object.entries(heard).flatMap(([name, value]) =>
    ownHeaders.has(name) || value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  return [['Host', host], ...passed, ...(bytes === 0 ? [] : [['Content-Length', String(bytes)] as [string, string]])];
}

function backHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      ownHeaders.has(name) || value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

function end(response: ServerResponse, { status, headers }: HttpHead, body: Buffer): void {
  const bodiless = status === 204 || status === 304;
  response
    .writeHead(status, { ...headers, ...(bodiless ? {} : { 'content-length': String(body.length) }) })
    .end(bodiless ? undefined : body);
}

/** @param as what becomes of a text that is sent in place of the message */
function bytesOf({ message, raw }: Sending, as = (text: string): string => text): Buffer {
  const text = JSON.stringify(message);
  return raw === undefined ? Buffer.from(text) : Buffer.from(as(rawText(text, raw)), raw.encoding);
}

/** The data of an event, where each line needs a field of its own. */
function dataOf(sending: Sending): Buffer {
  return bytesOf(sending, (text) => text.replaceAll('\n', '\ndata: '));
}
