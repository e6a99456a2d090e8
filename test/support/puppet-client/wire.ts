/** How a puppet client reaches the server of a start, byte by byte: it corrects nothing, and adds no header of its own. */
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { createEventReader } from './event-reader.ts';

/** Something that came from the server, on the reply to a request or on the pipe. */
export type Came =
  | { what: 'message'; message: Record<string, unknown>; on: Sent | undefined }
  | { what: 'status'; status: number; headers: Record<string, string | undefined>; on: Sent }
  | { what: 'event'; id: string | undefined; event: string | undefined; data: string; on: Sent }
  | { what: 'end'; on: Sent };

/** A request that was sent, as a handle on its reply. */
export interface Sent {
  /** Something was sent, which has to arrive. */
  carries: boolean;
  replied: boolean;
  over: boolean;
  drop(): void;
}

export interface Wire {
  /** @param body absent for a request without one */
  send(verb: string, address: string, headers: Record<string, string>, body?: Buffer): Sent;
  /** stdio: what ends the process. */
  end(how: 'stdin' | NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

const closeMs = 2_000;

/** A wire over HTTP; what comes is given to `take` in the order in which it came. */
export function httpWire(take: (one: Came) => void): Wire {
  const open = new Set<Sent>();
  return {
    send(verb, address, headers, body) {
      const out = request(address, {
        method: verb,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(body.length) }) },
      });
      const sent: Sent = { carries: body !== undefined, replied: false, over: false, drop: () => out.destroy() };
      open.add(sent);
      const finish = (): void => {
        if (sent.over) return;
        sent.over = true;
        open.delete(sent);
        take({ what: 'end', on: sent });
      };
      out.on('response', (reply) => {
        sent.replied = true;
        const type = reply.headers['content-type'] ?? '';
        const named = reply.headers as Record<string, string | undefined>;
        take({ what: 'status', status: reply.statusCode ?? 0, headers: named, on: sent });
        if (type.startsWith('text/event-stream')) {
          const reader = createEventReader(({ id, event, data }) => {
            take({ what: 'event', id, event, data, on: sent });
            messagesIn(data).forEach((message) => take({ what: 'message', message, on: sent }));
          });
          reply.on('data', (chunk: Buffer) => reader(chunk));
        } else {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('end', () =>
            messagesIn(Buffer.concat(chunks).toString('utf8')).forEach((message) =>
              take({ what: 'message', message, on: sent }),
            ),
          );
        }
        reply.on('close', finish);
      });
      out.on('error', finish);
      out.end(body);
      return sent;
    },
    end: () => Promise.resolve(),
    close() {
      for (const sent of open) sent.drop();
      return Promise.resolve();
    },
  };
}

/**
 * A wire over stdio. The socket of the run is the pipe; a process is started only where its end matters.
 * @param command that of the server: Node.js, the relay, the socket
 */
export function stdioWire(command: readonly string[], take: (one: Came) => void, startsProcess: boolean): Wire {
  return startsProcess ? processWire(command, take) : socketWire(command.at(-1)!, take);
}

let sockets = 0;

function socketWire(address: string, take: (one: Came) => void): Wire {
  sockets += 1;
  const id = `puppet-${sockets}`;
  const data = connect({ path: address, allowHalfOpen: true });
  const control = connect(address);
  data.write(`data ${id}\n`);
  control.write(`control ${id}\n`);
  control.resume();
  for (const socket of [data, control]) socket.on('error', () => {});
  const over = closed(data);
  lines(data, take);
  return {
    send: (_verb, _address, _headers, body) => written(data, body),
    end: () => Promise.resolve(),
    async close() {
      await new Promise<void>((resolve) => control.write('end\n', () => resolve()));
      control.end();
      data.end();
      await Promise.race([over, later(closeMs)]);
      data.destroy();
      control.destroy();
    },
  };
}

function processWire([file = '', ...args]: readonly string[], take: (one: Came) => void): Wire {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin.on('error', () => {});
  lines(child.stdout, take);
  return {
    send: (_verb, _address, _headers, body) => written(child.stdin, body),
    async end(how) {
      if (how === 'stdin') child.stdin.end();
      else child.kill(how);
      await Promise.race([over, later(closeMs)]);
    },
    async close() {
      child.stdin.end();
      await Promise.race([over, later(closeMs)]);
      child.kill('SIGKILL');
      await over;
    },
  };
}

function written(to: Writable, body: Buffer | undefined): Sent {
  to.write(body ?? '');
  return { carries: true, replied: true, over: true, drop: () => {} };
}

function lines(from: Readable, take: (one: Came) => void): void {
  let rest = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const line = rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
      for (const message of messagesIn(line)) take({ what: 'message', message, on: undefined });
    }
  });
}

function closed(socket: Duplex): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function messagesIn(text: string): Record<string, unknown>[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return [parsed].flat().filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
  } catch {
    return [];
  }
}
