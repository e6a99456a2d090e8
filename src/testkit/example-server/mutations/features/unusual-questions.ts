/** Legal but unusual ways to ask the client, and to be content with its answers; used by a variant. */
import type { About } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import { without } from '../edits.ts';

/** The message as an unusual server would send it. */
export function unusualQuestion(message: JsonObject, about: About): JsonObject {
  const { params, result } = message;
  if (about.kind === 'request' && about.method === 'sampling/createMessage' && isObject(params))
    return { ...message, params: sampling(params) };
  if (about.kind === 'request' && about.method === 'elicitation/create' && isObject(params))
    return { ...message, params: params.mode === 'url' ? page(params) : form(params) };
  if (about.kind === 'result' && about.method === 'tools/call' && isObject(result))
    return { ...message, result: politely(result) };
  return message;
}

/** No preferences, a choice without a mode; results come in another order, and one of them alone without a list. */
function sampling(given: JsonObject): JsonObject {
  const params = without(given, 'modelPreferences');
  const unusual = (given.messages as JsonObject[]).map((message) => {
    const results =
      Array.isArray(message.content) && message.role === 'user' ? [...(message.content as unknown[])].reverse() : [];
    return results.length === 0 ? message : { ...message, content: results.length === 1 ? results[0] : results };
  });
  return {
    ...params,
    messages: unusual,
    includeContext: 'none',
    ...(params.tools === undefined ? {} : { toolChoice: {} }),
  };
}

/** The mode is named, a mention of passwords is meant well, and an optional field has a pattern. */
function form(params: JsonObject): JsonObject {
  const schema = params.requestedSchema as JsonObject;
  const fields = {
    passwordLength: { type: 'integer', title: 'Length of passwords' },
    nickname: { type: 'string', pattern: '^[a-z]+$', description: 'As in https://example.com/people/ada' },
  };
  return {
    ...params,
    mode: 'form',
    message: `${String(params.message)} Never enter a password here.`,
    requestedSchema: {
      ...schema,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { ...(schema.properties as JsonObject), ...fields },
    },
  };
}

/** Development: the page is on this machine, behind a fresh state each time. */
function page(params: JsonObject): JsonObject {
  return { ...params, url: `http://127.0.0.1:8080/connect?state=${String(params.elicitationId)}` };
}

/** Faults of an answer are reported in a plain result. */
function politely(result: JsonObject): JsonObject {
  const useless = result.isError === true && JSON.stringify(result.content).includes('The answer is no use');
  return useless
    ? { ...without(result, 'isError'), content: [{ type: 'text', text: 'The answer was left aside.' }] }
    : result;
}
