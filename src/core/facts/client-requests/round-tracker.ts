/**
 * Follows multi round-trips of the stateless era (2026-07-28: basic/patterns/mrtr): which request continues which
 * input_required result, whether it has the requested input, and the outcome of the same correct request. It makes no
 * judgement.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject, asText, canonical, isObject, type JsonObject } from '../../model/json.ts';
import { forgedState } from '../../model/made-up-tokens.ts';
import type { Definitions, Facts, Feature, Hooks } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { declaredCapabilitiesOf, paramsOf } from '../values/rpc.ts';

/** Methods whose results may ask for input. */
const askingMethods: ReadonlySet<unknown> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Results that asked and may still be taken up; outcomes of requests that are remembered. */
const keptRounds = 500;
const keptOutcomes = 1000;
const longestKey = 20_000;

/** Relation of a request to the result that it continues. */
export interface Retry {
  /** The request whose result asked. */
  of: RpcRecord;
  /** Requests of the round-trip so far, this one included. */
  round: number;
  state: 'echoed' | 'none' | 'left-out' | 'added' | 'changed' | 'foreign';
  /** The request compared to the one whose result asked. */
  request: 'same' | 'altered' | 'other' | undefined;
  /** Its id is that of the request whose result asked. */
  sameId: boolean;
  asked: string[];
  missing: string[];
  extra: string[];
  malformed: boolean;
  unfit: string[];
}

interface Round {
  record: RpcRecord;
  round: number;
  key: string;
  state: unknown;
  asks: JsonObject;
  taken: boolean;
}

type End = 'complete' | 'failed' | 'input_required' | 'error' | 'none';

interface Outcomes {
  /** Of the faultless retry: how it ended, with what, and the events. */
  due?: { end: End; answer: string | undefined; events: readonly number[] };
  /** Outcomes of the same without its state, and with an invented one. */
  stateless?: End;
  forged?: End;
  /** Of the retry without any of the answers. */
  unanswered?: End;
}

interface Kept {
  /** The oldest first, at most `keptRounds`. */
  rounds: Round[];
  retries: WeakMap<RpcRecord, Retry>;
  outcomes: Map<string, Outcomes>;
  /** Requests whose result asked for input that was never brought, by what they asked. */
  left: Map<string, number>;
  /** Methods that requests asked for. */
  wanted: Map<string, Set<string>>;
}

const kept = storeOf<Kept>(() => ({
  rounds: [],
  retries: new WeakMap(),
  outcomes: new BoundedMap(keptOutcomes),
  left: new BoundedMap(keptOutcomes),
  wanted: new BoundedMap(keptOutcomes),
}));

const exchangeFacts: Definitions<RpcRecord> = {
  rounds: {
    says: 'tools/call, prompts/get, resources/read in the stateless era: which request of a multi round-trip it is, 1 for the first.',
    rests: ['order'],
    read: (record) => roundOf(record),
  },
  retry: {
    says: 'The request takes up a result that asked for input: state (echoed, none where there is none, left-out, added, changed, or foreign: that of another request), request (compared to the one whose result asked: same, altered in other params than its name or uri, or other), sameId (it has the id of that one), asked, missing, extra (keys of its inputResponses), malformed (they are no object), unfit (keys whose value is no answer to the question), due (how the faultless retry of the same request ended before on the connection: complete, failed by isError, input_required, error or none), sameAnswer (it ended with an equal result), needed (without any answer it did not come to an end), stateMatters (without the state, and with one that nobody gave out, it did not come to that).',
    rests: ['order', 'start'],
  },
  wantedBefore: {
    says: 'tools/call, prompts/get, resources/read: methods of what the same request had asked the client for earlier on the connection.',
    rests: ['order', 'start'],
  },
  leftBefore: {
    says: 'tools/call, prompts/get, resources/read: how often the same request, by a client of the same capabilities, had asked for input on the connection that was not brought.',
    rests: ['order', 'start'],
  },
};

export const inputRounds: Feature = {
  name: 'input-rounds',
  facts: { exchange: exchangeFacts },
  create: createRounds,
};

/** The result that a request continues; undefined for a new one. */
export function retryOf(record: RpcRecord): Retry | undefined {
  return kept(record.session).retries.get(record);
}

/** The result with which a request was asked for input. */
export function askedBy({ reply, method }: RpcRecord): JsonObject | undefined {
  const result = askingMethods.has(method) ? asObject(asObject(reply)?.result) : undefined;
  return result?.resultType === 'input_required' ? result : undefined;
}

