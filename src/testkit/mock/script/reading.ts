/**
 * Position of a connection in a script: its section, its finished lines, and the live values of the script's ids and
 * labels. It finds the line that something expects, and does nothing upon it.
 */
import { isRecord, recordOf } from '../json.ts';
import type { Exchange } from './exchange.ts';
import { createIdMap, type IdMap } from './id-map.ts';
import { fit, type Arrival, type MatchContext } from './match.ts';
import { labelOf, serverMessages, type ClientLine, type Script, type Section } from '../script.ts';

/**
 * Content of a connection: the script's first section, the first free one that matches the client's message, or only
 * the plain server.
 */
export type Part = 'first' | 'further' | 'plain';

export interface ReadingOptions {
  script: Script;
  part: Part;
  /** Takes a section for this connection alone; false when another has it. */
  claim(section: number): boolean;
  /** Current state of the connection: session and negotiated version. */
  situation(): { sessionId?: string; negotiated?: string };
}

/** `handshake`: part of the default handshake, with `over` at its end. `line`: a line of the script expects it. */
export type Met =
  | { as: 'handshake'; over: boolean }
  | { as: 'line'; line: ClientLine; exchange: Exchange | undefined }
  | { as: 'other' };

export interface Reading {
  readonly section: Section | undefined;
  readonly ids: IdMap;
  readonly labels: ReadonlyMap<string, Exchange>;
  /** Chooses a section for a connection that has none yet; true when one was entered that has no handshake. */
  choose(arrival: Arrival): boolean;
  /** Takes the arrival for what it is; ids and labels are known from then on. */
  meet(arrival: Arrival): Met;
  /** The script has a request with the id, which the client has not sent so far. */
  isToCome(scriptedId: unknown): boolean;
}

export function createReading(options: ReadingOptions): Reading {
  const { script } = options;
  let section: Section | undefined;
  let ids: IdMap = createIdMap(new Set());
  let scriptIds = new Set<unknown>();
  const labels = new Map<string, Exchange>();
  const used = new Set<ClientLine>();
  let chosen = options.part !== 'further';
  let greeted = false;
  let handshakeOver = false;

  if (options.part === 'first') enter(script.sections[0]!);

  function enter(entered: Section): void {
    section = entered;
    ids = createIdMap(
      new Set(
        serverMessages(entered)
          .filter((one) => 'method' in one && 'id' in one)
          .map((one) => one.id),
      ),
    );
    const sent = entered.lines.flatMap(({ act }) => (act.act === 'client-message' ? [act.message].flat() : []));
    scriptIds = new Set(
      sent
        .filter(isRecord)
        .filter((one) => 'method' in one && 'id' in one)
        .map((one) => one.id),
    );
  }

  function context(): MatchContext {
    const { transport, era, revision } = script;
    return {
      ids,
      labels,
      headers: { transport, era, revision, ...options.situation() },
      main: options.part === 'first',
    };
  }

  function choose(arrival: Arrival): boolean {
    // The request that opens the stream of HTTP+SSE says nothing about what the client is going to do.
    if (chosen || (script.transport === 'sse' && arrival.kind === 'http')) return false;
    chosen = true;
    for (const [index, candidate] of script.sections.entries()) {
      if (index === 0) continue;
      const first = candidate.lines[0];
      const fits = candidate.handshake
        ? greets(arrival) === 'plainly'
        : first && fit(first.act, arrival, context()) !== undefined;
      if (!fits || !options.claim(index)) continue;
      enter(candidate);
      return !candidate.handshake;
    }
    return false;
  }

  /** True if the action opens the default handshake. */
  function greets(arrival: Arrival): 'plainly' | 'otherwise' | undefined {
    if (arrival.kind !== 'message' || !isRecord(arrival.message) || !('id' in arrival.message)) return undefined;
    const { method, params } = arrival.message;
    if (method !== (script.era === 'stateless' ? 'server/discover' : 'initialize')) return undefined;
    return script.era === 'stateless' || recordOf(params).protocolVersion === script.revision ? 'plainly' : 'otherwise';
  }

  /** The default handshake is not in the script, so its messages match no line. */
  function inHandshake(arrival: Arrival): Met | undefined {
    if (!section?.handshake || handshakeOver || arrival.kind !== 'message' || !isRecord(arrival.message))
      return undefined;
    if (!greeted && greets(arrival) !== undefined) {
      greeted = true;
      ids.learnId('handshake', arrival.message.id);
      handshakeOver = script.era === 'stateless';
      return { as: 'handshake', over: handshakeOver };
    }
    handshakeOver = arrival.message.method === 'notifications/initialized';
    return handshakeOver ? { as: 'handshake', over: true } : undefined;
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
    if (!isRecord(scripted) || !isRecord(live)) return;
    const taskId = recordOf(recordOf(scripted.result).task).taskId;
    if (taskId !== undefined) ids.learnTask(taskId, recordOf(recordOf(live.result).task).taskId);
    if (!('method' in scripted) || !('id' in scripted)) return;
    ids.learnId(scripted.id, live.id);
    if (scripted.method === 'initialize')
      ids.learnVersion(recordOf(scripted.params).protocolVersion, recordOf(live.params).protocolVersion);
    const meta = recordOf(recordOf(scripted.params)._meta);
    if ('progressToken' in meta)
      ids.learnToken(meta.progressToken, recordOf(recordOf(live.params)._meta).progressToken);
  }

  function meet(arrival: Arrival): Met {
    const handshake = inHandshake(arrival);
    if (handshake) return handshake;
    const line = findLine(arrival);
    if (!line) return { as: 'other' };
    used.add(line);
    const exchange =
      arrival.kind === 'drop' ? arrival.exchange : 'http' in arrival ? arrival.http?.exchange : undefined;
    if (line.act.act === 'client-message' && arrival.kind === 'message') learnIds(line.act.message, arrival.message);
    const label = labelOf(line.act);
    if (label !== undefined && exchange) labels.set(label, exchange);
    return { as: 'line', line, exchange };
  }

  return {
    get section() {
      return section;
    },
    get ids() {
      return ids;
    },
    labels,
    choose,
    meet,
    isToCome: (id) => scriptIds.has(id) && !ids.knowsId(id),
  };
}
