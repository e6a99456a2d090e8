/**
 * Members of a request outside the schemas of the revisions. The schema of requests leaves params and `_meta` open, so
 * that such a request is as good as another (schema#JSONRPCRequest, schema#RequestParams).
 */
import type { MorePlace } from '../model/rules/mutation.ts';

const ofMessages = new Set(['jsonrpc', 'id', 'method', 'params']);
/** Of the params of any request that a client sends, in any revision. */
const ofParams = new Set([
  '_meta',
  'argument',
  'arguments',
  'capabilities',
  'clientInfo',
  'context',
  'cursor',
  'inputResponses',
  'level',
  'name',
  'notifications',
  'protocolVersion',
  'ref',
  'requestState',
  'task',
  'taskId',
  'uri',
]);
/** Without a prefix, or with one of MCP itself. */
const isOfMeta = (key: string): boolean => !key.includes('/') || key.startsWith('io.modelcontextprotocol/');

const isNamed: Record<MorePlace, (key: string) => boolean> = {
  message: (key) => ofMessages.has(key),
  params: (key) => ofParams.has(key),
  _meta: isOfMeta,
};

/** @returns whether the request holds a member there that no schema names */
export function holdsMore(request: unknown, place: MorePlace): boolean {
  const held =
    place === 'message'
      ? request
      : place === 'params'
        ? memberOf(request, 'params')
        : memberOf(memberOf(request, 'params'), '_meta');
  return typeof held === 'object' && held !== null && Object.keys(held).some((key) => !isNamed[place](key));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
