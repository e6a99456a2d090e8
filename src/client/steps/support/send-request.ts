/** Sends a request as a step describes it, with what earlier answers give, and by a method of the era. */
import { resolvePath } from '../../../core/facts/values/json-path.ts';
import { extensionMethods, methodTables } from '../../../files/package/method-tables.ts';
import { eraOf, isKnownRevision, newestStatefulRevision } from '../../../core/spec/revisions.ts';
import type { Answer, Peer } from '../../peer/peer.ts';
import { noteReading } from '../../offers/readings.ts';
import type { Json } from './step-kind.ts';
import type { Scope } from './step-scope.ts';
import { asText, isObject } from '../../../core/model/json.ts';
import { logLevelKey } from '../../../core/spec/log-level.ts';
import { namesTasksExtension } from '../../../core/model/tasks.ts';
import type { HeaderChanges } from '../../../core/model/request-headers.ts';

/**
 * A value in which `{ "$from": name, "path": … }` is a part of a named request's answer, and `append` a text after it,
 * or after the first match of the path. `{ "$object": [[name, value], …] }` is an object with computed names.
 */
async function filledIn(value: unknown, scope: Scope): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => filledIn(one, scope)));
  if (typeof value !== 'object' || value === null) return value;
  const source = value as Json;
  if (typeof source.$from === 'string') {
    const answer = await scope.pending.get(source.$from)?.answer;
    if (answer?.kind !== 'response') throw new NothingToUse();
    const found = resolvePath(answer.message, asText(source.path ?? '$'));
    if (found === undefined) throw new NothingToUse();
    if (typeof source.append !== 'string') return found;
    const first: unknown = Array.isArray(found) ? found[0] : found;
    if (first === undefined) throw new NothingToUse();
    return `${asText(first)}${source.append}`;
  }
  if (Array.isArray(source.$object))
    return Object.fromEntries((await filledIn(source.$object, scope)) as [string, unknown][]);
  const entries = await Promise.all(
    Object.entries(source).map(async ([name, one]) => [name, await filledIn(one, scope)] as const),
  );
  return Object.fromEntries(entries);
}

/** A step refers to something that the target did not give; it is left out. */
class NothingToUse extends Error {}

/**
 * @param rounds how often a server may ask for input before the request is complete (stateless era)
 * @returns the answer, if it was waited for
 */
export async function sendRequest(
  method: string,
  rawParams: unknown,
  step: Json,
  scope: Scope,
  rounds?: number,
): Promise<Answer | undefined> {
  let params: unknown;
  try {
    params = await filledIn(rawParams, scope);
  } catch (error) {
    if (error instanceof NothingToUse) return undefined;
    throw error;
  }
  const over = method === 'tools/call' ? await scope.turns.call(scope.peer) : undefined;
  const pending = scope.peer.request(method, params, {
    ...('id' in step ? { id: step.id } : {}),
    ...(step.meta === undefined ? {} : { meta: metaFor(step, scope.peer) }),
    ...(step.progressToken === undefined ? {} : { progressToken: step.progressToken as boolean | string | number }),
    rounds,
    ...(typeof step.deadlineMs === 'number' ? { deadlineMs: step.deadlineMs } : {}),
    ...sendOptions(step),
  });
  if (over) void pending.answer.finally(over);
  if (typeof step.as === 'string') {
    scope.pending.set(step.as, pending);
  }
  if (step.wait === false) return undefined;
  const answer = await pending.answer;
  if (method === 'resources/read') noteReading(scope.readings, asText((params as Json | undefined)?.uri), answer);
  return answer;
}

/** The _meta that a step gives; only the stateless era knows a log level there, so that it is left out in the other one. */
function metaFor({ meta, deviation }: Json, peer: Peer): Json | null {
  if (!isObject(meta) || deviation !== undefined || isStateless(peer)) return meta as Json | null;
  const { [logLevelKey]: _level, ...rest } = meta;
  return rest;
}

/** Changes of a step to the sending of its message. */
export function sendOptions(step: Json): { headers?: HeaderChanges; deviation?: string } {
  return {
    ...(step.headers ? { headers: step.headers as HeaderChanges } : {}),
    ...(typeof step.deviation === 'string' ? { deviation: step.deviation } : {}),
  };
}

/** Over HTTP a client of the stateless era cancels by closing the reply (2026-07-28: basic/patterns/cancellation). */
export function cancelsByClosing(peer: Peer): boolean {
  return isStateless(peer) && peer.transport === 'http';
}

/**
 * A correct client sends no method that its revision removed, so steps of several revisions are translated, or left
 * out, unless they are deliberate faults.
 * @returns the method to send in place of that of the step; undefined where the revision of the connection has none
 */
export async function methodFor(method: string, step: Json, peer: Peer): Promise<string | undefined> {
  if (step.deviation !== undefined || !isStateless(peer)) return method;
  // Requests that any server answers at once.
  if (method === 'ping') return 'server/discover';
  if (method === 'notifications/cancelled' && cancelsByClosing(peer)) return undefined;
  const tables = await methodTables();
  const here = isKnownRevision(peer.revision) ? tables[peer.revision][method] : undefined;
  if (here) return here.from === 'server' ? undefined : method;
  // Methods of extensions are in no table of the revision, though an older one may have had them.
  if (extensionMethods.includes(method) && namesTasksExtension(peer.serverCapabilities)) return method;
  return tables[newestStatefulRevision][method] ? undefined : method;
}

/** True if a connection speaks a revision of the stateless era. */
export function isStateless({ revision }: Peer): boolean {
  return isKnownRevision(revision) && eraOf(revision) === 'stateless';
}
