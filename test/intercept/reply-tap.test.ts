/** Packed replies that pass through `mcpc intercept`: unpacking them takes no more than they are worth. */
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tapReply } from '../../src/client/intercept/reply-tap.ts';
import { defaultTransportLimits } from '../../src/client/transport/limits.ts';
import type { ReplyEvent } from '../../src/client/transport/http/whole-reply.ts';

const MiB = 1024 * 1024;

function tap(type: string) {
  const events: ReplyEvent[] = [];
  const reply = tapReply(
    { status: 200, headers: { 'content-type': type, 'content-encoding': 'gzip' } },
    (event) => events.push(event),
    defaultTransportLimits,
  );
  return { events, reply };
}

/** CPU seconds of taking a body, and what came of it. */
async function taken(body: Buffer): Promise<{ cpu: number; events: ReplyEvent[] }> {
  const { events, reply } = tap('application/json');
  const before = process.cpuUsage();
  for (let at = 0; at < body.length; at += 65_536) await reply.push(body.subarray(at, at + 65_536));
  await reply.end();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e6, events };
}

test('a body is unpacked up to the limit on bodies', async () => {
  const packed = (megabytes: number): Buffer => Buffer.concat(Array.from({ length: megabytes }, () => member));
  const member = gzipSync(Buffer.alloc(MiB));
  const [small, large] = [packed(16), packed(800)];
  await taken(small);
  const least = await taken(small);
  const most = await taken(large);
  for (const { events } of [least, most])
    expect(events[0]).toMatchObject({
      from: 'server',
      kind: 'limit',
      reason: expect.stringContaining('a body is longer than'),
    });
  // Fifty times as much; what is unpacked is the same.
  expect(most.cpu).toBeLessThan(15 * Math.max(least.cpu, 0.01));
});

test('a part of an event stream is taken when it is unpacked, not when it has come', async () => {
  const { events, reply } = tap('text/event-stream');
  // Larger packed than what the streams between hold together.
  const part = gzipSync(
    Buffer.from(`: ${randomBytes(8192).toString('hex')}\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n`),
  );
  const messages = (): number => events.filter(({ kind }) => kind === 'message').length;
  const seen: number[] = [];
  const parts = Array.from({ length: 40 }, () => reply.push(part).then(() => seen.push(messages())));
  await turn();
  expect(seen.length).toBeLessThan(parts.length);
  await Promise.all(parts);
  // What is between the streams that unpack is little: all but the last parts are there.
  expect(seen.at(-1)).toBeGreaterThan(20);
  await reply.end();
  expect(messages()).toBe(parts.length);
});

test('what cannot be unpacked is taken all the same', async () => {
  const { events, reply } = tap('application/json');
  const pushed = [Buffer.from('this is no gzip'), Buffer.alloc(MiB), Buffer.alloc(MiB)].map((chunk) =>
    reply.push(chunk),
  );
  await Promise.all(pushed);
  await reply.end();
  expect(JSON.stringify(events)).toContain('the body does not decode');
});
