/** What a server of the stateless era asks of the client: in results, which the client answers in its next request. */
import { randomUUID } from 'node:crypto';
import type { SituationAsk } from '../../core/model/rules/situation.ts';
import { isObject, type JsonObject } from '../../server/protocol/json-rpc.ts';
import type { About } from '../../server/session/behaviour.ts';
import type { Remember } from './remember.ts';

export interface Rounds {
  /** The result that asks for what is to be asked; undefined where nothing is, or nothing more. */
  askedIn(message: JsonObject, about: About): JsonObject | undefined;
  /** Takes what belongs to a round of ours out of a request, so that the server sees the request alone. */
  takeAnswers(message: JsonObject): void;
}

/** Requests that may be answered by a question. */
const roundMethods = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** The capability that a client declares to get each request. */
const neededFor: Readonly<Record<string, string>> = {
  'roots/list': 'roots',
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
};
/** The beginning of a requestState, and of the names of requests in a result without one. */
const stateMark = 'mcpc-round-';
const statelessMark = 'without-state-';

/** @param asked what was asked already, in whatever era */
export function createRounds(asks: readonly SituationAsk[], asked: Set<SituationAsk>, remember: Remember): Rounds {
  return {
    askedIn(message, { method = '', asked: request }) {
      if (!roundMethods.has(method)) return undefined;
      const params = isObject(request) && isObject(request.params) ? request.params : {};
      const meta = isObject(params._meta) ? params._meta : {};
      const declared = meta['io.modelcontextprotocol/clientCapabilities'];
      const open = asks.filter(
        (ask) =>
          ask.method !== undefined &&
          neededFor[ask.method] !== undefined &&
          !asked.has(ask) &&
          (ask.during ?? method) === method &&
          isAllowed(ask, isObject(declared) ? declared : {}),
      );
      const due = together(open);
      if (due.length === 0) return undefined;
      for (const ask of due) asked.add(ask);
      const isBare = due[0]!.withoutState === true;
      const inputRequests = Object.fromEntries(
        due.map((ask, index) => [
          `${isBare ? statelessMark : 'question-'}${index + 1}`,
          { method: ask.method, ...(ask.params === undefined ? {} : { params: ask.params }) },
        ]),
      );
      const question = {
        jsonrpc: '2.0',
        id: message.id,
        result: {
          resultType: 'input_required',
          inputRequests,
          ...(isBare ? {} : { requestState: `${stateMark}${randomUUID()}` }),
        },
      };
      remember(question, due[0]!.deviation);
      return question;
    },

    takeAnswers({ params }) {
      if (!isObject(params)) return;
      const { inputResponses, requestState } = params;
      const isOurs =
        (typeof requestState === 'string' && requestState.startsWith(stateMark)) ||
        (isObject(inputResponses) && Object.keys(inputResponses).some((name) => name.startsWith(statelessMark)));
      if (!isOurs) return;
      delete params.requestState;
      delete params.inputResponses;
    },
  };
}

/** The requests of one result. A request that the client may refuse is alone there, since no response has a place for errors. */
function together(open: readonly SituationAsk[]): readonly SituationAsk[] {
  const sound = open.filter(({ deviation }) => deviation === undefined);
  const marked = sound.filter(({ withoutState }) => withoutState !== true);
  if (marked.length > 0) return marked;
  return sound.length > 0 ? sound : open.slice(0, 1);
}

/** True if the client declared the capability, and the mode of an elicitation. */
function isAllowed(ask: SituationAsk, declared: JsonObject): boolean {
  const mode = isObject(ask.params) && ask.params.mode === 'url' ? 'url' : 'form';
  const needed = ask.method === 'elicitation/create' ? `elicitation.${mode}` : neededFor[ask.method!]!;
  return declares(declared, needed) && isFor(ask, declared);
}

/** True if the client declared everything that the request needs, and nothing that excludes it. */
export function isFor({ needs = [], unless = [] }: SituationAsk, declared: JsonObject): boolean {
  return needs.every((name) => declares(declared, name)) && !unless.some((name) => declares(declared, name));
}

/** A capability by its name, with dots for what lies within; forms are declared by an elicitation that names no mode, too. */
function declares(capabilities: JsonObject, name: string): boolean {
  if (name === 'elicitation.form') {
    const modes = capabilities.elicitation;
    return isObject(modes) && (isObject(modes.form) || !isObject(modes.url));
  }
  let at: unknown = capabilities;
  for (const part of name.split('.')) at = isObject(at) ? at[part] : undefined;
  return at !== undefined;
}
