/** tools/list and tools/call. Each tool is in a tool-* file. */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';
import { atLeast } from '../protocol/revisions.ts';
import { checkParamHeaders } from '../session/stateless-headers.ts';
import { changedTool, fixtureRounds } from './fixtures/fixture-rounds.ts';
import { fixtureTasks } from './fixtures/fixture-tasks.ts';
import { fixtureTools } from './fixtures/fixture-tools.ts';
import { listPage } from './kinds/lists.ts';
import { becomesTask, beginExtensionTask } from './extension-tasks.ts';
import { beginTask, offersTaskCalls } from './tasks.ts';
import { basicTools } from './tools/tool-basics.ts';
import { clientTools } from './tools/tool-client.ts';
import { contentTools } from './tools/tool-content.ts';
import { longTools } from './tools/tool-long.ts';
import { placeTools } from './tools/tool-places.ts';
import { samplingTools } from './tools/tool-sampling.ts';
import { serverTools } from './tools/tool-server.ts';
import { taskTools } from './tools/tool-task.ts';
import type { Tool } from './kinds/tool.ts';
import { text } from './kinds/tool.ts';
import { urlTools } from './tools/tool-url.ts';

const tools: readonly Tool[] = [
  ...basicTools,
  ...placeTools,
  ...contentTools,
  ...clientTools,
  ...samplingTools,
  ...urlTools,
  ...serverTools,
  ...taskTools,
  ...longTools,
];

const bonusTool: Tool = {
  name: 'bonus',
  title: 'Bonus',
  description: 'Listed only while the lists are extended by change-lists.',
  readOnly: true,
  run: () => text('bonus'),
};

function available(context: RequestContext): Tool[] {
  if (!context.host.ownTools) return [];
  const { revision } = context;
  const offered = [...(context.host.fixtures ? [...fixtureRounds, ...fixtureTasks, ...fixtureTools] : []), ...tools];
  const here = offered.filter(({ since, until }) => revision >= (since ?? revision) && revision <= (until ?? revision));
  return [...here, ...(context.world.bonus ? [bonusTool] : []), ...(context.world.fixtureTool ? [changedTool] : [])];
}

/** A tool as the negotiated revision lists it. */
function describe(tool: Tool, context: RequestContext): JsonObject {
  const titled = atLeast(context.revision, '2025-06-18');
  return {
    ...executionOf(tool.taskSupport, context),
    name: tool.name,
    ...(titled ? { title: tool.title } : {}),
    description: tool.description,
    ...(tool.meta !== undefined && titled ? { _meta: tool.meta } : {}),
    ...(tool.icons !== undefined && atLeast(context.revision, '2025-11-25') ? { icons: tool.icons } : {}),
    inputSchema: tool.inputSchema ?? {
      type: 'object',
      properties: tool.properties ?? {},
      ...(tool.required === undefined ? {} : { required: tool.required }),
    },
    ...(titled && tool.outputSchema !== undefined ? { outputSchema: tool.outputSchema } : {}),
    ...(atLeast(context.revision, '2025-03-26')
      ? { annotations: { readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false } }
      : {}),
  };
}

function executionOf(taskSupport: Tool['taskSupport'], context: RequestContext): JsonObject {
  return taskSupport !== undefined && offersTaskCalls(context) ? { execution: { taskSupport } } : {};
}

export function listTools(params: JsonObject, context: RequestContext): JsonObject {
  return listPage(
    'tools',
    [
      ...context.host.tools.map(({ definition, taskSupport }) => ({
        ...definition,
        ...executionOf(taskSupport, context),
      })),
      ...available(context).map((tool) => describe(tool, context)),
    ],
    params,
    context,
  );
}

/** Fault in the arguments of a call, or undefined. */
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

/**
 * Calls a tool, as a task if requested and negotiated.
 * @throws RpcError -32602 for an unknown tool or a malformed call; -32601 for a tool that cannot be called as a task,
 * or not otherwise
 */
export async function callTool(params: JsonObject, context: RequestContext): Promise<JsonObject> {
  const added = context.host.tools.find(({ definition }) => definition.name === params.name);
  if (added !== undefined) {
    const run = (within: RequestContext): JsonObject | Promise<JsonObject> =>
      added.run(isObject(params.arguments) ? params.arguments : {}, within);
    const isTask = params.task !== undefined && added.taskSupport !== undefined && offersTaskCalls(context);
    return isTask ? beginTask(params, context, run) : run(context);
  }
  const tool = available(context).find((candidate) => candidate.name === params.name);
  if (tool === undefined) throw new RpcError(errorCode.invalidParams, 'Unknown tool', { reason: 'unknown-tool' });
  const given = params.arguments ?? {};
  if (!isObject(given))
    throw new RpcError(errorCode.invalidParams, 'Tool arguments have to be an object', { reason: 'params' });
  if (context.headers !== undefined) checkParamHeaders(context.host, tool.inputSchema, given, context.headers);
  const isTask = becomesTask(tool, context);
  const settled = await tool.settleFirst?.(context);
  const run = (within: RequestContext): JsonObject | Promise<JsonObject> => {
    const fault = argumentFault(tool, given);
    return fault === undefined ? tool.run({ ...given, ...settled }, within) : { ...text(fault), isError: true };
  };
  if (isTask) return beginExtensionTask(context, run);
  const asTask = params.task !== undefined;
  if (!offersTaskCalls(context)) return run(context);
  const support = tool.taskSupport ?? 'forbidden';
  if (asTask && support === 'forbidden' && context.host.keeps('refuse-tasks-of-other-tools')) {
    throw new RpcError(errorCode.methodNotFound, 'This tool cannot be called as a task', { reason: 'task-forbidden' });
  }
  if (!asTask && support === 'required' && context.host.keeps('demand-tasks')) {
    throw new RpcError(errorCode.methodNotFound, 'This tool has to be called as a task', { reason: 'task-required' });
  }
  return asTask && context.host.keeps('create-tasks') ? beginTask(params, context, run) : run(context);
}
