/**
 * The table of methods: which era has them, which capability they need, what serves them.
 * Lifecycle methods (initialize, server/discover, subscriptions/listen) are not here, since they
 * act on the conversation and not on a feature.
 */
import { complete } from '../features/completion.ts';
import { setLevel } from '../features/logging.ts';
import { getPrompt, listPrompts } from '../features/prompts.ts';
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from '../features/resources.ts';
import { cancelExtensionTask, getExtensionTask, updateExtensionTask } from '../features/extension-tasks.ts';
import { cancelTask, getTask, listTasks, taskResult } from '../features/tasks.ts';
import { callTool, listTools } from '../features/tools.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';

export interface Method {
  eras: readonly ('stateful' | 'stateless')[];
  /** The server capability without which the method counts as unknown. */
  capability?: string;
  /** The result carries ttlMs and cacheScope in the stateless era. */
  cached?: boolean;
  /** The parameter that the header Mcp-Name repeats in the stateless era. */
  nameParam?: 'name' | 'uri' | 'taskId';
  serve(params: JsonObject, context: RequestContext): Promise<JsonObject> | JsonObject;
}

const both = ['stateful', 'stateless'] as const;
const statefulOnly = ['stateful'] as const;
const statelessOnly = ['stateless'] as const;

/** Tasks of 2025-11-25 and those of the extension share names of methods, and nothing else. */
function ofEra(stateful: Method['serve'], stateless: Method['serve']): Method['serve'] {
  return (params, context) => (context.era === 'stateful' ? stateful(params, context) : stateless(params, context));
}

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', { eras: statefulOnly, serve: () => ({}) }],
  ['logging/setLevel', { eras: statefulOnly, capability: 'logging', serve: setLevel }],
  ['tools/list', { eras: both, capability: 'tools', cached: true, serve: listTools }],
  ['tools/call', { eras: both, capability: 'tools', nameParam: 'name', serve: callTool }],
  ['resources/list', { eras: both, capability: 'resources', cached: true, serve: listResources }],
  ['resources/templates/list', { eras: both, capability: 'resources', cached: true, serve: listTemplates }],
  ['resources/read', { eras: both, capability: 'resources', cached: true, nameParam: 'uri', serve: readResource }],
  ['resources/subscribe', { eras: statefulOnly, capability: 'resources', serve: subscribe }],
  ['resources/unsubscribe', { eras: statefulOnly, capability: 'resources', serve: unsubscribe }],
  ['prompts/list', { eras: both, capability: 'prompts', cached: true, serve: listPrompts }],
  ['prompts/get', { eras: both, capability: 'prompts', nameParam: 'name', serve: getPrompt }],
  ['tasks/get', { eras: both, nameParam: 'taskId', serve: ofEra(getTask, getExtensionTask) }],
  ['tasks/update', { eras: statelessOnly, nameParam: 'taskId', serve: updateExtensionTask }],
  ['tasks/result', { eras: statefulOnly, serve: taskResult }],
  ['tasks/list', { eras: statefulOnly, serve: listTasks }],
  ['tasks/cancel', { eras: both, nameParam: 'taskId', serve: ofEra(cancelTask, cancelExtensionTask) }],
  ['completion/complete', { eras: both, capability: 'completions', serve: complete }],
]);
