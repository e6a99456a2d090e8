/** Probes that several sessions share: each is given out once, and nobody is idle while another one has work before it. */
import { expect, test } from 'vitest';
import type { Step } from '../../src/core/model/rules/rule.ts';
import type { Probe } from '../../src/client/schedule/plan/probe.ts';
import { shareOut, withPingsApart } from '../../src/client/schedule/plan/share-out.ts';

const probe = (name: string, ...steps: Step[]): Probe => ({ steps, rules: [name] });
const named = (one: Probe | undefined): string | undefined => one?.rules.join();
const tour = (name: string, ...more: Step[]): Probe => probe(name, 'survey', ...more);
const alone = (name: string): Probe => probe(name, { request: name });

test('those that begin alike go to one session for as long as there is other work', () => {
  const shares = shareOut([tour('a'), tour('b'), tour('c'), alone('d'), alone('e')]);
  const [one, other] = [shares.take(), shares.take()];
  expect(shares.left()).toBe(5);
  expect([one(), other(), one(), other()].map(named)).toEqual(['a', 'd', 'b', 'e']);
  expect([one(), one(), other()].map(named)).toEqual(['c', undefined, undefined]);
  expect(shares.left()).toBe(0);
});

test('who has no work left takes over the last of the longest that another one has before it', () => {
  const shares = shareOut([tour('a'), tour('b'), tour('c'), tour('d'), alone('e')]);
  const [one, other] = [shares.take(), shares.take()];
  expect([one(), other(), other(), other()].map(named)).toEqual(['a', 'e', 'd', 'c']);
  expect([one(), one(), other()].map(named)).toEqual(['b', undefined, undefined]);
});

test('one session alone has all of them in their order', () => {
  const take = shareOut([tour('a'), tour('b'), alone('c')]).take();
  expect([take(), take(), take(), take()].map(named)).toEqual(['a', 'b', 'c', undefined]);
});

test('many pings at the end of a probe are one of their own, and come first; nothing is lost', () => {
  const pings: Step[] = [1, 2, 3, 4].map((id) => ({ request: 'ping', id }));
  const long = tour('a', { callTool: 'any' }, ...pings);
  expect(withPingsApart([long, tour('b')])).toEqual([probe('a', ...pings), tour('a', { callTool: 'any' }), tour('b')]);
  for (const kept of [
    tour('few', ...pings.slice(1)),
    tour('named', ...pings.slice(1), { request: 'ping', as: 'last' }),
    tour('inside', ...pings, 'sentinel'),
  ])
    expect(withPingsApart([kept])).toEqual([kept]);
});
