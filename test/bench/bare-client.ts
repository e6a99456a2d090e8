/**
 * Sends again what a check sent, one message after another, each request awaited if it was answered then, and judges
 * nothing; and asks for the first list of tools, as a client does that was just started.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TraceEvent } from '../../src/core/model/trace.ts';

type Json = Record<string, unknown>;

/** How a server is reached: a command on stdio, or one that listens, with `{{port}}` in its words. */
export interface Measured {
  command: readonly string[];
  http: boolean;
  /** Path of the endpoint. */
  path?: string;
  /** `{{port}}` may stand in values. */
  env?: Record<string, string>;
}

const isRequest = (message: unknown): message is Json =>
  typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
const isReply = (message: unknown): message is Json =>
  typeof message === 'object' &&
  message !== null &&
  !Array.isArray(message) &&
  !('method' in message) &&
  'id' in message;
const keyOf = (message: unknown): string => JSON.stringify((message as Json | null)?.['id']);
const handshake = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** The connections of a trace, each with its events. */
export function connectionsOf(events: readonly TraceEvent[]): TraceEvent[][] {
  const sessions = new Map<string, TraceEvent[]>();
  for (const event of events) {
    const known = sessions.get(event.session);
    if (known) known.push(event);
    else sessions.set(event.session, [event]);
  }
  // What starts a server for all connections is none.
  return [...sessions.values()].filter((all) =>
    all.some(({ kind, from }) => from === 'client' && (kind === 'message' || kind === 'unparsable')),
  );
}

/** @returns milliseconds */
export async function replayAll(connections: readonly TraceEvent[][], target: Measured): Promise<number> {
  if (!target.http) {
    const began = performance.now();
    for (const events of connections) await overStdio(events, target);
    return performance.now() - began;
  }
  const began = performance.now();
  const served = await listening(target);
  try {
    for (const events of connections) await overHttp(events, served.url);
  } finally {
    await served.stop();
  }
  return performance.now() - began;
}

/** Milliseconds from the start of the server to its first list of tools. */
export async function firstList(target: Measured): Promise<number> {
  const began = performance.now();
  if (!target.http) {
    const line = talk(target);
    try {
      await line.ask(handshake);
      line.send(initialized);
      await line.ask(list);
      return performance.now() - began;
    } finally {
      await line.stop();
    }
  }
  const served = await listening(target);
  try {
    const { headers } = await post(served.url, handshake, {});
    const session = headers.get('mcp-session-id');
    const further = {
      'mcp-protocol-version': '2025-11-25',
      ...(session === null ? {} : { 'mcp-session-id': session }),
    };
    await post(served.url, initialized, further);
    await post(served.url, list, further);
    return performance.now() - began;
  } finally {
    await served.stop();
  }
}

