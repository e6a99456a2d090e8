/** Facts of pages and of walks through a list for rules. */
import type { Definitions } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';

export const pageFacts: Definitions<RpcRecord> = {
  cursor: { says: 'List methods: the cursor that was sent.', rests: [] },
  cursorState: {
    says: 'List methods: none (first page), issued (came as nextCursor) or unknown (never issued); absent for one that is no string.',
    rests: [],
    doubtful: ({ cursorState }, { wholeOrder }) => !wholeOrder && cursorState === 'unknown',
  },
  listPaginates: {
    says: 'List methods: a nextCursor was seen for the method earlier in the session.',
    rests: ['order'],
  },
  ownCursors: {
    says: 'List methods with a cursor that the server gave out: accepted; or refused (-32602, at most a minute later and without a tool call in between) for the second time, where none of the list was accepted in the session.',
    rests: ['order'],
  },
  itemCount: { says: 'List methods: entries on the page.', rests: [] },
  nextCursor: { says: 'List methods: the nextCursor member.', rests: [] },
  askedBefore: { says: 'List methods: the same page was fetched before in the session.', rests: ['order'] },
  equalsEarlierPage: {
    says: 'List methods: the page equals the one fetched before with the same cursor, or behind the same first page (unless the server announced a change since).',
    rests: ['order'],
  },
  otherInBetween: {
    says: 'List methods, where the same page was fetched before: another page or an error came for it since.',
    rests: ['order'],
  },
  sincePageMs: { says: 'List methods: milliseconds since that page was last fetched so.', rests: ['timing'] },
  callsSincePage: {
    says: 'List methods: results of tools/call since then (in the stateless era on whatever connection); a tool may change a list.',
  },
  equalsFirstPage: { says: 'List methods: the page equals the first page.', rests: ['order'] },
};

export const walkFacts: Definitions = {
  method: { says: 'The list method.', rests: [] },
  pages: { says: 'Pages fetched.', rests: [] },
  items: { says: 'Entries on them.', rests: [] },
  ended: { says: 'The last page had no nextCursor.', rests: [] },
  repeated: {
    says: 'What came twice: items (names of entries, at most 20), overlap (names of entries on a page that an earlier page had, at most 20), cursor (a nextCursor did) and circles (a cursor was followed for the second time, gave the same page as before, and led on to the same cursor).',
    rests: [],
  },
  scopes: { says: 'Values of cacheScope on its pages, each once, at most 5.', rests: [] },
  changed: { says: 'The server announced a change of the list in between.', rests: ['order'] },
  differs: {
    says: 'Complete walks: the names are others than in the complete walk before, in the same session; this and the next ones are absent at the first.',
  },
  callsSinceWalk: { says: 'Results of tools/call from the beginning of that walk to the beginning of this one.' },
  toldOfChange: { says: 'The server announced a change of the list since that walk began.' },
  heardSinceWalk: {
    says: 'A notification could reach the client since that walk began (over HTTP: a listening stream was open, or the server had refused one with 405; in the stateless era: a subscription that grants it).',
  },
  acrossConnections: {
    says: 'Complete walks of the stateless era: this connection and two others took turns, each with the same _meta and without tool calls: the names are the same on all, or differs (each time the same ones).',
  },
  acrossRequests: {
    says: 'Complete walks of the stateless era: on two connections, one after the other, the names before and behind requests with another _meta (but without tool calls) are the same, or differs.',
  },
  acrossClients: {
    says: 'Complete walks of the stateless era: two values of clientInfo took turns on the connection, without tool calls: the entries are the same for both, or differs.',
  },
  order: {
    says: 'Complete walks of the stateless era with the entries of the walk before, and nothing in between that may change the list: the order is always the same, or differs (for the second time).',
  },
  apart: { says: 'Names of the entries by which these differ, at most 20.' },
};
