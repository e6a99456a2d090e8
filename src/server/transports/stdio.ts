/** The stdio transport: one message a line, nothing else on stdout. It is independent of methods. */
import type { Readable, Writable } from 'node:stream';
import { parseError, receive } from '../dispatch/dispatcher.ts';
import { lineOf } from '../session/due.ts';
import type { Host } from '../session/host.ts';
import { channelSink } from '../protocol/reply-sink.ts';
import { Session } from '../session/session.ts';

export interface StdioStreams {
  input: Readable;
  output: Writable;
  error: Writable;
}

/** Serves until the input ends; the promise resolves when all expected output has been written. */
export async function serveStdio(host: Host, streams: StdioStreams): Promise<void> {
  const { behaviour } = host;
  const output = behaviour.stdio.output === 'stdout' ? streams.output : streams.error;
  const write = (message: unknown): void => {
    if (output.writable) output.write(lineOf(host, message));
  };
  const session = new Session(host, 'stdio', write);
  const stateless = new Session(host, 'stdio', write, { running: session.running, world: host.world });
  const sink = channelSink(write);
  if (behaviour.stdio.startDelay > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.stdio.startDelay));
  if (behaviour.stdio.banner !== '') output.write(behaviour.stdio.banner);
  behaviour.onConnected(session);

  const takeLine = (line: string): void => {
    if (line.trim() === '') return;
    let payload: unknown;
    try {
      payload = JSON.parse(line);
    } catch {
      if (!host.keeps('survive-bad-json')) return host.exit(1);
      for (const message of session.prepare(parseError(session), { kind: 'error', reason: 'parse' })) write(message);
      return;
    }
    receive(session, payload, sink, stateless);
  };

  let rest = Buffer.alloc(0);
  for await (const chunk of streams.input) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      takeLine(rest.subarray(0, end).toString('utf8'));
      rest = host.keeps('read-every-line') ? rest.subarray(end + 1) : Buffer.alloc(0);
      await turn(); // so that lines which arrive together are answered in their order
    }
  }
  // Answers that need no waiting are still given to a client that closed stdin right after asking.
  await turn();
  stateless.endListening();
  await turn();
  session.close();
  stateless.close();
  if (output.writable) await new Promise<void>((resolve) => output.write('', () => resolve()));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
