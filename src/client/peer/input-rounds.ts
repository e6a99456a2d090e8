/**
 * Multi round-trips of the stateless era (2026-07-28: basic/patterns/mrtr). A result that asks for input is answered as
 * by a correct client: the same request with a new id, an answer under each key, and the unchanged requestState. It
 * goes on until the result is complete, and never agrees to anything in the name of a tool that may do harm.
 */
import { fitOf, isMisfit } from '../../core/json-schema/schema-fit.ts';
import { asObject, isObject } from '../../core/model/json.ts';
import type { EventSink } from '../../core/model/trace.ts';
import type { Answer, Peer, Pending } from './peer.ts';
import type { Answerer } from './answers/client-answers.ts';
import type { Inputs } from './answers/client-behavior.ts';

type Json = Record<string, unknown>;

export interface InputRoundsOptions {
  session: string;
  sink: EventSink;
  request: Peer['request'];
  answerer: Answerer;
  /** Capabilities of the client. */
  declared(): Json;
  /** True if the client may agree to requests made on behalf of this request. */
  mayAgree(method: string, params: Json): boolean;
  isAlive(): boolean;
  /** The content that a user's hints give for a form. */
  hintedAnswer?(method: string, params: Json, key: string): Json | undefined;
}

/** Rounds of answers to one request. */
export const mostRounds = 8;
/** Characters of a requestState that is sent back. */
const longestState = 1_000_000;
/** Questions of one round. */
const mostInputs = 100;

const inputMethods: ReadonlySet<unknown> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/** The result with which a server asks for input; undefined for every other answer. */
export function inputRequired(answer: Answer | undefined): Json | undefined {
  const result = answer?.kind === 'response' ? asObject(answer.message.result) : undefined;
  return result?.resultType === 'input_required' ? result : undefined;
}

/** @returns what is sent in answer; undefined where a question cannot be answered, so that the request is left as it is */
export async function inputsFor(
  result: Json,
  { method, params }: { method: string; params: Json },
  options: InputRoundsOptions,
): Promise<Inputs | undefined> {
  const { inputRequests, requestState } = result;
  if (requestState !== undefined && typeof requestState !== 'string') return undefined;
  if (inputRequests !== undefined && !isObject(inputRequests)) return undefined;
  if (inputRequests === undefined && requestState === undefined) return undefined;
  if (requestState !== undefined && requestState.length > longestState) {
    report(`a requestState of more than ${longestState} characters was not sent back`, options);
    return undefined;
  }
  const state = requestState === undefined ? {} : { requestState };
  if (inputRequests === undefined) return { members: state };
  const entries = Object.entries(inputRequests);
  if (entries.length > mostInputs) {
    report(`more than ${mostInputs} questions in one result were not answered`, options);
    return undefined;
  }
  const agree = options.mayAgree(method, params);
  const responses: [string, unknown][] = [];
  let deviation: string | undefined;
  for (const [key, asked] of entries) {
    if (!isObject(asked) || !inputMethods.has(asked.method) || !options.answerer.mayAnswer()) return undefined;
    const answer = await options.answerer.respond(asked.method, asObject(asked.params), options.declared(), agree);
    if (!('result' in answer.reply)) return undefined;
    responses.push([
      key,
      answer.deviation === undefined
        ? asHinted(answer.reply.result, asked, options.hintedAnswer?.(method, params, key))
        : answer.reply.result,
    ]);
    deviation ??= answer.deviation;
  }
  return {
    members: { inputResponses: Object.fromEntries(responses), ...state },
    ...(deviation === undefined ? {} : { deviation }),
  };
}

/** A form that is accepted gets the content of the hints, if it fits; a check sends nothing unfit that it does not mean to. */
function asHinted(result: unknown, asked: Json, content: Json | undefined): unknown {
  const answer = asObject(result);
  if (
    content === undefined ||
    asked.method !== 'elicitation/create' ||
    answer?.action !== 'accept' ||
    answer.content === undefined
  )
    return result;
  const schema = asObject(asked.params)?.requestedSchema;
  return isMisfit(fitOf(schema, content)) ? result : { ...answer, content };
}

/** Requests whose input_required results are answered by repetition, at most `rounds` times. */
export function withInputRounds(options: InputRoundsOptions): Peer['request'] {
  return (method, params, how = {}) => {
    let last = options.request(method, params, how);
    const { rounds = 0, id: _id, ...rest } = how;
    if (rounds === 0 || how.deviation !== undefined) return last;
    const { inputResponses: _responses, requestState: _state, ...given } = asObject(params) ?? {};
    const answered = async (): Promise<Answer> => {
      for (let round = 0; ; round += 1) {
        const answer = await last.answer;
        const result = inputRequired(answer);
        if (!result || !options.isAlive()) return answer;
        if (round >= rounds) {
          if (rounds >= mostRounds) report(`a request that asked for input ${rounds} times was left as it is`, options);
          return answer;
        }
        const inputs = await inputsFor(result, { method, params: given }, options);
        if (!inputs) return answer;
        const { deviation } = inputs;
        last = options.request(
          method,
          { ...given, ...inputs.members },
          { ...rest, ...(deviation === undefined ? {} : { deviation }) },
        );
      }
    };
    return latest(() => last, answered());
  };
}

function report(reason: string, { session, sink }: InputRoundsOptions): void {
  sink({ session, from: 'harness', kind: 'limit', reason });
}

/** The request that is under way, with the answer to the last one. */
function latest(last: () => Pending, answer: Promise<Answer>): Pending {
  return {
    get id() {
      return last().id;
    },
    get seq() {
      return last().seq;
    },
    get exchange() {
      return last().exchange;
    },
    get token() {
      return last().token;
    },
    answer,
  };
}
