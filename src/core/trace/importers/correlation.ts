/**
 * Refuses captures whose ids cannot be paired: a call id used twice, and with strict ids everything that a later
 * reading of the format refuses as well. It changes nothing.
 */
import { captureError } from './captured.ts';
import type { Captured } from './captured.ts';
import { isExactObject, numberText } from './exact-json.ts';
import { scopedKey, type McpEvent } from './semantics.ts';

export interface IdChecker {
  /** @throws McpcError (usage) for a message that must not stand there */
  check(event: McpEvent, entry: Captured): void;
}

/** @param warn called for allowed but surprising data */
export function createIdChecker(file: string, strict: boolean, warn: (text: string) => void): IdChecker {
  return strict ? strictChecker(file) : lenientChecker(file, warn);
}

function lenientChecker(file: string, warn: (text: string) => void): IdChecker {
  const calls = new Set<string>();
  const kinds = new Map<string, McpEvent['idKind']>();
  const warned = new Set<string>();
  return {
    check(event) {
      if (event.id === null) return;
      const before = kinds.get(event.id);
      if (before !== undefined && before !== event.idKind && !warned.has(event.id)) {
        warned.add(event.id);
        warn(
          `${event.place}: the id ${JSON.stringify(event.id)} appears as a number and as a string; both count as the same id (--strict-ids distinguishes them)`,
        );
      }
      kinds.set(event.id, event.idKind);
      if (event.meaning.kind !== 'call') return;
      const call = scopedKey(event, event.id)!;
      if (calls.has(call)) {
        throw captureError(
          file,
          '',
          `duplicate tools/call request id ${JSON.stringify(event.id)} at source line ${event.at}`,
          'Give each call an id of its own; --strict-ids allows reuse after the answer.',
        );
      }
      calls.add(call);
    },
  };
}

function strictChecker(file: string): IdChecker {
  const outstanding = new Set<string>();
  return {
    check(event, entry) {
      const message = entry.message as Record<string, unknown>;
      const problem = shapeProblem(message, event);
      if (problem !== undefined) throw captureError(file, event.place, problem);
      const key = scopedKey(event, typedId(event));
      if (key === undefined) return;
      if (!('method' in message)) outstanding.delete(key);
      else if (outstanding.has(key)) {
        // The id is the sender's text and is not repeated here.
        throw captureError(file, '', `two outstanding JSON-RPC requests share an id at source line ${event.at}`);
      } else outstanding.add(key);
    },
  };
}

/** Key under which 1 and "1" differ; undefined for ids that pair with nothing (none, fractions). */
export function typedId(event: McpEvent): string | undefined {
  if (event.id === null) return undefined;
  if (event.idKind === 'number' && !/^-?\d+$/.test(event.id)) return undefined;
  return `${event.idKind} ${event.id}`;
}

/** Methods of requests: without an id they are no notifications but mistakes. */
const requestMethods = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'sampling/createMessage',
  'roots/list',
  'elicitation/create',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'server/discover',
  'subscriptions/listen',
]);

function shapeProblem(message: Record<string, unknown>, event: McpEvent): string | undefined {
  if (message['jsonrpc'] !== '2.0') return 'the member "jsonrpc" must be "2.0"';
  if ('method' in message) {
    if (typeof message['method'] !== 'string') return 'the member "method" must be a string';
    if ('id' in message && event.id === null) return 'a request must have a string or a number as id';
    if (!('id' in message) && requestMethods.has(message['method']))
      return `a request (${message['method']}) must have an id`;
    return undefined;
  }
  const hasResult = 'result' in message;
  if (hasResult === 'error' in message) return 'a response must have exactly one of result and error';
  if (hasResult) return event.id === null ? 'a response with a result must have a string or a number as id' : undefined;
  const { error } = message;
  if (
    !isExactObject(error) ||
    !/^-?\d+$/.test(numberText(error['code']) ?? '') ||
    typeof error['message'] !== 'string'
  ) {
    return 'an error must have a whole number as code and a string as message';
  }
  return undefined;
}
