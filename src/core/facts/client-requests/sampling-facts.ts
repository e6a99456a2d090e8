/**
 * Facts of the conversation in a sampling request: how tool uses and results match, and in how many rounds the model
 * used tools. Reads one message list, without memory or judgement.
 */
import { fitOf, isMisfit } from '../../json-schema/schema-fit.ts';
import { asObject, asText, isObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';

type Json = Record<string, unknown>;

/** Most entries that a fact lists; hostile requests may have thousands. */
const listed = 50;

export interface Turn {
  role: unknown;
  blocks: Json[];
  uses: Json[];
  results: Json[];
}

/** The messages with their content as a list: before 2025-11-25 it is one block, since then one or several. */
export function turnsOf(params: Json | undefined): Turn[] {
  const messages = Array.isArray(params?.messages) ? (params.messages as unknown[]) : [];
  return messages.filter(isObject).map(({ role, content }) => {
    const blocks = [content].flat().filter(isObject);
    return {
      role,
      blocks,
      uses: blocks.filter(({ type }) => type === 'tool_use'),
      results: blocks.filter(({ type }) => type === 'tool_result'),
    };
  });
}

/** Ids of the tool uses in an answer of the client. */
export function usedIn(result: unknown): string[] {
  const blocks = [asObject(result)?.content].flat().filter(isObject);
  return blocks.flatMap(({ type, id }) => (type === 'tool_use' && typeof id === 'string' ? [id] : []));
}

const contentTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'tool_use', 'tool_result']);

/** Content of a sampled answer with a type that sampling does not have, with its text. */
export function sampleFaults(answer: Json | undefined): { field: string; value: unknown; why: string }[] {
  const blocks = [answer?.content].flat().filter(isObject);
  return blocks
    .filter(({ type }) => typeof type === 'string' && !contentTypes.has(type))
    .slice(0, listed)
    .map(({ type, text }) => ({
      field: 'content',
      value: text,
      why: `is of the unknown type ${asText(type).slice(0, 80)}`,
    }));
}

/** The `subject.*` facts of a sampling request that speak of tools; see question-facts.ts. */
export function samplingFacts(params: Json | undefined): Record<string, unknown> {
  const turns = turnsOf(params);
  const known = new Set<unknown>();
  const stray: unknown[] = [];
  const impure: string[] = [];
  const unbalanced: unknown[] = [];
  turns.forEach((turn, index) => {
    for (const { toolUseId } of turn.results) if (!known.has(toolUseId)) stray.push(toolUseId);
    const others = turn.blocks.filter(({ type }) => type !== 'tool_result').map(({ type }) => asText(type));
    if (turn.results.length > 0 && others.length > 0)
      impure.push(`message ${index} has ${others.join(', ')} in addition to tool_result`);
    for (const { id } of turn.uses) known.add(id);
    append(unbalanced, openUses(turn, turns[index + 1]));
  });
  const tools = {
    uses: turns.flatMap(({ uses }) => uses).slice(0, listed),
    results: turns.flatMap(({ results }) => results).slice(0, listed),
    impure: impure.slice(0, listed),
    unbalanced: unbalanced.slice(0, listed),
    stray: stray.slice(0, listed),
    structured: structuredResults(turns, params),
    rounds: turns.filter(({ role, uses }) => role === 'assistant' && uses.length > 0).length,
  };
  return { tools };
}

/** Ids of tool uses of an assistant's turn that the turn behind it does not answer. */
function openUses(turn: Turn, next: Turn | undefined): unknown[] {
  if (turn.role !== 'assistant') return [];
  const answered = new Set(next?.role === 'user' ? next.results.map(({ toolUseId }) => toolUseId) : []);
  return turn.uses.map(({ id }) => id).filter((id) => !answered.has(id));
}

/** Relation of structured results to the output schemas of their tools, if the request has those. */
function structuredResults(turns: readonly Turn[], params: Json | undefined): { count: number; misfits: string[] } {
  const tools = Array.isArray(params?.tools) ? (params.tools as unknown[]).filter(isObject) : [];
  const nameOf = new Map(turns.flatMap(({ uses }) => uses.map(({ id, name }) => [id, name] as const)));
  const decided = turns.flatMap(({ results }) =>
    results.flatMap(({ toolUseId, structuredContent, isError }) => {
      const tool = tools.find(({ name }) => typeof name === 'string' && name === nameOf.get(toolUseId));
      if (!tool || structuredContent === undefined || isError === true || !isObject(tool.outputSchema)) return [];
      const fit = fitOf(tool.outputSchema, structuredContent);
      if (fit === 'unsure') return [];
      return [isMisfit(fit) ? `${asText(tool.name)}: ${fit.path} ${fit.what}` : undefined];
    }),
  );
  return {
    count: decided.length,
    misfits: decided.filter((one) => one !== undefined).slice(0, listed),
  };
}

/**
 * Continuation of a request after tool uses of the client's model: undefined when it does not continue any of them,
 * else those without a result in the next message.
 */
export function unansweredOf(params: Json | undefined, used: readonly string[]): string[] | undefined {
  const turns = turnsOf(params);
  const at = turns.findLastIndex(({ uses }) => uses.some(({ id }) => used.includes(asText(id))));
  if (at === -1) return undefined;
  const results = new Set(turns[at + 1]?.results.map(({ toolUseId }) => toolUseId));
  return used.filter((id) => !results.has(id));
}