/** A server on stdio, and what it is asked. */
function talk({ command: [program, ...args] }: Measured, answers: ReadonlyMap<string, unknown> = new Map()) {
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = ended(child);
  child.stdin.on('error', () => {});
  const waiting = new Map<string, () => void>();
  const send = (message: unknown, raw?: string): void => void child.stdin.write(`${raw ?? JSON.stringify(message)}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parsed(line);
    if (isRequest(message) && answers.has(keyOf(message))) send(answers.get(keyOf(message)));
    else if (isReply(message)) waiting.get(keyOf(message))?.();
  });
  return {
    send,
    async ask(message: unknown): Promise<void> {
      const reply = new Promise<void>((resolve) => waiting.set(keyOf(message), resolve));
      send(message);
      await Promise.race([reply, exited]);
    },
    async stop(): Promise<void> {
      child.stdin.end();
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** What a connection of a trace said, and what of it was answered. */
function saidIn(events: readonly TraceEvent[]): {
  sent: TraceEvent[];
  answered: Set<string>;
  answers: Map<string, unknown>;
} {
  const messages = events.filter(({ kind }) => kind === 'message');
  // A subscription is answered when it ends, which nobody waits for.
  const listens = new Set(
    messages
      .filter(
        ({ from, message }) => from === 'client' && isRequest(message) && message.method === 'subscriptions/listen',
      )
      .map(({ message }) => keyOf(message)),
  );
  return {
    sent: events.filter(
      ({ from, kind, message }) =>
        from === 'client' && (kind === 'unparsable' || (kind === 'message' && !isReply(message))),
    ),
    answered: new Set(
      messages
        .filter(({ from, message }) => from === 'server' && isReply(message) && !listens.has(keyOf(message)))
        .map(({ message }) => keyOf(message)),
    ),
    answers: new Map(
      messages
        .filter(({ from, message }) => from === 'client' && isReply(message))
        .map(({ message }) => [keyOf(message), message]),
    ),
  };
}

async function overStdio(events: readonly TraceEvent[], target: Measured): Promise<void> {
  const { sent, answered, answers } = saidIn(events);
  const line = talk(target, answers);
  for (const { message, raw } of sent) {
    if (isRequest(message) && answered.has(keyOf(message))) await line.ask(message);
    else line.send(message, raw);
  }
  await line.stop();
}

async function overHttp(events: readonly TraceEvent[], url: string): Promise<void> {
  const { sent, answered, answers } = saidIn(events);
  const over = new AbortController();
  const headersOf = new Map(
    events.filter(({ kind }) => kind === 'http-request').map(({ exchange, http }) => [exchange, http?.headers ?? {}]),
  );
  const own = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);
  let session: string | null = null;
  for (const { message, raw, exchange } of sent) {
    const headers = Object.fromEntries(
      Object.entries(headersOf.get(exchange) ?? {})
        .filter(([name]) => !own.has(name.toLowerCase()))
        .map(([name, value]) => [name, String(value)]),
    );
    if (session !== null && 'mcp-session-id' in headers) headers['mcp-session-id'] = session;
    const reply = post(url, message, headers, { raw, answers, signal: over.signal });
    // What got no answer then is not waited for now.
    if (!isRequest(message) || answered.has(keyOf(message))) session ??= (await reply).headers.get('mcp-session-id');
  }
  over.abort();
}

/** Posts a message and reads its reply to the end; requests in a stream get the answers that they got then. */
async function post(
  url: string,
  message: unknown,
  headers: Record<string, string>,
  {
    raw,
    answers,
    signal: over,
  }: { raw?: string | undefined; answers?: ReadonlyMap<string, unknown>; signal?: AbortSignal } = {},
): Promise<{ headers: Headers }> {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const signal = AbortSignal.any([AbortSignal.timeout(10_000), ...(over ? [over] : [])]);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...usual, ...headers },
      body: raw ?? JSON.stringify(message),
      signal,
    });
    let rest = '';
    for await (const chunk of response.body ?? []) {
      rest += new TextDecoder().decode(chunk as Uint8Array);
      const lines = rest.split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const asked = line.startsWith('data:') ? parsed(line.slice('data:'.length)) : undefined;
        if (isRequest(asked) && answers?.has(keyOf(asked))) void post(url, answers.get(keyOf(asked)), headers);
      }
    }
    return { headers: response.headers };
  } catch {
    // Some requests are wrong on purpose, and not every server answers them.
    return { headers: new Headers() };
  }
}

async function listening({
  command,
  path = '/mcp',
  env = {},
}: Measured): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const put = (text: string): string => text.replaceAll('{{port}}', String(port));
  const [program, ...args] = command.map(put);
  const child = spawn(program!, args, {
    stdio: 'ignore',
    env: { ...process.env, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, put(value)])) },
  });
  const url = `http://127.0.0.1:${port}${path}`;
  for (let tries = 0; tries < 3000 && child.exitCode === null; tries += 1) {
    if (
      await fetch(url, { method: 'DELETE' }).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const exited = ended(child);
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
