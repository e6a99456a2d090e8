/**
 * Outcomes of each request of a recording, over all of its conversations: the same request after the same calls is the
 * same observation, and their differences are volatile. Pure.
 */
import { createHash } from 'node:crypto';
import { asText, isObject, type JsonObject } from '../../../core/model/json.ts';
import { decideTool, noPermission } from '../../../core/permission/decide.ts';
import type { CapturePath } from '../../language/model.ts';
import { captured } from '../../language/judge/answers.ts';
import { textOf } from '../../language/judge/views.ts';
import type { Outcome } from '../starter-suite/observe.ts';
import { withoutVolatile } from '../../language/snapshot/volatile.ts';
import { createCaptures, isDistinctive, type Captures } from './captures.ts';
import type { Conversation, Exchange } from './conversations.ts';
import { requestOf, type Request } from './requests.ts';
import { createSecretArguments } from './secrets.ts';

export interface RecordedStep extends Request {
  method: string;
  params: JsonObject;
  outcome: Outcome;
  /** Equal for what can be compared. */
  key: string;
  tookMs: number;
}

export interface RecordedConversation {
  conversation: Conversation;
  steps: RecordedStep[];
  captures: Captures;
  /** Placeholders with the variables of the environment that they are filled from. */
  variables: ReadonlyMap<string, string>;
}

/** By kind of request, the paths by their JSON. */
export type MadeByServer = ReadonlyMap<string, ReadonlyMap<string, CapturePath>>;

type ShortMadeByServer = ReadonlyMap<string, ReadonlyMap<string, string>>;

const notSteps = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);

/**
 * For each request the paths of its answer that a later request used: such values belong to one run, in every answer to
 * a request of that kind.
 */
export function madeByServer(all: readonly RecordedConversation[]): MadeByServer {
  return pathsByKind(all, (captures, step) => Object.values(captures.of(step)));
}

/** The same of short numbers alone: such a value says nothing anywhere else, so that only its place counts. */
export function shortMadeByServer(all: readonly RecordedConversation[]): ShortMadeByServer {
  return pathsByKind(all, (captures, step) => captures.shortOf(step));
}

function pathsByKind<P>(
  all: readonly RecordedConversation[],
  pathsOf: (captures: Captures, step: number) => readonly P[],
): Map<string, Map<string, P>> {
  const made = new Map<string, Map<string, P>>();
  for (const { steps, captures } of all) {
    for (const [index, step] of steps.entries()) {
      for (const path of pathsOf(captures, index))
        made.set(kindOf(step), (made.get(kindOf(step)) ?? new Map<string, P>()).set(JSON.stringify(path), path));
    }
  }
  return made;
}

/** Outcome of a step, and the same with other values in place of short numbers, as another run may return it. */
export function withOtherNumbers(step: RecordedStep, outcomes: readonly Outcome[], made: ShortMadeByServer): Outcome[] {
  const paths = [...(made.get(kindOf(step))?.values() ?? [])].flatMap((path) => [
    path,
    path.replace('$.structuredContent.', '$.'),
  ]);
  if (paths.length === 0) return [...outcomes];
  return outcomes.flatMap((one): Outcome[] => {
    if (one.kind !== 'result') return [one];
    const result = withoutVolatile(one.result, paths) as JsonObject;
    const { content } = withoutVolatile({ content: [{ type: 'text', text: one.text }] }, paths) as {
      content: [{ text: string }];
    };
    return [one, { ...one, result, text: content[0].text }];
  });
}

/** Values of a conversation that belong to one run of the server. */
export function valuesOfRun({ steps }: RecordedConversation, made: MadeByServer): (value: unknown) => boolean {
  const values = new Set<unknown>();
  for (const step of steps) {
    const { outcome } = step;
    if (outcome.kind !== 'result') continue;
    for (const path of made.get(kindOf(step))?.values() ?? []) {
      const found = captured(outcome.text, outcome.result, path);
      if ('value' in found && isDistinctive(found.value)) values.add(found.value);
    }
  }
  const texts = [...values].map(asText);
  return (value) => values.has(value) || (typeof value === 'string' && texts.some((text) => value.includes(text)));
}

function kindOf({ method, about }: RecordedStep): string {
  return JSON.stringify([method, about]);
}

/** @param tools by name, as the server lists them @returns also how many requests no step can say */
export function stepsOf(
  conversation: Conversation,
  about: string,
  tools: ReadonlyMap<string, JsonObject>,
): RecordedConversation & { left: number } {
  const captures = createCaptures();
  const secrets = createSecretArguments();
  const history = createHash('sha256').update(about);
  const steps: RecordedStep[] = [];
  let left = 0;
  const answers = conversation.exchanges.toSorted((a, b) => a.answered - b.answered);
  let due = 0;
  /** The last call that may have changed something. */
  let pending = '';
  /** Numbers of the steps, by exchange. */
  const numbers = new Map<Exchange, number>();

  function takeAnswers(before: number): void {
    for (; due < answers.length && answers[due]!.answered < before; due += 1) {
      const one = answers[due]!;
      const number = numbers.get(one);
      if (number === undefined) captures.known(one.answer);
      else captures.answered(number, one.answer.result, outcomeText(steps[number]!.outcome));
    }
  }

  for (const exchange of conversation.exchanges) {
    takeAnswers(exchange.asked);
    if (notSteps.has(exchange.method)) continue;
    const params = captures.replaced(secrets.replaced(exchange.params)) as JsonObject;
    const request = requestOf(exchange.method, params);
    const outcome = request === undefined ? undefined : outcomeOf(exchange, request);
    if (request === undefined || outcome === undefined) {
      left += 1;
      continue;
    }
    const words = JSON.stringify([exchange.method, params]);
    // Two equal requests in a row are comparable, whatever they do.
    if (pending !== words) {
      history.update(pending);
      pending = '';
    }
    const key = history.copy().update(words).digest('hex');
    if (exchange.method === 'tools/call' && !reads(asText(params['name']), tools)) pending = words;
    numbers.set(exchange, steps.length);
    steps.push({ ...request, method: exchange.method, params, outcome, key, tookMs: exchange.tookMs });
  }
  return { conversation, steps, captures, variables: secrets.variables, left };
}

function reads(name: string, tools: ReadonlyMap<string, JsonObject>): boolean {
  return decideTool(tools.get(name) ?? { name }, noPermission).call;
}

function outcomeText(outcome: Outcome): string {
  return outcome.kind === 'result' ? outcome.text : '';
}

/** Undefined for answers that end nothing: a task, a question. */
function outcomeOf({ answer: { result, error } }: Exchange, { view }: Request): Outcome | undefined {
  if (isObject(error)) return { kind: 'error', code: error['code'], message: asText(error['message'] ?? '') };
  if (
    !isObject(result) ||
    'task' in result ||
    (result['resultType'] !== undefined && result['resultType'] !== 'complete')
  )
    return undefined;
  return { kind: 'result', result, text: textOf(result, view), isError: result['isError'] === true };
}
