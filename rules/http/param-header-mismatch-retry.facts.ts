/**
 * Calls that a server refused for their headers, of tools that ask for headers of parameters. The first refusal of each
 * tool counts: a client that was refused again after a new list has nothing left to try.
 */
import { BoundedSet } from '../../src/core/model/bounded.ts';
import { hasHeaderParameters } from '../../src/core/json-schema/header-parameters.ts';
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { storeOf } from '../../src/core/facts/state/store.ts';

const mismatch = -32020;

const keptTools = 500;

/** Names of the tools that a server refused for their headers. */
const refusedTools = storeOf(() => new BoundedSet<string>(keptTools));

const exchangeFacts: Definitions<RpcRecord> = {
  headersRefused: {
    says: 'tools/call of a listed tool with sound x-mcp-header: the error was -32020, for the first time on this connection.',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'refused-headers',
  after: ['listing'],
  facts: { exchange: exchangeFacts },
  create: () => ({
    answered({ session, from, method, reply, bodyError }, { listed }) {
      const tool = asObject(listed);
      if (from !== 'client' || method !== 'tools/call' || !hasHeaderParameters(tool?.inputSchema)) return undefined;
      const error = asObject(reply)?.error ?? bodyError;
      const refused = refusedTools(session);
      const name = String(tool?.name);
      const first = asObject(error)?.code === mismatch && !refused.has(name) && !refused.isFull;
      if (first) refused.add(name);
      return { facts: { headersRefused: first } };
    },
  }),
};
