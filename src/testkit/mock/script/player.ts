/**
 * Plays a script on one connection: finds the line for each action of the live client, and does what the script says
 * next; the plain server answers the rest. Knows transports only as a wire to act on.
 */
import { isRecord, parseJson, type Json } from '../json.ts';
import type { Offers } from '../plain/offers.ts';
import { createPlainServer, type PlainServer } from '../plain/plain-server.ts';
import type { Exchange } from './exchange.ts';
import type { Arrival } from './match.ts';
import { createReading, type Part } from './reading.ts';
import { labelOf, type ClientLine, type Script, type Section, type ServerAct } from '../script.ts';

/** Services of a transport for the player. */
export interface Wire {
  /** Puts one message out; false when there is nothing to carry it yet. */
  message(bytes: Buffer, how: OutgoingMessage): boolean;
  /** Puts out bytes that are no message. */
  raw(text: string, exchange: Exchange | undefined): void;
  /**
   * The exchange of an act.
   * @param own exchange of the preceding client line
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
const pauseMs = 10;

interface PlacedAct {
  act: ServerAct;
  exchange: Exchange | undefined;
}

type MessageAct = Extract<ServerAct, { act: 'server-message' }>;

export interface PlayerOptions {
  script: Script;
  offers: Offers;
  part: Part;
  /** Takes a section for this connection alone; false when another has it. */
  claim(section: number): boolean;
  wire: Wire;
  connection: Connection;
}

export function createPlayer(options: PlayerOptions): Player {
  const { script, wire, connection } = options;
  const plain = createPlainServer({
    era: script.era,
    revision: script.revision,
    capabilities: script.capabilities,
    offers: options.offers,
  });
  const reading = createReading({
    script,
    part: options.part,
    claim: options.claim,
    situation: () => ({
      ...(connection.sessionId === undefined ? {} : { sessionId: connection.sessionId }),
      ...(plain.negotiated === undefined ? {} : { negotiated: plain.negotiated }),
    }),
  });
  const requests = new Map<unknown, Json>();
  /** Acts that refer to something that the client has not sent yet. */
  let early: PlacedAct[] = [];
  /** Acts behind a scripted silence: they come with the client's next move. */
  let late: PlacedAct[] = [];
  /** Messages that nothing could carry yet. */
  let uncarried: MessageAct[] = [];
  let opening: 'to come' | 'due' | 'played' = 'to come';

  function open(): void {
    if (!reading.section || opening === 'played') return;
    opening = 'played';
    void perform(reading.section.opening, undefined);
  }

  function take(arrival: Arrival): Taken {
    performAll(late.splice(0));
    if (reading.choose(arrival)) open();
    remember(arrival);
    const met = reading.meet(arrival);
    if (met.as === 'handshake' && met.over) opening = 'due';
    if (met.as !== 'line') return { scripted: false };
    performAll(early.splice(0));
    const finished = perform(met.line.reactions, met.exchange);
    return { scripted: true, silent: isSilent(met.line), ...(finished ? { finished } : {}) };
  }

  function performAll(acts: readonly PlacedAct[]): void {
    for (const { act, exchange } of acts) performOne(act, exchange);
  }

  function remember(arrival: Arrival): void {
    if (arrival.kind !== 'message') return;
    for (const one of [arrival.message].flat())
      if (isRecord(one) && 'method' in one && 'id' in one) requests.set(one.id, one);
  }

  /** The script says that no answer comes, or has it come with a later line. */
  function isSilent(line: ClientLine): boolean {
    const label = labelOf(line.act);
    const waits = line.reactions.some(
      (act) => act.act === 'timeout' || act.act === 'server-closed' || act.act === 'exit',
    );
    return (
      waits ||
      (label !== undefined &&
        reading.section!.lines.some((other) => other !== line && other.reactions.some((act) => labelOf(act) === label)))
    );
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
    if (label !== undefined && script.transport !== 'stdio' && !reading.labels.has(label)) {
      early.push({ act, exchange: own });
      return;
    }
    const exchange = label === undefined ? wire.target(act.act, own) : reading.labels.get(label);
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

  function replyInFull(
    { status, headers, body }: Extract<ServerAct, { act: 'server-status' }>,
    exchange: Exchange | undefined,
  ): void {
    const text = translated(body);
    const message = parseJson(text);
    const type: Record<string, string> =
      text === '' ? {} : { 'content-type': message === undefined ? 'text/plain' : 'application/json' };
    const issued = headers['mcp-session-id'];
    if (issued !== undefined && script.era === 'stateful') connection.sessionId ??= issued;
    observe(message);
    exchange?.reply(status, { ...type, ...headers }, text === '' ? undefined : Buffer.from(text));
  }

  function sendEvent(
    { event, id, retry, data }: Extract<ServerAct, { act: 'server-event' }>,
    exchange: Exchange | undefined,
  ): void {
    const text = translated(data);
    observe(parseJson(text));
    if (!exchange?.replied) exchange?.stream({});
    const fields = {
      ...(event === undefined ? {} : { event }),
      ...(id === undefined ? {} : { id }),
      ...(retry === undefined ? {} : { retry }),
    };
    exchange?.event({ ...fields, data: Buffer.from(text) });
  }

  function sendMessage(act: MessageAct, own: Exchange | undefined): void {
    const answers = [act.message].flat().filter((one): one is Json => isRecord(one) && !('method' in one));
    if (answers.some((one) => reading.isToCome(one.id))) early.push({ act, exchange: own });
    else if (!put(act, false)) uncarried.push(act);
  }

  function put(act: MessageAct, stray: boolean): boolean {
    const message = reading.ids.toLive(act.message);
    observe(message);
    const exchange = act.label === undefined ? undefined : reading.labels.get(act.label);
    const bytes = Buffer.from(
      act.text === undefined ? JSON.stringify(message) : withLiveId(act.text, act.message, message),
      act.encoding === 'latin1' ? 'latin1' : 'utf8',
    );
    return wire.message(bytes, { message, last: act.continues !== true, stray, ...(exchange ? { exchange } : {}) });
  }

  /** A body or event of the script with live ids; unchanged if it has none. */
  function translated(text: string): string {
    const message = parseJson(text);
    if (message === undefined) return text;
    const live = reading.ids.toLive(message);
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
      return reading.section?.outlivesStdin;
    },
    begin() {
      if (reading.section?.handshake === false) open();
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

/** The text of a script, in which nothing but the id of the message is translated. */
function withLiveId(text: string, scripted: unknown, live: unknown): string {
  if (!isRecord(scripted) || !isRecord(live) || !('id' in scripted)) return text;
  return text.replace(`"id":${JSON.stringify(scripted.id)}`, () => `"id":${JSON.stringify(live.id)}`);
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, pauseMs);
  });
}
