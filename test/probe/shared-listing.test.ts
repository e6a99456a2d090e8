/** The lists that all probes share: walked once, on the connection of the usual client for as long as that serves. */
import { expect, test } from 'vitest';
import type { Peer } from '../../src/client/peer/peer.ts';
import { createSharedListing } from '../../src/client/offers/shared-listing.ts';
import type { Listing } from '../../src/client/offers/survey.ts';

/** A connection on which one tool is listed; answers come when they are let. */
function peerWith(tool: string) {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const peer = {
    alive: true,
    negotiated: '2025-11-25',
    serverCapabilities: { tools: {} },
    request: (method: string) => {
      asked.push(method);
      return {
        answer: new Promise((resolve) =>
          held.push(() => resolve({ kind: 'response', message: { result: { tools: [{ name: tool }] } } })),
        ),
      };
    },
  };
  return { peer: peer as unknown as Peer, asked, answer: () => held.splice(0).forEach((one) => one()) };
}

const asIs = (found: Listing): Listing => found;

test('whoever wants them first, they are walked on the usual connection, once', async () => {
  const [usual, other] = [peerWith('of the usual client'), peerWith('of another client')];
  const lists = createSharedListing(usual.peer, asIs);
  const [one, two] = [lists.of(other.peer), lists.of(usual.peer)];
  usual.answer();
  expect((await one).tools).toEqual([{ name: 'of the usual client' }]);
  expect(await two).toBe(await one);
  expect(await lists.known()).toBe(await one);
  expect([usual.asked, other.asked]).toEqual([['tools/list'], []]);
});

test('the usual connection is not left in the middle of a list', async () => {
  const [usual, other] = [peerWith('of the usual client'), peerWith('of another client')];
  const lists = createSharedListing(usual.peer, asIs);
  void lists.of(other.peer);
  let isLeft = false;
  const left = lists.leaveUsual().then(() => (isLeft = true));
  await Promise.resolve();
  expect(isLeft).toBe(false);
  usual.answer();
  await left;
});

test.each(['it is left', 'it is gone', 'there is none'])('another connection serves where %s', async (how) => {
  const [usual, other] = [peerWith('of the usual client'), peerWith('of another client')];
  const lists = createSharedListing(how === 'there is none' ? undefined : usual.peer, asIs);
  expect(await lists.known()).toBeUndefined();
  if (how === 'it is left') await lists.leaveUsual();
  if (how === 'it is gone') (usual.peer as { alive: boolean }).alive = false;
  const found = lists.of(other.peer);
  other.answer();
  expect((await found).tools).toEqual([{ name: 'of another client' }]);
});
