/**
 * A server object in this process as a target: a linked pair, with the shape of an official SDK transport at one end
 * and the pipes of a stdio server at the other. So what passes is written as text, recorded and judged as with a
 * process, and no SDK is imported.
 */
import { createInterface } from 'node:readline';
import type { ServeInMemory, ServerPipes } from '../../client/transport/process/memory-server.ts';

/** The end of a linked pair that a server is connected to. It has the shape of `Transport` of SDK 1.x and 2.x. */
export interface LinkedTransport {
  onmessage?: (message: never, extra?: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId?: string;
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
}

/** `McpServer` and `Server` of SDK 1.x and 2.x, and whatever else can be connected to a transport of theirs. */
export interface ServerObject {
  connect(transport: never): Promise<unknown>;
  close?(): Promise<unknown>;
}

/**
 * Makes a server for one connection. It gets the transport, for functions such as `serveStdio` of SDK 2.x that connect by
 * themselves; a server object that it returns is connected to it.
 */
export type ServerFactory = (transport: LinkedTransport) => unknown;

export function isServerObject(value: unknown): value is ServerObject {
  return typeof value === 'object' && value !== null && typeof (value as ServerObject).connect === 'function';
}

/** Serves each connection with a server of its own. */
export function serveFactory(factory: ServerFactory): ServeInMemory {
  return (pipes) => {
    const transport = linkedTransport(pipes);
    void begin(async () => {
      const made = await factory(transport);
      if (isServerObject(made)) await made.connect(transport as never);
    }, pipes);
  };
}

/** Serves connections one after another with one object, as the SDKs allow. */
export function serveObject(server: ServerObject): ServeInMemory {
  return (pipes) => void begin(async () => void (await server.connect(linkedTransport(pipes) as never)), pipes);
}

/** A server that cannot be made or connected ends as a process does that throws: with words on stderr and code 1. */
async function begin(work: () => Promise<void>, { stderr, exit }: ServerPipes): Promise<void> {
  try {
    await work();
  } catch (error) {
    stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error as string)}\n`);
    exit(1);
  }
}

function linkedTransport({ stdin, stdout, exit }: ServerPipes): LinkedTransport {
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    transport.onclose?.();
    // Resolved promises of the server write first.
    setImmediate(() => exit(0));
  };
  const transport: LinkedTransport = {
    async start() {
      createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
        if (closed) return;
        try {
          transport.onmessage?.(JSON.parse(line) as never);
        } catch (error) {
          transport.onerror?.(error instanceof Error ? error : new Error(String(error as string)));
        }
      });
      stdin.once('end', close);
      stdin.once('close', close);
    },
    async send(message) {
      if (closed) throw new Error('The connection is closed.');
      stdout.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      close();
    },
  };
  return transport;
}
