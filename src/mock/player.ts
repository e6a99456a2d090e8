/**
 * Plays a script on one connection: takes what the live client does, finds the line that expects it, and does
 * what the script does upon it; the plain server answers the rest. Knows transports only as a wire to act on.
 */
import type { Exchange } from './exchange.ts';
import type { HeaderSituation } from './header-match.ts';
import { createIdMap, type IdMap } from './id-map.ts';
import { isRecord, parseJson, recordOf, type Json } from './json.ts';
import { fit, type Arrival, type MatchContext } from './match.ts';
import type { Offers } from './offers.ts';
import { createPlainServer, type PlainServer } from './plain-server.ts';
import { serverMessages, type ClientLine, type Script, type Section, type ServerAct } from './script.ts';

/** What a transport does for the player. */
export interface Wire {
  /** Puts one message out; false when there is nothing to carry it yet. */
  message(bytes: Buffer, how: OutgoingMessage): boolean;
  /** Puts out bytes that are no message. */
  raw(text: string, exchange: Exchange | undefined): void;
  /**
   * The exchange that an act belongs to.
   * @param own exchange of the client line that the act stands behind
   */
  target(act: ServerAct['act'], own: Exchange | undefined): Exchange | undefined;
  /** Ends the connection, or stdout. */
  close(): void;
  exit(code: number | null, signal: string | null): void;
}

export interface OutgoingMessage {
  message: unknown;
  /** Nothing more comes on the same reply. */
  last: boolean;
  /** It comes late, on whatever is open, and is not what that reply is for. */
  stray: boolean;
  /** The exchange that the script names for it. */
  exchange?: Exchange;
}

export interface Connection {
  /** The session that was issued to the connection. */
  sessionId?: string;
}

export interface Player {
  readonly plain: PlainServer;
  /** Messages wait for a way to the client. */
  readonly waiting: boolean;
  readonly outlivesStdin: Section['outlivesStdin'];
  /** The connection is open. */
  begin(): void;
  /** The client did something. The transport answers what no line of the script took. */
  take(arrival: Arrival): Taken;
  /** The transport has answered what it had to. */
  settled(): void;
  /** Puts out what waited for a way to the client. */
  flush(): void;
}

/**
 * `silent`: the script leaves the arrival unanswered on purpose, or answers it later. `finished` is there when
 * not all that the script does upon it is done yet.
 */
export type Taken = { scripted: true; silent: boolean; finished?: Promise<void> } | { scripted: false };

/** Between acts on different replies, whose order the network does not keep; milliseconds. */
const pauseMs = 15;

type MessageAct = Extract<ServerAct, { act: 'server-message' }>;

export interface PlayerOptions {
  script: Script;
  offers: Offers;
  /**
   * What the connection plays: the script's first section, the first free one that fits what the client says,
   * or nothing but the plain server.
   */
  part: 'first' | 'further' | 'plain';
  /** Takes a section for this connection alone; false when another has it. */
  claim(section: number): boolean;
  wire: Wire;
  connection: Connection;
}

