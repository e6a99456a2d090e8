/**
 * A client under full control of the test, alike over the three transports: sends anything, notes
 * all that comes back as lines of text, and answers the requests of the server.
 */
import { PassThrough } from 'node:stream';
import type { JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import { isObject } from '../../../src/server/protocol/json-rpc.ts';
import type { ReferenceOptions } from '../../../src/testkit/example-server/start.ts';
import { makeHost, startReferenceServer } from '../../../src/testkit/example-server/start.ts';
import { serveStdio } from '../../../src/server/transports/stdio.ts';
import { ask } from './http-wire.ts';

const acceptBoth = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** What the client says to requests of the server. */
const answers: Record<string, JsonObject> = {
  'roots/list': { roots: [] },
  'sampling/createMessage': { role: 'assistant', model: 'none', content: { type: 'text', text: 'Teal' } },
};

/** A request got no answer; nothing more can be learnt from that server. */
export class Unanswered extends Error {}

export abstract class Peer {
  /** Settled when all replies have ended, and noted. */
  protected readonly endings: Promise<void>[] = [];
  /** What was seen, random parts aside. */
  readonly lines: string[] = [];
  readonly messages: unknown[] = [];
  private readonly watchers = new Set<() => void>();

  abstract send(payload: unknown, headers?: Record<string, string>): Promise<void>;
  abstract close(): Promise<void>;

  note(line: string): void {
    this.lines.push(line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'));
    for (const watcher of this.watchers) watcher();
  }

  take(text: string): void {
    this.note(text);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return;
    }
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
      this.messages.push(message);
      if (isObject(message) && 'method' in message && 'id' in message) void this.answer(message).catch(() => {});
    }
    for (const watcher of this.watchers) watcher();
  }

  private answer(request: JsonObject): Promise<void> {
    return this.send({ jsonrpc: '2.0', id: request.id, result: answers[String(request.method)] ?? {} });
  }

  /** Waits for a message; notes a timeout if there is none before the deadline. */
  async seen(what: string, match: (message: JsonObject) => boolean, deadline = 1500): Promise<JsonObject | undefined> {
    const find = (): JsonObject | undefined =>
      this.messages.find((message): message is JsonObject => isObject(message) && match(message));
    const found = await new Promise<JsonObject | undefined>((resolve) => {
      const timer = setTimeout(() => settle(undefined), deadline);
      const settle = (message: JsonObject | undefined): void => {
        clearTimeout(timer);
        this.watchers.delete(check);
        resolve(message);
      };
      const check = (): void => {
        const message = find();
        if (message !== undefined) settle(message);
      };
      this.watchers.add(check);
      check();
    });
    if (found === undefined) this.note(`timeout: ${what}`);
    return found;
  }

  /**
   * Sends a request and waits for its answer.
   * @throws Unanswered if there is none in time
   */
  async call(
    id: number | string,
    method: string,
    params?: JsonObject,
    headers?: Record<string, string>,
  ): Promise<JsonObject> {
    await this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }, headers);
    const answer = await this.seen(
      `answer to ${method} ${id}`,
      (message) => message.id === id && !('method' in message),
      4000,
    );
    if (answer === undefined) throw new Unanswered(method);
    return answer;
  }
}

class StdioPeer extends Peer {
  private readonly input = new PassThrough();
  private readonly ended: Promise<void>;