function roundOf(record: RpcRecord): number | undefined {
  if (record.from !== 'client' || !askingMethods.has(record.method) || record.session.era !== 'stateless')
    return undefined;
  return retryOf(record)?.round ?? 1;
}

function createRounds(): Hooks {
  return {
    request(record) {
      if (record.from !== 'client' || !askingMethods.has(record.method)) return undefined;
      const params = paramsOf(record.message);
      if (!params || !('inputResponses' in params || 'requestState' in params)) return undefined;
      const round = takenUp(record, params);
      if (round) kept(record.session).retries.set(record, retryFrom(round, record, params));
      return undefined;
    },

    answered(record) {
      if (record.from !== 'client' || !askingMethods.has(record.method) || record.session.era !== 'stateless')
        return undefined;
      const store = kept(record.session);
      const key = keyOf(record);
      const retry = store.retries.get(record);
      const facts: Facts = {};
      const events: number[] = [];
      if (retry) {
        const compared = compare(retry, record, outcomesOf(key, retry, store));
        facts.retry = compared.fact;
        for (const event of retry.of.events) events.push(event);
        for (const event of compared.events) events.push(event);
      } else {
        const left = store.left.get(leftKey(record));
        if (left !== undefined) facts.leftBefore = left;
      }
      const wanted = store.wanted.get(key);
      if (wanted && !retry) facts.wantedBefore = [...wanted];
      const asks = askedBy(record);
      if (asks && key.length <= longestKey)
        keep(
          {
            record,
            round: retry?.round ?? 1,
            key,
            state: asks.requestState,
            asks: asObject(asks.inputRequests) ?? {},
            taken: false,
          },
          store,
        );
      return retry || facts.leftBefore !== undefined || wanted ? { facts, events } : undefined;
    },
  };
}

function keep(round: Round, { rounds, left, wanted }: Kept): void {
  rounds.push(round);
  if (rounds.length > keptRounds) rounds.shift();
  const methods = wanted.get(round.key) ?? new Set<string>();
  for (const one of Object.values(round.asks)) if (methods.size < 10) methods.add(asText(asObject(one)?.method));
  wanted.set(round.key, methods);
  const open = leftKey(round.record);
  left.set(open, (left.get(open) ?? 0) + 1);
}

/** The newest result that fits best: the same request with the same state, the same request, the same state. */
function takenUp(record: RpcRecord, params: JsonObject): { round: Round; same: boolean } | undefined {
  const { rounds, left } = kept(record.session);
  const key = keyOf(record);
  let best: { round: Round; score: number } | undefined;
  for (const round of rounds) {
    const state = round.state === params.requestState;
    const score =
      (round.key === key ? 4 : 0) +
      (state && (round.key === key || typeof round.state === 'string') ? 2 : 0) +
      (round.taken ? 0 : 1);
    if (score > 1 && (best === undefined || score >= best.score)) best = { round, score };
  }
  if (!best) return undefined;
  const { round } = best;
  const same = round.key === key;
  const open = leftKey(round.record);
  if (same && !round.taken) left.set(open, Math.max(0, (left.get(open) ?? 1) - 1));
  if (same) round.taken = true;
  return { round, same };
}

function retryFrom(
  { round, same }: { round: Round; same: boolean },
  record: RpcRecord,
  { inputResponses, requestState }: JsonObject,
): Retry {
  const asked = Object.keys(round.asks);
  const request = same ? 'same' : comparedTo(round.record, record);
  const given = asObject(inputResponses) ?? {};
  const malformed = inputResponses !== undefined && !isObject(inputResponses);
  return {
    of: round.record,
    round: same ? round.round + 1 : 1,
    state: request === 'same' ? stateOf(round.state, requestState, record) : 'foreign',
    request,
    sameId: record.id === round.record.id,
    asked,
    missing: asked.filter((key) => given[key] === undefined),
    extra: Object.keys(given).filter((key) => !Object.hasOwn(round.asks, key)),
    malformed,
    unfit: asked.filter(
      (key) => given[key] !== undefined && !isAnswerTo(asObject(round.asks[key])?.method, given[key]),
    ),
  };
}

function stateOf(given: unknown, back: unknown, record: RpcRecord): Retry['state'] {
  if (given === undefined) return back === undefined ? 'none' : 'added';
  if (back === undefined) return 'left-out';
  if (back === given) return 'echoed';
  const key = keyOf(record);
  return kept(record.session).rounds.some((round) => round.state === back && round.key !== key) ? 'foreign' : 'changed';
}

