/** A target that answers nothing but the handshake is given up soon; one that leaves out ping alone is not. */
import { expect, test } from 'vitest';
import type { Answer, Peer } from '../../src/client/peer/peer.ts';
import { watchForSilence } from '../../src/client/schedule/unresponsive.ts';

/** A peer whose requests are all over at once: answered where their method is served, else timed out. */
function peerOf(capabilities: Record<string, unknown>, served: readonly string[]): { peer: Peer; asked: string[] } {
  const asked: string[] = [];
  const request = (method: string): { answer: Promise<Answer> } => {
    asked.push(method);
    return {
      answer: Promise.resolve<Answer>(
        served.includes(method) ? { kind: 'response', message: { id: 1, result: {} } } : { kind: 'timeout' },
      ),
    };
  };
  const peer = {
    alive: true,
    serverCapabilities: capabilities,
    opened: Promise.resolve(1),
    request,
  } as unknown as Peer;
  return { peer, asked };
}

/** Why the target was given up after so many pings in turn that were not answered. */
async function afterPings(count: number, capabilities: object, served: readonly string[]) {
  let calls = 0;
  const silence = watchForSilence(() => (calls += 1), 100);
  const { peer, asked } = peerOf({ ...capabilities }, served);
  const watched = silence.watched(peer, true);
  for (let at = 0; at < count && silence.gaveUp === undefined; at += 1) {
    await watched.request('ping').answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(calls).toBe(silence.gaveUp === undefined ? 0 : 1);
  return { why: silence.gaveUp, asked };
}

test('nothing but the handshake is answered', async () => {
  const { why, asked } = await afterPings(5, { tools: {} }, []);
  expect(why).toMatch(/answered no request but the handshake in time/);
  expect(asked).toEqual(['ping', 'tools/list']);
});

test('ping alone is left out', async () => {
  const { why, asked } = await afterPings(2, { prompts: {} }, ['prompts/list']);
  expect(why).toBeUndefined();
  expect(asked).toEqual(['ping', 'prompts/list', 'ping']);
});

test('a server without lists is asked five times', async () => {
  const { why, asked } = await afterPings(9, {}, []);
  expect(why).toMatch(/5 requests in a row/);
  expect(asked).toHaveLength(5);
});

test('waits that end because a connection is closed do not count', async () => {
  const silence = watchForSilence(() => {}, 100);
  const ends: (() => void)[] = [];
  const peer = {
    alive: true,
    opened: Promise.resolve(1),
    serverCapabilities: {},
    request: () => ({ answer: new Promise((resolve) => ends.push(() => resolve({ kind: 'timeout' }))) }),
    close: async () => ends.forEach((end) => end()),
  } as unknown as Peer;
  const watched = silence.watched(peer, true);
  for (let at = 0; at < 9; at += 1) void watched.request('subscriptions/listen');
  await watched.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(silence.gaveUp).toBeUndefined();
});