  constructor(options: ReferenceOptions) {
    super();
    const host = makeHost(options);
    host.exit = (code) => {
      this.note(`exit ${code}`);
      this.input.end();
    };
    const [output, error] = [new PassThrough(), new PassThrough()];
    let rest = Buffer.alloc(0);
    output.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        this.take(rest.subarray(0, end).toString('utf8'));
        rest = rest.subarray(end + 1);
      }
    });
    error.on('data', (chunk: Buffer) => this.note(`stderr ${chunk.toString('utf8')}`));
    this.ended = serveStdio(host, { input: this.input, output, error });
  }

  send(payload: unknown): Promise<void> {
    if (this.input.writable) this.input.write(`${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.input.end();
    return this.ended;
  }
}

export class HttpPeer extends Peer {
  sessionId: string | undefined;
  readonly url: string;
  private readonly stop: () => Promise<void>;
  readonly open: { drop(): void }[] = [];

  constructor(url: string, stop: () => Promise<void>) {
    super();
    this.url = url;
    this.stop = stop;
  }

  /** Headers of a message within the session. */
  headers(more: Record<string, string> = {}): Record<string, string> {
    return { ...acceptBoth, ...(this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId }), ...more };
  }

  /** Posts, notes the reply, and returns when its head is there. */
  async post(payload: unknown, headers: Record<string, string>) {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const reply = await ask(this.url, { headers, body, onData: (data) => data !== '' && this.take(data) });
    const type = reply.headers['content-type'];
    this.note(
      `status ${reply.status} ${String(type)} session=${String(reply.headers['mcp-session-id'])} buffering=${String(reply.headers['x-accel-buffering'])}`,
    );
    const isStream = type === 'text/event-stream';
    if (isStream) this.open.push(reply);
    this.endings.push(
      reply.text.then((text) => {
        const events = reply.events.map(({ id, retry, data }) => `${id}/${retry}/${data === ''}`).join(' ');
        if (isStream) this.note(`stream ${events} ${reply.complete ? 'ended' : 'lost'}`);
        else this.take(text);
      }),
    );
    return reply;
  }

  async send(payload: unknown, headers?: Record<string, string>): Promise<void> {
    const reply = await this.post(payload, headers ?? this.headers());
    this.sessionId ??= reply.headers['mcp-session-id'] as string | undefined;
  }

  async listen(more: Record<string, string> = {}) {
    const headers = { ...this.headers(more), accept: 'text/event-stream' };
    const reply = await ask(this.url, { verb: 'GET', headers, onData: (data) => data !== '' && this.take(data) });
    this.note(`listening ${reply.status} ${reply.headers['content-type']}`);
    const events = (): string => reply.events.map(({ id, retry }) => `${id}/${retry}`).join(' ');
    this.endings.push(reply.text.then(() => this.note(`GET ${events()} ${reply.complete ? 'ended' : 'lost'}`)));
    this.open.push(reply);
    return reply;
  }

  async delete(): Promise<void> {
    const reply = await ask(this.url, { verb: 'DELETE', headers: this.headers() });
    this.note(`deleted ${reply.status}`);
    await reply.text;
  }

  async close(): Promise<void> {
    for (const reply of this.open) reply.drop();
    await this.stop();
    await Promise.all(this.endings);
  }
}

class SsePeer extends Peer {
  private readonly stop: () => Promise<void>;
  private readonly base: string;
  private endpoint: string | undefined;

  constructor(url: string, stop: () => Promise<void>) {
    super();
    this.base = url;
    this.stop = stop;
  }

  async open(): Promise<void> {
    const reply = await ask(this.base, {
      verb: 'GET',
      headers: { accept: 'text/event-stream' },
      onData: (data) => this.event(data),
    });
    this.endings.push(
      reply.text.then((text) => this.note(`events ${[...new Set(text.match(/^event:.*$/gm))].join(' ')}`)),
    );
    await this.seen('endpoint', () => this.endpoint !== undefined);
  }

  private event(data: string): void {
    if (data.startsWith('/')) {
      this.endpoint = new URL(data, this.base).href;
      this.messages.push({});
    }
    this.take(data);
  }

  async send(payload: unknown, headers: Record<string, string> = {}): Promise<void> {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const reply = await ask(this.endpoint ?? this.base, {
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    this.note(`status ${reply.status}`);
  }

  async close(): Promise<void> {
    await this.stop();
    await Promise.all(this.endings);
  }
}

/** Starts a server with a peer that is connected to it. */
export async function startPeer(transport: 'stdio' | 'http' | 'sse', options: ReferenceOptions): Promise<Peer> {
  if (transport === 'stdio') return new StdioPeer(options);
  const server = await startReferenceServer({ ...options, transport });
  if (transport === 'http') return new HttpPeer(server.url, () => server.close());
  const peer = new SsePeer(server.url, () => server.close());
  await peer.open();
  return peer;
}