/** Compares a request with the one whose result asked, where their texts differ. */
function comparedTo(asked: RpcRecord, record: RpcRecord): Retry['request'] {
  if (asked.emptied === true || record.emptied === true) return undefined;
  const [one, other] = [asked, record].map(({ method, message }) => {
    const { _meta, inputResponses: _responses, requestState: _state, ...params } = paramsOf(message) ?? {};
    return { target: canonical([method, params.name, params.uri]), whole: canonical([method, params]) };
  }) as [{ target: string; whole: string }, { target: string; whole: string }];
  return one.whole === other.whole ? 'same' : one.target === other.target ? 'altered' : 'other';
}

/** True if a value has the required members of an answer to the method. */
function isAnswerTo(method: unknown, value: unknown): boolean {
  const answer = asObject(value);
  if (!answer) return false;
  if (method === 'roots/list') return Array.isArray(answer.roots);
  if (method === 'sampling/createMessage')
    return typeof answer.role === 'string' && typeof answer.model === 'string' && answer.content !== undefined;
  // Answers to other methods are unknown.
  return method !== 'elicitation/create' || ['accept', 'decline', 'cancel'].includes(asText(answer.action));
}

/** Outcomes of retries of such a request, from the same round on. */
function outcomesOf(key: string, { round, asked }: Retry, { outcomes }: Kept): Outcomes {
  const name = JSON.stringify([round, asked, key]);
  const known = outcomes.get(name) ?? {};
  outcomes.set(name, known);
  return known;
}

function compare(retry: Retry, record: RpcRecord, known: Outcomes): { fact: JsonObject; events: readonly number[] } {
  const { of: _of, round: _round, ...reported } = retry;
  const end = endOf(record);
  const answer = answerOf(record);
  const { due } = known;
  const complete =
    retry.missing.length === 0 && retry.extra.length === 0 && !retry.malformed && retry.unfit.length === 0;
  const fact: JsonObject = {
    ...reported,
    ...(due === undefined ? {} : { due: due.end, sameAnswer: answer !== undefined && due.answer === answer }),
    ...(known.unanswered === undefined ? {} : { needed: known.unanswered !== 'complete' }),
    ...(known.stateless === undefined || known.forged === undefined
      ? {}
      : { stateMatters: known.stateless !== 'complete' && known.forged !== 'complete' }),
  };
  if (complete && (retry.state === 'echoed' || retry.state === 'none'))
    known.due ??= { end, answer, events: [...record.events] };
  if (complete && retry.state === 'left-out') known.stateless ??= end;
  if (retry.state === 'echoed' && !retry.malformed && retry.missing.length === retry.asked.length)
    known.unanswered ??= end;
  const state = paramsOf(record.message)?.requestState;
  if (complete && retry.state === 'changed' && typeof state === 'string' && state.startsWith(forgedState))
    known.forged ??= end;
  return { fact, events: due?.events ?? [] };
}

function endOf(record: RpcRecord): End {
  const reply = asObject(record.reply);
  if (reply?.error !== undefined) return 'error';
  const result = asObject(reply?.result);
  if (!result) return 'none';
  if (result.resultType === 'input_required') return 'input_required';
  return result.isError === true ? 'failed' : 'complete';
}

/** The answer to a request, without its _meta. */
function answerOf({ reply }: RpcRecord): string | undefined {
  const result = asObject(asObject(reply)?.result);
  if (!result) return undefined;
  const { _meta, ...rest } = result;
  const text = JSON.stringify(rest);
  return text.length <= longestKey ? text : undefined;
}

/** The same, by a client with the same declarations. */
function leftKey(record: RpcRecord): string {
  return `${JSON.stringify(declaredCapabilitiesOf(record.message) ?? null)} ${keyOf(record)}`;
}

/** Keys that were made before: a record is asked about when it is sent, when it is answered, and by each of its retries. */
const keys = new WeakMap<RpcRecord, string>();

/** Identifies a request across rounds. */
function keyOf(record: RpcRecord): string {
  const known = keys.get(record);
  if (known !== undefined) return known;
  const { _meta, inputResponses: _responses, requestState: _state, ...params } = paramsOf(record.message) ?? {};
  const key = JSON.stringify([record.method, params]);
  keys.set(record, key);
  return key;
}
