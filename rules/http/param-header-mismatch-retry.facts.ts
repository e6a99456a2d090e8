/** Calls that a server refused for their headers, of tools that ask for headers of parameters. */
import { hasHeaderParameters } from '../../src/core/json-schema/header-parameters.ts';
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const mismatch = -32020;

const exchangeFacts: Definitions<RpcRecord> = {
  headersRefused: {
    says: 'tools/call of a listed tool with sound x-mcp-header: the error was -32020.',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'refused-headers',
  after: ['listing'],
  facts: { exchange: exchangeFacts },
  create: () => ({
    answered({ from, method, reply, bodyError }, { listed }) {
      if (from !== 'client' || method !== 'tools/call' || !hasHeaderParameters(asObject(listed)?.inputSchema))
        return undefined;
      const error = asObject(reply)?.error ?? bodyError;
      return { facts: { headersRefused: asObject(error)?.code === mismatch } };
    },
  }),
};
