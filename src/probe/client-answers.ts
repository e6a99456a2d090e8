/**
 * What the checker answers to requests of the server: it is a faultless client, so it answers all that it
 * declared and refuses the rest (2025-11-25: client/roots, client/sampling, client/elicitation).
 */
import { generateValue } from './generate-value.ts';

type Json = Record<string, unknown>;

/** Capabilities that the checker declares by default, per revision. */
export function clientCapabilities(revision: string): Json {
  const capabilities: Json = { roots: { listChanged: true }, sampling: {} };
  if (revision >= '2025-06-18') capabilities.elicitation = {};
  return capabilities;
}

export const clientInfo = (version: string): Json => ({ name: 'mcpc', version });

/**
 * The response to a request of the server, without `jsonrpc` and `id`.
 * @param declared the capabilities that were declared on the connection
 */
export function answerFor(method: unknown, params: Json | undefined, declared: Json): Json {
  if (method === 'ping') return { result: {} };
  if (method === 'roots/list' && 'roots' in declared) {
    return { result: { roots: [{ uri: 'file:///mcpc/workspace', name: 'workspace' }] } };
  }
  if (method === 'sampling/createMessage' && 'sampling' in declared) {
    return {
      result: { role: 'assistant', model: 'mcpc', content: { type: 'text', text: 'A sampled answer.' }, stopReason: 'endTurn' },
    };
  }
  if (method === 'elicitation/create' && 'elicitation' in declared) return { result: elicited(params) };
  return { error: { code: -32601, message: `mcpc does not offer ${String(method)} on this connection` } };
}

function elicited(params: Json | undefined): Json {
  // URL mode asks a person to open a page; there is none, so the honest answer is to decline.
  if (params?.mode === 'url') return { action: 'decline' };
  const schema = params?.requestedSchema;
  return { action: 'accept', content: generateValue(typeof schema === 'object' && schema !== null ? (schema as Json) : {}) };
}
