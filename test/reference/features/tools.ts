/**
 * tools/list and tools/call. What each tool does stands in the tool-* files.
 */
import type { JsonObject } from '../core/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../core/json-rpc.ts';
import type { RequestContext } from '../core/request-context.ts';
import { atLeast } from '../core/revisions.ts';
import { listPage } from './lists.ts';
import { basicTools } from './tool-basics.ts';
import { clientTools } from './tool-client.ts';
import { contentTools } from './tool-content.ts';
import { serverTools } from './tool-server.ts';
import type { Tool } from './tool.ts';
import { text } from './tool.ts';

const tools: readonly Tool[] = [...basicTools, ...contentTools, ...clientTools, ...serverTools];

const bonusTool: Tool = {
  name: 'bonus',
  title: 'Bonus',
  description: 'Listed only while the lists are extended by change-lists.',
  readOnly: true,
  run: () => text('bonus'),
};

function available(context: RequestContext): Tool[] {
  return context.world.bonus ? [...tools, bonusTool] : [...tools];
}

/** A tool as the negotiated revision lists it. */
function describe(tool: Tool, context: RequestContext): JsonObject {
  const titled = atLeast(context.revision, '2025-06-18');
  return {
    ...(context.revision === '2025-11-25' ? { execution: { taskSupport: 'forbidden' } } : {}),
    name: tool.name,
    ...(titled ? { title: tool.title } : {}),
    description: tool.description,
    inputSchema: { type: 'object', properties: tool.properties ?? {}, ...(tool.required === undefined ? {} : { required: tool.required }) },
    ...(titled && tool.outputSchema !== undefined ? { outputSchema: tool.outputSchema } : {}),
    ...(atLeast(context.revision, '2025-03-26') ? { annotations: { readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false } } : {}),
  };
}

export function listTools(params: JsonObject, context: RequestContext): JsonObject {
  return listPage('tools', available(context).map((tool) => describe(tool, context)), params, context);
}

/** What is wrong with the arguments of a call, or undefined. */
function argumentFault(tool: Tool, given: JsonObject): string | undefined {
  for (const name of tool.required ?? []) if (given[name] === undefined) return `The argument ${name} is missing.`;
  for (const [name, schema] of Object.entries(tool.properties ?? {})) {
    const value = given[name];
    if (value === undefined) continue;
    const fits = schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type;
    if (!fits) return `The argument ${name} has to be of type ${schema.type}.`;
    if (typeof value === 'number' && ((schema.minimum ?? -Infinity) > value || (schema.maximum ?? Infinity) < value)) {
      return `The argument ${name} is out of range.`;
    }
  }
  return undefined;
}

/** @throws RpcError -32602 for an unknown tool or a call without the shape of one */
export async function callTool(params: JsonObject, context: RequestContext): Promise<JsonObject> {
  const tool = available(context).find((candidate) => candidate.name === params.name);
  if (tool === undefined) throw new RpcError(errorCode.invalidParams, 'Unknown tool', { reason: 'unknown-tool' });
  const given = params.arguments ?? {};
  if (!isObject(given)) throw new RpcError(errorCode.invalidParams, 'Tool arguments have to be an object', { reason: 'params' });
  const fault = argumentFault(tool, given);
  if (fault !== undefined) return { ...text(fault), isError: true };
  return tool.run(given, context);
}
