/**
 * Streamable HTTP: whether notifications come on one of several listening streams, or on each of them. A repeated
 * notification looks like a copy, and so do effects of two calls that alternate between the streams. So copies count
 * only if every stream brought the same ones in the same order, each between the same two messages of the client, and
 * more than one of them.
 */
import { asObject, asText } from '../../src/core/model/json.ts';
import { append } from '../../src/core/model/lists.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import type { Definitions, Feature, Given } from '../../src/core/facts/core/plugin.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';
import type { SessionState } from '../../src/core/facts/state/session-state.ts';

/** A notification on a listening stream while others were open. */
interface Heard {
  exchange: string;
  seq: number;
  method: string;
  text: string;
  /** Messages of the client so far, except pings: those cause nothing, and earlier effects may arrive after them. */
  sent: number;
  /** It cannot be distinguished from the next one of its method. */
  bare: boolean;
}

interface Copies {
  open: Set<string>;
  /** Messages of the client but pings. */
  sent: number;
  /** Since a stream was opened or closed last. */
  heard: Heard[];
  characters: number;
  cut: boolean;
  alone: number[];
  unclear: number;
  copied: Heard[];
}

const mostHeard = 1_000;
const mostCharacters = 1_000_000;
const kept = 50;

const copiesOf = storeOf<Copies>(() => ({
  open: new Set(),
  sent: 0,
  heard: [],
  characters: 0,
  cut: false,
  alone: [],
  unclear: 0,
  copied: [],
}));

const copyFacts: Definitions<SessionState> = {
  heard: {
    says: 'Streamable HTTP, of notifications while several listening streams were open: onAll (methods of those that came on every stream: each brought the same ones in the same order, between the same messages of the client, and more than one; two streams: more than one that differ, one with params among them), alone (how many came on one stream only) and unclear (how often some, but not all, came on several, or too few to tell copies from further ones).',
    rests: ['exchanges', 'streams', 'order'],
  },
};

function observe(copies: Copies, { kind, exchange }: TraceEvent): void {
  if (exchange === undefined) return;
  if (kind === 'sse-open') {
    settle(copies);
    copies.open.add(exchange);
  } else if ((kind === 'sse-close' || kind === 'closed') && copies.open.has(exchange)) {
    settle(copies);
    copies.open.delete(exchange);
  }
}

function take(copies: Copies, exchange: string, { item, method }: MessageView): void {
  const text = JSON.stringify(item.message);
  if (copies.heard.length >= mostHeard || copies.characters + text.length > mostCharacters) {
    copies.cut = true;
    return;
  }
  copies.characters += text.length;
  const params = asObject(asObject(item.message)?.params) ?? {};
  copies.heard.push({
    exchange,
    seq: item.seq,
    method: asText(method),
    text,
    sent: copies.sent,
    bare: Object.keys(params).length === 0,
  });
}

/** Notifications received while the same streams were open are reported by now. */
function settle(copies: Copies): void {
  const { heard, open, cut } = copies;
  copies.heard = [];
  copies.characters = 0;
  copies.cut = false;
  if (heard.length === 0) return;
  const streamsOf = new Map<string, Set<string>>();
  for (const { text, exchange } of heard) streamsOf.set(text, (streamsOf.get(text) ?? new Set()).add(exchange));
  const methods = new Set(heard.filter(({ text }) => streamsOf.get(text)!.size > 1).map(({ method }) => method));
  const shared = heard.filter(({ method }) => methods.has(method));
  if (cut || (shared.length > 0 && !(isSameOnAll(shared, open) && distinguishesCopies(shared, open.size)))) {
    copies.unclear += 1;
    return;
  }
  append(copies.copied, shared.slice(0, kept - copies.copied.length));
  append(
    copies.alone,
    heard
      .filter(({ method }) => !methods.has(method))
      .map(({ seq }) => seq)
      .slice(0, kept - copies.alone.length),
  );
}

function isSameOnAll(heard: readonly Heard[], open: ReadonlySet<string>): boolean {
  const [first, ...others] = [...open].map((exchange) =>
    heard.filter((one) => one.exchange === exchange).map(({ sent, text }) => `${sent} ${text}`),
  );
  return others.every((texts) => texts.length === first!.length && texts.every((text, at) => text === first![at]));
}

/**
 * Two streams cannot distinguish a server that sends each notification twice, alternating between its streams, from one
 * that copies them, unless the notifications name their subject. By three streams it is, where that happened more than
 * once.
 */
function distinguishesCopies(heard: readonly Heard[], streams: number): boolean {
  if (streams > 2) return new Set(heard.map(({ sent, text }) => `${sent} ${text}`)).size > 1;
  return new Set(heard.map(({ text }) => text)).size > 1 && heard.some(({ bare }) => !bare);
}

export const feature: Feature = {
  name: 'listening-copies',
  after: ['listening'],
  facts: { session: copyFacts },
  create: () => ({
    event({ event, session, http }) {
      if (http?.method === 'GET' && !http.stream?.resumes) observe(copiesOf(session), event);
    },

    message(view) {
      const { item, session, http, replay } = view;
      if (item.from === 'client' && session.transport === 'http' && view.method !== 'ping') copiesOf(session).sent += 1;
      if (
        http?.method !== 'GET' ||
        http.stream?.resumes !== false ||
        replay ||
        item.from !== 'server' ||
        item.shape !== 'notification'
      )
        return undefined;
      const copies = copiesOf(session);
      if (copies.open.size > 1) take(copies, http.id, view);
      return undefined;
    },

    sessionOver(session): Given | undefined {
      const copies = copiesOf(session);
      settle(copies);
      const { alone, copied, unclear } = copies;
      if (alone.length + copied.length + unclear === 0) return undefined;
      const [first] = copied;
      const shown = copied
        .filter(({ text }) => text === first!.text)
        .map(({ seq }) => seq)
        .slice(0, 6);
      return {
        facts: { heard: { onAll: [...new Set(copied.map(({ method }) => method))], alone: alone.length, unclear } },
        events: shown.length > 0 ? shown : alone.slice(0, 6),
        cites: { heardAlone: alone.slice(0, 6), heardOnAll: shown },
      };
    },
  }),
};
