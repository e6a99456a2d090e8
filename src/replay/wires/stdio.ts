/** A replay over stdin and stdout: one message a line. */
import type { Readable, Writable } from 'node:stream';
import { isObject } from '../../core/model/json.ts';
import { parseExact } from '../../core/trace/importers/exact-json.ts';
import { errorText, type ReplayConnection, type Way } from '../connection.ts';

export interface StdioReplay {
  input: Readable;
  output: Writable;
  connect(push: (text: string) => void): ReplayConnection;
  signal: AbortSignal;
}

/** Serves until the input ends, or a fault ends the connection. */
export async function replayStdio({ input, output, connect, signal }: StdioReplay): Promise<void> {
  const dropped = new AbortController();
  const write = (text: string): void => {
    if (output.writable && !dropped.signal.aborted) output.write(`${text}\n`);
  };
  const connection = connect(write);
  const drop = (): void => dropped.abort();
  const open = new Set<Promise<void>>();
  const take = (line: string): void => {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = parseExact(line, { spelling: true });
    } catch {
      return write(errorText(null, -32700, 'Parse error: the line is no JSON.'));
    }
    const work = Array.isArray(value)
      ? takeBatch(connection, value as unknown[], write, drop)
      : isObject(value)
        ? connection.take(value, wayOf(value['id'], write, write, drop))
        : Promise.resolve(write(errorText(null, -32600, 'Invalid request: the line is no object.')));
    open.add(work);
    void work.finally(() => open.delete(work));
  };
  const stop = (): void => void input.destroy();
  for (const one of [signal, dropped.signal]) one.addEventListener('abort', stop, { once: true });
  connection.begin();
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of input) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
        take(rest.subarray(0, end).toString('utf8'));
        rest = rest.subarray(end + 1);
      }
    }
  } catch (error) {
    if (!signal.aborted && !dropped.signal.aborted) throw error;
  }
  connection.hasten();
  if (!dropped.signal.aborted && !signal.aborted) await Promise.all(open);
  connection.end();
  if (output.writable) await new Promise<void>((done) => output.write('', () => done()));
}

function wayOf(id: unknown, send: (text: string) => void, write: (text: string) => void, drop: () => void): Way {
  return {
    send,
    took() {},
    reply: (text, turn) => {
      if (text !== undefined) write(text);
      else if (turn?.http !== undefined)
        write(errorText(id, -32603, `the recording has HTTP status ${turn.http.status} here, without a response`));
    },
    cut: (text) => {
      write(text.slice(0, Math.floor(text.length / 2)));
      drop();
    },
    refuse: (status) => write(errorText(id, -32603, `HTTP status ${status}`)),
    drop,
  };
}

/** The responses to a batch are one list. */
async function takeBatch(
  connection: ReplayConnection,
  messages: readonly unknown[],
  write: (text: string) => void,
  drop: () => void,
): Promise<void> {
  const replies: string[] = [];
  for (const message of messages)
    if (isObject(message))
      await connection.take(
        message,
        wayOf(message['id'], write, (text) => void replies.push(text), drop),
      );
  if (replies.length > 0) write(`[${replies.join(',')}]`);
}
