/** The methods of the extension io.modelcontextprotocol/tasks, and calls of tools that are answered with a task. */
import { declaresTasks, demandTasks, tasksExtension, type ExtensionTask } from '../session/extension-task.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import { asRpcError, errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';
import type { Tool } from './kinds/tool.ts';

type Serve = (params: JsonObject, context: RequestContext) => JsonObject | Promise<JsonObject>;

function isOffered({ era, revision, host }: RequestContext): boolean {
  const { extensions } = host.capabilities(revision);
  return era === 'stateless' && isObject(extensions) && tasksExtension in extensions;
}

/** A method of the extension; of a server without it, nothing is known of the method. */
function operation(serve: (task: ExtensionTask, params: JsonObject) => JsonObject): Serve {
  return (params, context) => {
    if (!isOffered(context))
      throw new RpcError(errorCode.methodNotFound, 'Method not found', { reason: 'unknown-method', status: 404 });
    if (context.host.keeps('refuse-undeclared-task-methods')) demandTasks(context.clientCapabilities);
    return serve(context.host.extensionTasks.find(params.taskId), params);
  };
}

export const getExtensionTask = operation((task) => task.detailed());

export const cancelExtensionTask = operation((task) => {
  task.cancel();
  return {};
});

/** @throws RpcError -32602 for inputResponses that are no object */
export const updateExtensionTask = operation((task, { inputResponses }) => {
  if (!isObject(inputResponses))
    throw new RpcError(errorCode.invalidParams, 'inputResponses has to be an object', { reason: 'params' });
  task.update(inputResponses);
  return {};
});

/**
 * True if a call is answered with a task.
 * @throws RpcError -32021 for a task-only tool, if the client did not declare it
 */
export function becomesTask({ longRunning }: Tool, context: RequestContext): boolean {
  if (!isOffered(context)) return false;
  if (longRunning === undefined)
    return !context.host.keeps('run-short-tools-plainly') && declaresTasks(context.clientCapabilities);
  if (!context.host.keeps('spare-undeclared-calls')) return true;
  if (longRunning === 'always') demandTasks(context.clientCapabilities);
  return declaresTasks(context.clientCapabilities);
}

/** Begins a task and answers with it; the work starts when that answer is on its way. */
export function beginExtensionTask(
  context: RequestContext,
  work: (context: RequestContext) => JsonObject | Promise<JsonObject>,
): JsonObject {
  const task = context.host.extensionTasks.create();
  const within: RequestContext = {
    ...context,
    signal: task.signal,
    progress: () => {},
    log: () => {},
    ask: async (name, method, params) =>
      (await task.ask({ [name]: { method, ...(params === undefined ? {} : { params }) } }))[name]!,
    askTogether: (questions) => task.ask(questions),
  };
  const carryOut = async (): Promise<void> => {
    try {
      task.finish(await work(within));
    } catch (thrown) {
      task.finish(asRpcError(thrown));
    }
  };
  const created = { resultType: 'task', ...task.seed() };
  setImmediate(() => void carryOut());
  return created;
}
