/**
 * The checker's answer to a sampling request: a text, or tool uses if tools are offered and no result has come back
 * yet. It has no model; what a tool is given is made from its schema.
 */
import { generateValue } from '../../../core/json-schema/generate-value.ts';
import { isObject } from '../../../core/model/json.ts';
import { decideTool, type Permission } from '../../../core/permission/decide.ts';

type Json = Record<string, unknown>;

export interface SamplingBehavior {
  /** The client declared sampling.tools. */
  mayUseTools: boolean;
  /** Results of tools are answered with the use of tools again. */
  endless: boolean;
  /** Which of the offered tools may be used. */
  permission: Permission;
  /** Answers with tool uses on the connection. */
  turns: { taken: number };
}

/** Rounds in which the model insists on tools, when it is endless: more than any sensible limit. */
const mostRounds = 105;
/** Answers with tool uses on one connection, whatever the server does with them. */
const mostTurns = 400;

/** The response without `jsonrpc` and `id`. */
export function sampledAnswer(
  params: Json | undefined,
  { mayUseTools, endless, permission, turns }: SamplingBehavior,
): Json {
  const offered = params?.tools !== undefined || params?.toolChoice !== undefined;
  if (offered && !mayUseTools)
    return { error: { code: -32602, message: 'This client does not offer tools in sampling' } };
  const rounds = roundsOf(params);
  const wanted = rounds === 0 || (endless && rounds < mostRounds);
  const uses = wanted && turns.taken < mostTurns ? toolUses(params, permission, (turns.taken += 1)) : [];
  if (uses.length > 0) return { result: { role: 'assistant', model: 'mcpc', content: uses, stopReason: 'toolUse' } };
  return {
    result: {
      role: 'assistant',
      model: 'mcpc',
      content: { type: 'text', text: 'A sampled answer.' },
      stopReason: 'endTurn',
    },
  };
}

/** An answer with content of a type that no revision has, and a text by which it is known wherever it shows up. */
export const unfitSample: Json = {
  role: 'assistant',
  model: 'mcpc',
  content: { type: 'mcpc-unknown', text: 'mcpc-unfit-5200331' },
  stopReason: 'endTurn',
};

/** Assistant's messages with tool uses in the conversation so far. */
export function roundsOf(params: Json | undefined): number {
  const messages = Array.isArray(params?.messages) ? (params.messages as unknown[]) : [];
  return messages.filter(
    (message) =>
      isObject(message) && [message.content].flat().some((block) => isObject(block) && block.type === 'tool_use'),
  ).length;
}

/** Two uses of the offered tools that may be called, unless the server wants none. */
function toolUses(params: Json | undefined, permission: Permission, turn: number): Json[] {
  const { tools, toolChoice } = params ?? {};
  if (!Array.isArray(tools) || (isObject(toolChoice) && toolChoice.mode === 'none')) return [];
  const usable = (tools as unknown[]).filter(
    (tool): tool is Json => isObject(tool) && typeof tool.name === 'string' && decideTool(tool, permission).call,
  );
  const [first, second = first] = usable;
  return [first, second].flatMap((tool, index) =>
    tool === undefined
      ? []
      : [{ type: 'tool_use', id: `use-${turn}-${index + 1}`, name: tool.name, input: inputFor(tool) }],
  );
}

function inputFor(tool: Json): Json {
  const made = generateValue({ type: 'object', ...(isObject(tool.inputSchema) ? tool.inputSchema : {}) });
  return isObject(made) ? made : {};
}