export function createPlayer(options: PlayerOptions): Player {
  const { script, wire, connection } = options;
  const plain = createPlainServer({ era: script.era, revision: script.revision, capabilities: script.capabilities, offers: options.offers });
  let section: Section | undefined;
  let ids: IdMap = createIdMap(new Set());
  let scriptIds = new Set<unknown>();
  const labels = new Map<string, Exchange>();
  const used = new Set<ClientLine>();
  const requests = new Map<unknown, Json>();
  /** Acts that refer to something that the client has not sent yet. */
  let early: { act: ServerAct; exchange: Exchange | undefined }[] = [];
  /** Acts behind a scripted silence: they come with the client's next move. */
  let late: { act: ServerAct; exchange: Exchange | undefined }[] = [];
  /** Messages that nothing could carry yet. */
  let uncarried: MessageAct[] = [];
  let chosen = options.part !== 'further';
  let greeted = false;
  let opening: 'to come' | 'due' | 'played' = 'to come';

  if (options.part === 'first') enter(script.sections[0]!);

  function enter(entered: Section): void {
    section = entered;
    ids = createIdMap(new Set(serverMessages(entered).filter((one) => 'method' in one && 'id' in one).map((one) => one.id)));
    const sent = entered.lines.flatMap(({ act }) => (act.act === 'client-message' ? [act.message].flat() : []));
    scriptIds = new Set(sent.filter(isRecord).filter((one) => 'method' in one && 'id' in one).map((one) => one.id));
  }

  function context(): MatchContext {
    const headers: HeaderSituation = {
      transport: script.transport,
      era: script.era,
      revision: script.revision,
      ...(connection.sessionId === undefined ? {} : { sessionId: connection.sessionId }),
      ...(plain.negotiated === undefined ? {} : { negotiated: plain.negotiated }),
    };
    return { ids, labels, headers, main: options.part === 'first' };
  }

  /** A connection without a section takes the first free one that begins with what the client says. */
  function choose(arrival: Arrival): void {
    // The request that opens the stream of HTTP+SSE says nothing about what the client is going to do.
    if (chosen || (script.transport === 'sse' && arrival.kind === 'http')) return;
    chosen = true;
    for (const [index, candidate] of script.sections.entries()) {
      if (index === 0) continue;
      const first = candidate.lines[0];
      const fits = candidate.handshake ? greets(arrival) === 'plainly' : first && fit(first.act, arrival, context()) !== undefined;
      if (!fits || !options.claim(index)) continue;
      enter(candidate);
      if (!candidate.handshake) open();
      return;
    }
  }

  /** Whether the arrival opens the default handshake. */
  function greets(arrival: Arrival): 'plainly' | 'otherwise' | undefined {
    if (arrival.kind !== 'message' || !isRecord(arrival.message) || !('id' in arrival.message)) return undefined;
    const { method, params } = arrival.message;
    if (method !== (script.era === 'stateless' ? 'server/discover' : 'initialize')) return undefined;
    return script.era === 'stateless' || recordOf(params).protocolVersion === script.revision ? 'plainly' : 'otherwise';
  }

  /** The default handshake is not in the script, so its messages are nobody's lines. */
  function isHandshake(arrival: Arrival): boolean {
    if (!section?.handshake || arrival.kind !== 'message' || !isRecord(arrival.message)) return false;
    if (!greeted && greets(arrival) !== undefined) {
      greeted = true;
      ids.learnId('handshake', arrival.message.id);
      if (script.era === 'stateless') opening = 'due';
      return true;
    }
    if (opening !== 'to come' || script.era === 'stateless' || arrival.message.method !== 'notifications/initialized') return false;
    opening = 'due';
    return true;
  }

  function open(): void {
    if (!section || opening === 'played') return;
    opening = 'played';
    void perform(section.opening, undefined);
  }

  function findLine(arrival: Arrival): ClientLine | undefined {
    let best: { line: ClientLine; score: number } | undefined;
    let inOrder = true;
    for (const line of section?.lines ?? []) {
      if (used.has(line)) continue;
      const score = inOrder || !isFiller(arrival) ? fit(line.act, arrival, context()) : undefined;
      if (score !== undefined && (!best || score > best.score)) best = { line, score };
      inOrder = false;
    }
    return best?.line ?? findGreeting(arrival);
  }

  /** Clients send these between their other requests as they like, so a line that has one is met in its order only. */
  function isFiller(arrival: Arrival): boolean {
    const filler = script.era === 'stateless' ? 'server/discover' : 'ping';
    return arrival.kind === 'message' && recordOf(arrival.message).method === filler;
  }

  /** A server that has its handshake in the script gives the same answer whenever it is asked the same. */
  function findGreeting(arrival: Arrival): ClientLine | undefined {
    if (section?.handshake || greets(arrival) === undefined) return undefined;
    return section?.lines.find((line) => used.has(line) && fit(line.act, arrival, context()) !== undefined);
  }

  function learnIds(scripted: unknown, live: unknown): void {
    if (Array.isArray(scripted) && Array.isArray(live)) {
      scripted.forEach((one, index) => learnIds(one, live[index]));
      return;
    }
    if (!isRecord(scripted) || !isRecord(live) || !('method' in scripted) || !('id' in scripted)) return;
    ids.learnId(scripted.id, live.id);
    if (scripted.method === 'initialize') ids.learnVersion(recordOf(scripted.params).protocolVersion, recordOf(live.params).protocolVersion);
    const meta = recordOf(recordOf(scripted.params)._meta);
    if ('progressToken' in meta) ids.learnToken(meta.progressToken, recordOf(recordOf(live.params)._meta).progressToken);
  }

  function remember(arrival: Arrival): void {
    if (arrival.kind !== 'message') return;
    for (const one of [arrival.message].flat()) if (isRecord(one) && 'method' in one && 'id' in one) requests.set(one.id, one);
  }

  function take(arrival: Arrival): Taken {
    const behind = late;
    late = [];
    for (const { act, exchange } of behind) performOne(act, exchange);
    choose(arrival);
    remember(arrival);
    if (isHandshake(arrival)) return { scripted: false };
    const line = findLine(arrival);
    if (!line) return { scripted: false };
    used.add(line);
    const exchange = arrival.kind === 'drop' ? arrival.exchange : 'http' in arrival ? arrival.http?.exchange : undefined;
    if (line.act.act === 'client-message' && arrival.kind === 'message') learnIds(line.act.message, arrival.message);
    const label = labelOf(line.act);
    if (label !== undefined && exchange) labels.set(label, exchange);
    const waited = early;
    early = [];
    for (const one of waited) performOne(one.act, one.exchange);
    const finished = perform(line.reactions, exchange);
    return { scripted: true, silent: isSilent(line), ...(finished ? { finished } : {}) };
  }

  /** The script says that no answer comes, or has it come with a later line. */
  function isSilent(line: ClientLine): boolean {
    const label = labelOf(line.act);
    const waits = line.reactions.some((act) => act.act === 'timeout' || act.act === 'server-closed' || act.act === 'exit');
    return waits || (label !== undefined && section!.lines.some((other) => other !== line && other.reactions.some((act) => labelOf(act) === label)));
  }

  /** Does one act after another; over HTTP with a pause where the next one is on another reply. */
  function perform(acts: readonly ServerAct[], exchange: Exchange | undefined, from = 0): Promise<void> | undefined {
    for (let index = from; index < acts.length; index += 1) {
      const act = acts[index]!;
      if (act.act === 'timeout' && act.what === 'answer') {
        late = acts.slice(index + 1).map((one) => ({ act: one, exchange }));
        return undefined;
      }
      const before = acts[index - 1];
      if (before && index > from && script.transport === 'http' && labelOf(before) !== labelOf(act)) {
        return pause().then(() => perform(acts, exchange, index));
      }
      performOne(act, exchange);
    }
    return undefined;
  }

  function performOne(act: ServerAct, own: Exchange | undefined): void {
    const label = labelOf(act);
    if (label !== undefined && script.transport !== 'stdio' && !labels.has(label)) {
      early.push({ act, exchange: own });
      return;
    }
    const exchange = label === undefined ? wire.target(act.act, own) : labels.get(label);
    switch (act.act) {
      case 'server-message':
        sendMessage(act, own);
        return;
      case 'server-raw':
        wire.raw(act.text, exchange);
        return;
      case 'server-status':
        replyInFull(act, exchange);
        return;
      case 'server-stream':
        exchange?.stream(act.headers);
        return;
      case 'server-event':
        sendEvent(act, exchange);
        return;
      case 'server-end':
        exchange?.end();
        return;
      case 'server-closed':
        wire.close();
        return;
      case 'exit':
        wire.exit(act.code, act.signal);
        return;
      case 'timeout':
        return;
    }
  }

  function replyInFull({ status, headers, body }: Extract<ServerAct, { act: 'server-status' }>, exchange: Exchange | undefined): void {
    const text = translated(body);
    const message = parseJson(text);
    const type: Record<string, string> = text === '' ? {} : { 'content-type': message === undefined ? 'text/plain' : 'application/json' };
    const issued = headers['mcp-session-id'];
    if (issued !== undefined && script.era === 'stateful') connection.sessionId ??= issued;
    observe(message);
    exchange?.reply(status, { ...type, ...headers }, text === '' ? undefined : Buffer.from(text));
  }

  function sendEvent({ event, id, retry, data }: Extract<ServerAct, { act: 'server-event' }>, exchange: Exchange | undefined): void {
    const text = translated(data);
    observe(parseJson(text));
    if (!exchange?.replied) exchange?.stream({});
    const fields = { ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }), ...(retry === undefined ? {} : { retry }) };
    exchange?.event({ ...fields, data: Buffer.from(text) });
  }

  function sendMessage(act: MessageAct, own: Exchange | undefined): void {
    const answers = [act.message].flat().filter((one): one is Json => isRecord(one) && !('method' in one));
    if (answers.some((one) => scriptIds.has(one.id) && !ids.knowsId(one.id))) early.push({ act, exchange: own });
    else if (!put(act, false)) uncarried.push(act);
  }

  function put(act: MessageAct, stray: boolean): boolean {
    const message = ids.toLive(act.message);
    observe(message);
    const exchange = act.label === undefined ? undefined : labels.get(act.label);
    const bytes = Buffer.from(JSON.stringify(message), act.encoding === 'latin1' ? 'latin1' : 'utf8');
    return wire.message(bytes, { message, last: act.continues !== true, stray, ...(exchange ? { exchange } : {}) });
  }

  /** A body or event of the script with live ids; left as it stands where nothing in it is translated. */
  function translated(text: string): string {
    const message = parseJson(text);
    if (message === undefined) return text;
    const live = ids.toLive(message);
    return JSON.stringify(live) === JSON.stringify(message) ? text : JSON.stringify(live);
  }

  function observe(message: unknown): void {
    for (const one of [message].flat()) {
      if (!isRecord(one) || 'method' in one) continue;
      const request = requests.get(one.id);
      if (request) plain.learn(request, one);
    }
  }

  return {
    plain,
    take,
    get waiting() {
      return uncarried.length > 0;
    },
    get outlivesStdin() {
      return section?.outlivesStdin;
    },
    begin() {
      if (section && !section.handshake) open();
    },
    settled() {
      if (opening === 'due') open();
    },
    flush() {
      const held = uncarried;
      uncarried = [];
      for (const act of held) if (!put(act, true)) uncarried.push(act);
    },
  };
}

function labelOf(act: object): string | undefined {
  return 'label' in act ? (act.label as string | undefined) : undefined;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, pauseMs);
  });
}
