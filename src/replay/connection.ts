/** One client of a replay: each of its messages gets what the recording has for it. Must not know transports. */
import { setTimeout as wait } from 'node:timers/promises';
import { asObject, isObject, type JsonObject } from '../core/model/json.ts';
import { stringifyExact } from '../core/trace/importers/exact-json.ts';
import { canonical } from '../core/model/json.ts';
import type { Faults, FaultRule } from './faults.ts';
import { createMatcher, titleOf, type MatchOptions, type Miss } from './match.ts';
import { plainHandshake, plainResult } from './plain.ts';
import { keyOf, subscriptionKey, tokenOf, type Recording, type Said, type Turn } from './recording.ts';
import type { ReplayCounts } from './counts.ts';

/** The way of one request: what is sent on it belongs to the request. */
export interface Way {
  /** Sends what comes before the response of a turn; a question of another stream takes that stream where there is one. */
  send(text: string, turn?: Turn, said?: Said): void;
  /** The response, which ends it; undefined: it stays unanswered. */
  reply(text: string | undefined, turn?: Turn): void;
  /** The response breaks off. */
  cut(text: string): void;
  /** A notification was taken; the turn is what it got. */
  took(turn: Turn | undefined): void;
  /** An HTTP status without a response; over stdio an error stands for it. */
  refuse(status: number): void;
  /** The connection ends. */
  drop(): void;
}

export interface ReplayOptions {
  match: MatchOptions;
  /** Pace of the recording: 0 without waiting, 1 as recorded, 2 twice as fast. */
  speed: number;
  onMiss: 'error' | 'plain' | 'ask';
  /** Answers what was not recorded, for `ask`: the member of a response, with its name. */
  ask?(method: string, params: unknown): Promise<{ member: 'result' | 'error'; value: unknown }>;
  faults: Faults;
  /** Requests after which the tools change; undefined: never. */
  toolsChangeAfter?: number;
  counts: ReplayCounts;
}

/** How long the server waits for the answer to a question of its own, in milliseconds. */
const answerMs = 10_000;
/** Shortest gap between messages that is kept without a pace, and the longest, in milliseconds. */
const apartMs = { least: 4, most: 15 };
/** Longest pause that is kept, in milliseconds. */
const longestPause = 60_000;

export class ReplayConnection {
  private readonly matcher: ReturnType<typeof createMatcher>;
  private readonly waiting = new Map<string, { said: Said; done: () => void }>();
  private asked = 0;
  private requests = 0;
  private handshaken = false;
  private ended = false;
  /** Ends when all that belongs to no response has been sent, one after another. */
  private saying: Promise<void> = Promise.resolve();
  /** Ends their pauses. */
  private pauses = new AbortController();
  private readonly number: number;
  private readonly recording: Recording;
  private readonly options: ReplayOptions;
  private readonly push: (text: string) => void;

  /**
   * @param number from 0: which recorded connection it follows first
   * @param push sends what belongs to no request
   */
  constructor(recording: Recording, number: number, options: ReplayOptions, push: (text: string) => void) {
    this.recording = recording;
    this.number = number;
    this.options = options;
    this.push = push;
    this.matcher = createMatcher(recording.turns, number, options.match);
  }

  /** The client is there. */
  begin(): void {
    void this.sayLater(this.recording.openings[this.number] ?? []);
  }

  /**
   * Sends what belongs to no request, at the pace of the recording; at once where the client does not wait for it. So it
   * comes before the responses that it was recorded before.
   */
  private sayLater(all: readonly Said[]): Promise<void> {
    const { signal } = this.pauses;
    this.saying = this.saying.then(() => this.sayAll(all, (text) => this.push(text), undefined, new Map(), signal));
    return this.saying;
  }

