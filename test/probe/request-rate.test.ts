/** How fast requests go out: what Retry-After means, that waits are bounded, told and over at once when stopped. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRequestRate, retryAfterMs } from '../../src/client/load/request-rate.ts';
import { defaultBusyWaits } from '../../src/client/target/timing.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

it.each<[string | undefined, number | undefined]>([
  ['3', 3000],
  [' 120 ', 120_000],
  ['0', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['99999999999999999999', Infinity],
  ['Sun, 22 Nov 2026 12:00:10 GMT', 10_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', undefined],
  ['tomorrow', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j', (value, ms) => {
  expect(retryAfterMs(value, now)).toBe(ms);
});

const busyWaits = { againMs: 20, pauseMs: 60, pausesMs: 150 };

/** A rate with the lines it told, and a way to stop it. */
function rateWith(perSecond?: number) {
  const told: string[] = [];
  const stop = new AbortController();
  const rate = createRequestRate({
    busyWaits,
    tell: (line) => told.push(line),
    signal: stop.signal,
    ...(perSecond === undefined ? {} : { perSecond }),
  });
  return { rate, told, stop };
}

describe('turns', () => {
  it('come at once without a rate, and in order and at the pace with one', async () => {
    const free = rateWith().rate;
    expect(Array.from({ length: 50 }, () => free.turn()).every((turn) => turn === undefined)).toBe(true);
    const { rate } = rateWith(50);
    const order: number[] = [];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        await rate.turn();
        order.push(n);
      }),
    );
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(75);
  });

  it('wait while the server asks to be spared, which is told, and are slower afterwards', async () => {
    const { rate, told } = rateWith();
    expect(rate.turn()).toBeUndefined();
    rate.refused(429, undefined);
    const began = performance.now();
    await rate.turn();
    expect(performance.now() - began).toBeGreaterThanOrEqual(15);
    expect(rate.turn()).toBeInstanceOf(Promise);
    expect(told).toEqual(['The server is busy (HTTP 429): waiting 0 s, then at most 4.0 requests a second.']);
  });

  it('never become faster than the user allows', async () => {
    const { rate } = rateWith(0.5);
    rate.refused(503, undefined);
    void rate.turn();
    const second = rate.turn()!;
    await expect(
      Promise.race([second.then(() => 'came'), new Promise((resolve) => setTimeout(() => resolve('waits'), 300))]),
    ).resolves.toBe('waits');
  });

  it('are over at once when the run is stopped', async () => {
    const { rate, stop } = rateWith(0.1);
    void rate.turn();
    const waiting = rate.turn()!;
    stop.abort();
    await waiting;
    expect(rate.turn()).toBeUndefined();
    expect(rate.mayRepeat(1)).toBe(false);
  });
});

describe('a server that asks for more patience than there is', () => {
  it.each([
    ['3600', /asks \(HTTP 429\) to be left alone for 3600 s/],
    ['99999999999999', /left alone for ever/],
  ])('Retry-After %s', (value, why) => {
    const { rate, told } = rateWith();
    rate.refused(429, value);
    expect(rate.givenUp).toMatch(why);
    expect(told).toHaveLength(1);
    expect(rate.mayRepeat(1)).toBe(false);
    expect(rate.turn()).toBeUndefined();
  });

  it('wait by wait', async () => {
    const { rate } = rateWith(1000);
    for (let n = 0; n < 20 && rate.givenUp === undefined; n += 1) {
      rate.refused(503, undefined);
      await rate.turn();
    }
    expect(rate.givenUp).toMatch(/too busy \(HTTP 503\) for longer than 0.2 s in all/);
  });
});

describe('without a word of the server', () => {
  afterEach(() => void vi.useRealTimers());

  it('waits begin with a second and double up to 30, and end with two minutes in all', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const told: string[] = [];
    const rate = createRequestRate({ busyWaits: defaultBusyWaits, tell: (line) => told.push(line) });
    while (rate.givenUp === undefined) {
      rate.refused(503, undefined);
      vi.advanceTimersByTime(30_000);
    }
    expect(told.map((line) => /waiting (\d+) s/.exec(line)?.[1])).toEqual([
      '1',
      '2',
      '4',
      '8',
      '16',
      '30',
      '30',
      undefined,
    ]);
    expect(rate.givenUp).toMatch(/longer than 120 s in all/);
  });
});

it('a request is sent once more three times, and other statuses are none of its business', () => {
  const { rate, told } = rateWith();
  expect([1, 2, 3, 4].map((refusals) => rate.mayRepeat(refusals))).toEqual([true, true, true, false]);
  rate.refused(502, '5');
  rate.refused(500, '5');
  expect(rate.turn()).toBeUndefined();
  expect(told).toEqual([]);
});
