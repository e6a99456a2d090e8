/** What the example of a rule has its client do, as a puppet client needs it: acts in order, and names that the live server knows. */
import type { RuleExample } from '../../../src/core/model/rules/rule.ts';
import type { Situation, SituationAsk } from '../../../src/core/model/rules/situation.ts';
import { isRecord } from '../../../src/core/rules/examples/example-messages.ts';
import { parseNotation, type NotationAct } from '../../../src/core/trace/notation.ts';

type Json = Record<string, unknown>;

/** What the faultless server has, for which examples have names of their own. */
const ownTool = { name: 'add_numbers', arguments: { a: 5, b: 3 } };
const ownPrompt = { name: 'greet', arguments: { name: 'Ann' } };
const ownResource = 'demo://notes';

export interface ClientScript {
  acts: NotationAct[];
  /** Whether a message of the script is to be sent with names that the live server knows. */
  named(message: unknown, headers: Readonly<Record<string, unknown>>): unknown;
}

export function clientScript(example: RuleExample, situation: Situation | undefined): ClientScript {
  const driven = situation?.drive?.find(({ act }) => act === 'call' || act === 'cancel');
  const tool = driven?.tool === undefined ? ownTool : { name: driven.tool, arguments: driven.arguments ?? {} };
  const known = new Set([
    ...(situation?.drive ?? []).map((one) => one.tool),
    ...(situation?.offers?.tools ?? []).map(({ name }) => name),
  ]);
  const uri = situation?.drive?.find((one) => one.uri !== undefined)?.uri ?? ownResource;
  return {
    acts: parseNotation(example.trace),
    named(message, headers) {
      if (!isRecord(message) || !isRecord(message.params) || headers['mcp-name'] !== undefined) return message;
      const { params } = message;
      const more = (own: Json): Json => ({ ...message, params: { ...params, ...own } });
      switch (message.method) {
        case 'tools/call':
          return typeof params.name === 'string' && !known.has(params.name) ? more(callOf(params, tool)) : message;
        case 'prompts/get':
          return typeof params.name === 'string' ? more({ ...ownPrompt, ...argumentsOf(params) }) : message;
        case 'resources/read':
        case 'resources/subscribe':
        case 'resources/unsubscribe':
          return typeof params.uri === 'string' ? more({ uri }) : message;
        default:
          return message;
      }
    },
  };
}

/** The arguments are those of the example where the situation has a tool for them, and where they are none. */
function callOf(params: Json, tool: { name: string; arguments: Json }): Json {
  const keeps = tool.name !== ownTool.name || !isRecord(params.arguments ?? {});
  return { ...tool, ...(keeps ? argumentsOf(params) : {}) };
}

function argumentsOf(params: Json): Json {
  return 'arguments' in params ? { arguments: params.arguments } : {};
}

/** Of the questions that a server may ask, those that the script has, in its order. */
export function asksOf(example: RuleExample, asks: readonly SituationAsk[]): SituationAsk[] {
  const declared = declaredIn(example);
  const left = asks.filter(
    ({ needs = [], unless = [] }) =>
      needs.every((name) => declares(declared, name)) && !unless.some((name) => declares(declared, name)),
  );
  return parseNotation(example.trace).flatMap((act) => {
    if (act.act !== 'server-message') return [];
    return questionsIn(act.message).flatMap((question) => {
      const distances = left.map((ask) => distance(ask, question));
      const least = Math.min(...distances);
      return Number.isFinite(least) ? left.splice(distances.indexOf(least), 1) : [];
    });
  });
}

/** How far a question that a server may ask is from that of an example; infinite where it is another one. */
function distance({ method, params, withoutState }: SituationAsk, question: Json): number {
  if (method === undefined || !standsFor(method, question.method) || modeOf(params) !== modeOf(question.params))
    return Number.POSITIVE_INFINITY;
  const [some, others] = [params, question.params].map((one) => Object.keys(isRecord(one) ? one : {}));
  const differing = [...some!, ...others!].filter((name) => some!.includes(name) !== others!.includes(name)).length;
  return differing + (question.withoutState === (withoutState !== true) ? 0.5 : 0);
}

const modeOf = (params: unknown): string => (isRecord(params) && params.mode === 'url' ? 'url' : 'form');

const asked = new Set(['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create']);

/**
 * Whether a question of the server stands for that of an example. Examples that mirror those of a rule about servers ask
 * what only clients ask; ping does as well, where any request does.
 */
export function standsFor(live: unknown, scripted: unknown): boolean {
  if (live === scripted) return true;
  if (typeof scripted !== 'string' || typeof live !== 'string') return false;
  if (scripted.startsWith('mcpc/')) return live.startsWith('mcpc/');
  return live === 'ping' && !asked.has(scripted);
}

/** Requests of the server, also those in results of the stateless era. */
function questionsIn(message: unknown): Json[] {
  return [message].flat().flatMap((one) => {
    if (!isRecord(one)) return [];
    if (typeof one.method === 'string') return 'id' in one ? [one] : [];
    const asked = isRecord(one.result) && isRecord(one.result.inputRequests) ? one.result.inputRequests : {};
    const withoutState = isRecord(one.result) && one.result.requestState === undefined;
    return Object.values(asked)
      .filter(isRecord)
      .map((question) => ({ ...question, withoutState }));
  });
}

/** What the client of the example declares, in its handshake or in the first request that says so. */
function declaredIn(example: RuleExample): Json {
  if (example.clientCapabilities !== undefined) return example.clientCapabilities;
  for (const act of parseNotation(example.trace)) {
    if (act.act !== 'client-message' || !isRecord(act.message) || !isRecord(act.message.params)) continue;
    const { params } = act.message;
    const meta = isRecord(params._meta) ? params._meta['io.modelcontextprotocol/clientCapabilities'] : undefined;
    const found = params.capabilities ?? meta;
    if (isRecord(found)) return found;
  }
  return {};
}

/** A capability by its name, with dots for what lies within. An elicitation that names no mode declares forms. */
function declares(capabilities: Json, name: string): boolean {
  const [first, second] = name.split('.') as [string, string?];
  const found = capabilities[first];
  if (second === undefined || found === undefined) return found !== undefined;
  if (!isRecord(found)) return false;
  return second in found || (name === 'elicitation.form' && !('url' in found));
}
