/** Completion of prompt arguments and template variables from fixed lists. */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';
import { findPrompt } from './prompts.ts';

const promptValues: Record<string, readonly string[]> = {
  'greet.name': ['Ada', 'Alan', 'Barbara', 'Grace'],
  'greet.style': ['formal', 'friendly', 'funny'],
};
const templateValues: Record<string, readonly string[]> = {
  'demo://notes/{id}.id': ['1', '2', '10', '11'],
  'demo://echo/{word}.word': ['hello', 'help'],
  'demo://square/{n}.n': ['2', '20'],
};

function invalid(message: string): RpcError {
  return new RpcError(errorCode.invalidParams, message, { reason: 'params' });
}

/** @throws RpcError -32602 for an unknown reference or argument, or a malformed request */
export function complete(params: JsonObject, context: RequestContext): JsonObject {
  const { ref, argument } = params;
  if (!isObject(ref)) throw invalid('The parameter ref is missing');
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw invalid('The parameter argument has to hold a name and a value');
  }
  if (ref.type === 'ref/prompt' && findPrompt(ref.name, context) === undefined) throw invalid('Unknown prompt');
  if (ref.type !== 'ref/prompt' && ref.type !== 'ref/resource') throw invalid('Unknown type of reference');
  const known =
    ref.type === 'ref/prompt'
      ? promptValues[`${String(ref.name)}.${argument.name}`]
      : templateValues[`${String(ref.uri)}.${argument.name}`];
  if (known === undefined && ref.type === 'ref/resource') throw invalid('Unknown template or variable');
  const prefix = argument.value.toLowerCase();
  const values = (known ?? []).filter((value) => value.toLowerCase().startsWith(prefix)).slice(0, 100);
  return { completion: { values, total: values.length, hasMore: false } };
}
