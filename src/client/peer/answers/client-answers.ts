/**
 * The checker's answers to requests of the server: as a correct client it answers everything that it declared and
 * refuses the rest (2025-11-25: client/roots, client/sampling, client/elicitation). Only a step can have it answer
 * otherwise. It sends nothing itself.
 */
import { asText, isObject } from '../../../core/model/json.ts';
import { noPermission, type Permission } from '../../../core/permission/decide.ts';
import type { CannedAnswers, ClientBehavior } from './client-behavior.ts';
import { createClientTasks } from './client-tasks.ts';
import { elicitedContent, unfitContent } from './elicited-content.ts';
import { mostAsked } from './question-flood.ts';
import { roundsOf, sampledAnswer, unfitSample } from './sampled-answer.ts';

type Json = Record<string, unknown>;

export interface ClientAnswer {
  /** The response without `jsonrpc` and `id`. */
  reply: Json;
  /** Which rule of the protocol the answer breaks on purpose. */
  deviation?: string;
}

export interface Answerer {
  /** Behavior of later answers. */
  behavior: ClientBehavior;
  /**
   * The required answer; that of a task may take its time.
   * @param declared the declared capabilities of the connection
   * @param agree false: the client agrees to nothing, whatever the behavior; elicitations are declined, and no model
   * answers
   */
  respond(method: unknown, params: Json | undefined, declared: Json, agree?: boolean): Promise<ClientAnswer>;
  /** Counts a request of the server; false if it has sent so many that it gets no further answer. */
  mayAnswer(): boolean;
}

/** Capabilities that the checker declares by default, per revision. */
export function clientCapabilities(revision: string): Json {
  const capabilities: Json = { roots: { listChanged: true }, sampling: revision >= '2025-11-25' ? { tools: {} } : {} };
  if (revision >= '2025-06-18') capabilities.elicitation = revision >= '2025-11-25' ? { form: {}, url: {} } : {};
  return capabilities;
}

export const clientInfo = (version: string, name = 'mcpc'): Json => ({ name, version });

/** Questions that are answered on one connection; the others up to `mostAsked` are refused. */
const mostQuestions = mostAsked / 2;

/**
 * Answers for one connection, which count the requests of the server and the tool uses of the model.
 * @param canned fixed answers in place of generated ones
 * @param permission which offered tools our model may use
 */
export function createAnswerer(canned: CannedAnswers = {}, permission: Permission = noPermission): Answerer {
  const turns = { taken: 0 };
  const tasks = createClientTasks();
  let questions = 0;
  let answers = 0;

  function answer(method: unknown, params: Json | undefined, declared: Json, agree: boolean): ClientAnswer {
    if (method === 'ping') return { reply: { result: {} } };
    questions += 1;
    if (questions > mostQuestions)
      return { reply: { error: { code: -32603, message: 'mcpc has been asked too often' } } };
    if (method === 'roots/list' && 'roots' in declared) {
      if (canned.roots) return { reply: { result: { roots: canned.roots } } };
      if (answerer.behavior === 'no-roots')
        return { reply: { error: { code: -32603, message: 'The roots cannot be read at the moment' } } };
      return { reply: { result: { roots: [{ uri: 'file:///mcpc/workspace', name: 'workspace' }] } } };
    }
    if (method === 'sampling/createMessage' && isObject(declared.sampling)) {
      if (canned.sampling) return { reply: { result: sampleOf(canned.sampling, params) } };
      if (!agree) return { reply: { error: { code: -1, message: 'The user has not allowed it' } } };
      if (answerer.behavior === 'unfit')
        return { reply: { result: unfitSample }, deviation: 'samples content of a type that no revision has' };
      return {
        reply: sampledAnswer(params, {
          mayUseTools: 'tools' in declared.sampling,
          endless: answerer.behavior === 'loop',
          permission,
          turns,
        }),
      };
    }
    if (method === 'elicitation/create' && isObject(declared.elicitation)) {
      const behavior = agree || answerer.behavior === 'cancel' ? answerer.behavior : 'decline';
      return elicited(params, declared.elicitation, behavior, canned.elicitation);
    }
    return { reply: { error: { code: -32601, message: `mcpc does not offer ${asText(method)} on this connection` } } };
  }

  const answerer: Answerer = {
    behavior: 'usual',
    async respond(method, params, declared, agree = true) {
      const plainly = (): ClientAnswer => answer(method, params, declared, agree);
      const asTask = tasks.handle(method, params, declared, () => plainly().reply);
      return asTask === undefined ? plainly() : { reply: await asTask };
    },
    mayAnswer() {
      answers += 1;
      return answers <= mostAsked;
    },
  };
  return answerer;
}

function sampleOf(
  { text, model, stopReason, tools = [] }: NonNullable<CannedAnswers['sampling']>,
  params: Json | undefined,
): Json {
  if (tools.length > 0 && Array.isArray(params?.tools) && roundsOf(params) === 0) {
    const uses = tools.map(({ name, input }, index) => ({ type: 'tool_use', id: `use-${index + 1}`, name, input }));
    return { role: 'assistant', model, content: uses, stopReason: 'toolUse' };
  }
  return { role: 'assistant', model, content: { type: 'text', text }, stopReason };
}

function elicited(
  params: Json | undefined,
  declared: Json,
  behavior: ClientBehavior,
  canned: CannedAnswers['elicitation'],
): ClientAnswer {
  const inUrl = params?.mode === 'url';
  // An empty object declares forms; so did every declaration before there were modes.
  const offered = inUrl ? 'url' in declared : 'form' in declared || !('url' in declared);
  if (!offered)
    return {
      reply: { error: { code: -32602, message: `This client does not offer the mode ${inUrl ? 'url' : 'form'}` } },
    };
  if (canned)
    return {
      reply: {
        result: inUrl
          ? { action: canned.url ?? canned.action }
          : { action: canned.action, ...(canned.content === undefined ? {} : { content: canned.content }) },
      },
    };
  if (behavior === 'decline' || behavior === 'cancel') return { reply: { result: { action: behavior } } };
  // An address asks a person to open a page; there is none, so the honest answer is to decline.
  if (inUrl) return { reply: { result: { action: behavior === 'accept' ? 'accept' : 'decline' } } };
  const schema = isObject(params?.requestedSchema) ? params.requestedSchema : {};
  const unfit = behavior === 'unfit' ? unfitContent(schema) : undefined;
  if (unfit)
    return {
      reply: { result: { action: 'accept', content: unfit } },
      deviation: 'fills in the form with values of wrong types',
    };
  return { reply: { result: { action: 'accept', content: elicitedContent(schema) } } };
}
