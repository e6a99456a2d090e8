/**
 * Offers of a puppet besides its script: one tool, prompt and resource, or those that the script's client uses,
 * described so that a client which looks for them finds them. It answers nothing itself.
 */
import { isRecord, recordOf, type Json } from '../json.ts';
import { clientMessages, type Script } from '../script.ts';
import { asText } from '../../../core/model/json.ts';

export interface Offers {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  resourceTemplates: Json[];
}

/** Names that a client makes up in order to be refused. */
const madeUp = /mcpc|unknown|undefined|no[-_ ]?such|nope|missing|non-?exist|does[-_]?not/i;

export function offersOf(script: Script): Offers {
  const calls = clientMessages(script);
  const used = (method: string, member: string): Json[] => {
    const params = calls.filter((one) => one.method === method).map((one) => recordOf(one.params));
    const named = params.filter((one) => typeof one[member] === 'string' && !madeUp.test(one[member]));
    return [...new Map(named.map((one) => [one[member], one])).values()];
  };
  const tools = used('tools/call', 'name').map(toolFor);
  const prompts = used('prompts/get', 'name').map(promptFor);
  const resources = used('resources/read', 'uri').map(({ uri }) => ({ uri, name: asText(uri) }));
  return {
    tools: tools.length > 0 ? tools : [echo],
    prompts: prompts.length > 0 ? prompts : [{ name: 'greeting', description: 'A greeting.' }],
    resources:
      resources.length > 0 ? resources : [{ uri: 'puppet://notes/first', name: 'first-note', mimeType: 'text/plain' }],
    resourceTemplates: [],
  };
}

const echo: Json = {
  name: 'echo',
  description: 'Gives back a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};

/** True if a tool runs as a task: as the script's client calls it. */
function executionOf(params: Json): Json {
  return params.task === undefined ? {} : { execution: { taskSupport: 'optional' } };
}

/** A tool whose schema leaves a client no choice but the scripted arguments, and that fits every wish. */
function toolFor(params: Json): Json {
  const { name, arguments: given } = params;
  const values = Object.entries(recordOf(given));
  const properties = Object.fromEntries(values.map(([key, value]) => [key, { const: value }]));
  const required = values.length > 0 ? { properties, required: Object.keys(properties) } : {};
  return {
    ...executionOf(params),
    name,
    description: 'Slow and long-running: reports progress, asks the client for sampling, writes logs.',
    inputSchema: { type: 'object', ...required },
    annotations: { readOnlyHint: true },
  };
}

function promptFor({ name, arguments: given }: Json): Json {
  const names = isRecord(given) ? Object.keys(given) : [];
  return { name, ...(names.length > 0 ? { arguments: names.map((one) => ({ name: one, required: true })) } : {}) };
}