  /** The client waits for nothing more of what belongs to no request. */
  hasten(): void {
    this.pauses.abort();
    this.pauses = new AbortController();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const { done } of this.waiting.values()) done();
    if (this.handshaken) this.options.counts.unused(this.matcher.unused());
  }

  /** Takes one message. Resolves when what it leads to has been sent; never rejects. */
  async take(message: JsonObject, way: Way): Promise<void> {
    const { method, id } = message;
    if (typeof method !== 'string') return this.takeAnswer(message);
    if (!('id' in message)) {
      const turn = this.matcher.notice(method);
      way.took(turn);
      if (turn !== undefined) await this.sayLater(turn.after);
      return;
    }
    await this.takeRequest(method, id, message['params'], way);
  }

  private takeAnswer(message: JsonObject): void {
    const key = keyOf(message['id']);
    const waited = this.waiting.get(key);
    if (waited === undefined) return;
    this.waiting.delete(key);
    const recorded = waited.said.answer;
    const differs = recorded !== undefined && bodyOf(recorded) !== bodyOf(message);
    if (differs) this.options.counts.otherAnswer(String(waited.said.message['method']));
    waited.done();
  }

  private async takeRequest(method: string, id: unknown, params: unknown, way: Way): Promise<void> {
    const { counts, faults } = this.options;
    this.requests += 1;
    // Further requests may come before the response.
    const number = this.requests;
    counts.request();
    if (method === 'initialize' || method === 'server/discover') this.handshaken = true;
    const made = faults.of(method, params);
    for (const { kind, value } of made) if (kind === 'latency') await wait(value);
    const found = this.matcher.request(method, params);
    this.hasten();
    await this.saying;
    const text =
      'turn' in found
        ? await this.recorded(found.turn, id, params, way)
        : await this.missed(found.miss, method, id, params);
    if (text === undefined && 'turn' in found && found.turn.cancelled === undefined && found.turn.http !== undefined)
      way.reply(undefined, found.turn);
    else if (text !== undefined)
      this.give(made, id, this.changed(method, text, number), way, 'turn' in found ? found.turn : undefined);
    if ('turn' in found) await this.sayLater(found.turn.after);
    if (this.options.toolsChangeAfter === number) {
      faults.note('tools');
      this.push('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    }
  }

  /** The response of a turn under the id of the client, after what came before it. */
  private async recorded(turn: Turn, id: unknown, params: unknown, way: Way): Promise<string | undefined> {
    this.options.counts.served();
    const names = new Map<string, unknown>();
    if (tokenOf(turn.params) !== undefined) names.set(`token ${keyOf(tokenOf(turn.params))}`, tokenOf(params));
    if (turn.id !== undefined) names.set(`id ${keyOf(turn.id)}`, id);
    await this.sayAll(turn.before, (text, said) => way.send(text, turn, said), turn, names);
    if (turn.reply === undefined) {
      if (turn.cancelled !== undefined || turn.http !== undefined) return undefined;
      return errorText(id, -32603, `the recording ends before the response to ${titleOf(turn.method, turn.params)}`);
    }
    const last = turn.before.at(-1);
    if (last !== undefined) await this.apart(turn.reply.afterMs - last.afterMs);
    await this.pause(turn.reply.afterMs - (last?.afterMs ?? 0));
    return stringifyExact(renamed({ ...turn.reply.message, id }, names));
  }

  private async missed(miss: Miss, method: string, id: unknown, params: unknown): Promise<string> {
    if (method === 'initialize' && !this.recording.turns.some((turn) => turn.method === method))
      return resultText(id, plainHandshake(this.recording, asObject(params)?.['protocolVersion']));
    if (method === 'ping') return resultText(id, {});
    this.options.counts.miss(miss.words);
    if (this.options.onMiss === 'ask' && this.options.ask !== undefined) {
      const { member, value } = await this.options.ask(method, params);
      return stringifyExact({ jsonrpc: '2.0', id, [member]: value });
    }
    const plain = this.options.onMiss === 'plain' ? plainResult(method) : undefined;
    if (plain !== undefined) return resultText(id, plain);
    return errorText(id, miss.known ? -32602 : -32601, miss.words);
  }

  /** Sends messages of the server; its own questions wait for the answer of the client. */
  private async sayAll(
    all: readonly Said[],
    send: (text: string, said: Said) => void,
    turn: Turn | undefined,
    names: ReadonlyMap<string, unknown>,
    hastened?: AbortSignal,
  ): Promise<void> {
    let past = 0;
    for (const said of all) {
      if (this.ended) return;
      if (past > 0) await this.apart(said.afterMs - past);
      await this.pause(said.afterMs - past, hastened);
      past = said.afterMs;
      const message = renamed(said.message, names);
      if (message === undefined) continue;
      if (!('id' in message)) {
        send(stringifyExact(message), said);
        continue;
      }
      this.asked += 1;
      const own = `replay-${this.number + 1}-${this.asked}`;
      const answered = new Promise<void>((done) => this.waiting.set(keyOf(own), { said, done }));
      send(stringifyExact({ ...message, id: own }), said);
      // What the recorded client left unanswered is not waited for.
      if (said.answer !== undefined && turn !== undefined) await within(answered, answerMs);
    }
  }

  /** Keeps messages apart that came apart: clients handle those of one piece in another order. */
  private async apart(ms: number): Promise<void> {
    if (this.options.speed === 0 && this.recording.timing && ms > apartMs.least) await wait(Math.min(ms, apartMs.most));
  }

  private async pause(ms: number, hastened?: AbortSignal): Promise<void> {
    const { speed } = this.options;
    if (speed === 0 || !this.recording.timing || ms <= 0) return;
    await wait(Math.min(ms / speed, longestPause), undefined, hastened === undefined ? {} : { signal: hastened }).catch(
      () => {},
    );
  }

  /** A list of tools after the change: the first one is gone. */
  private changed(method: string, text: string, number: number): string {
    const { toolsChangeAfter } = this.options;
    if (toolsChangeAfter === undefined || method !== 'tools/list' || number <= toolsChangeAfter) return text;
    const message = JSON.parse(text) as { result?: { tools?: unknown } };
    if (Array.isArray(message.result?.tools)) message.result.tools.shift();
    return JSON.stringify(message);
  }

  private give(made: readonly FaultRule[], id: unknown, text: string, way: Way, turn: Turn | undefined): void {
    const [fault] = made.filter(({ kind }) => kind !== 'latency');
    switch (fault?.kind) {
      case 'error':
        return way.reply(errorText(id, -32603, 'an error that --fault makes'), turn);
      case 'empty':
        return way.reply(resultText(id, {}), turn);
      case 'invalid':
        return way.reply(text.slice(0, -1), turn);
      case 'cut':
        return way.cut(text);
      case 'disconnect':
        return way.drop();
      case 'status':
        return way.refuse(fault.value);
      default:
        return way.reply(text, turn);
    }
  }
}

/** A message with the client's names for its requests; undefined for progress that this client did not ask for. */
function renamed(message: JsonObject, names: ReadonlyMap<string, unknown>): JsonObject | undefined {
  const { params } = message;
  if (names.size === 0 || !isObject(params)) return message;
  const token = params['progressToken'];
  if (message['method'] === 'notifications/progress' && names.has(`token ${keyOf(token)}`)) {
    const own = names.get(`token ${keyOf(token)}`);
    return own === undefined ? undefined : { ...message, params: { ...params, progressToken: own } };
  }
  const meta = params['_meta'];
  if (!isObject(meta) || meta[subscriptionKey] === undefined) return message;
  const own = names.get(`id ${keyOf(meta[subscriptionKey])}`);
  return own === undefined
    ? message
    : { ...message, params: { ...params, _meta: { ...meta, [subscriptionKey]: own } } };
}

function bodyOf({ result, error }: JsonObject): string {
  return canonical(result ?? error);
}

export function errorText(id: unknown, code: number, message: string): string {
  return stringifyExact({ jsonrpc: '2.0', id, error: { code, message } });
}

function resultText(id: unknown, result: unknown): string {
  return stringifyExact({ jsonrpc: '2.0', id, result });
}

async function within(done: Promise<void>, ms: number): Promise<void> {
  const over = new AbortController();
  await Promise.race([done, wait(ms, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}
