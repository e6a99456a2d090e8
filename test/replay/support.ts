/** A replay in this process, with a client that speaks lines; and recordings made of lines. */
import { PassThrough } from 'node:stream';
import { openReplay, type ReplaySettings } from '../../src/replay/replay.ts';
import type { ReplayReport } from '../../src/replay/counts.ts';

export type Json = Record<string, unknown>;

export const settings: ReplaySettings = {
  match: { by: 'params', strict: false, ignore: [] },
  speed: 0,
  onMiss: 'error',
  faults: [],
  seed: 1,
};

export const hello = {
  jsonrpc: '2.0',
  id: 'h',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'probe', version: '3' } },
};

export const call = (id: unknown, name: string, args: Json = {}, meta?: Json): Json => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) },
});

export const answer = (id: unknown, text: string): Json => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
});

/** A capture as JSON-RPC lines; text stands as it is. */
export const lines = (...messages: unknown[]): string =>
  messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');

/** Sends messages one after another, each when the one before is answered, and gives back what the server wrote. */
export async function conversed(
  file: string,
  messages: readonly (Json | string)[],
  more: Partial<ReplaySettings> = {},
  reply: (message: Json) => Json | undefined = () => undefined,
): Promise<{ got: Json[]; texts: string[]; lacks: string | undefined; report: ReplayReport }> {
  const replay = await openReplay(file, {}, { ...settings, ...more });
  const input = new PassThrough();
  const output = new PassThrough();
  const texts: string[] = [];
  let rest = '';
  let heard: () => void = () => {};
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    for (const part of parts) {
      texts.push(part);
      const own = part.includes('"method"') ? reply(JSON.parse(part) as Json) : undefined;
      if (own !== undefined) input.write(`${JSON.stringify(own)}\n`);
    }
    heard();
  });
  const served = replay.overStdio({ input, output }, new AbortController().signal).then(() => heard());
  for (const message of messages) {
    const id = typeof message === 'string' ? undefined : message['id'];
    const waits = typeof message !== 'string' && 'id' in message && 'method' in message;
    input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    const answered = (): boolean =>
      texts.some((text) => text.includes(`"id":${JSON.stringify(id)}`) && !text.includes('"method"'));
    while (waits && !answered()) {
      const ended = await Promise.race([
        new Promise<false>((next) => (heard = () => next(false))),
        served.then(() => true),
      ]);
      if (ended) break;
    }
  }
  input.end();
  await served;
  if (rest !== '') texts.push(rest);
  const got = texts.flatMap((text): Json[] => {
    try {
      return [JSON.parse(text) as Json];
    } catch {
      return [];
    }
  });
  return { got, texts, lacks: replay.lacks, report: replay.report() };
}
