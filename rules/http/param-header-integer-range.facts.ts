/** Integers that travel as headers, and whether each has a value that every JSON parser can hold. */
import { headerParameters, valueAt } from '../../src/core/json-schema/header-parameters.ts';
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';

const exchangeFacts: Definitions<RpcRecord> = {
  headerIntegers: {
    says: 'tools/call of a listed tool: arguments whose property has x-mcp-header and the type integer, by their value: within or beyond plus and minus 2^53-1.',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'header-integers',
  after: ['listing'],
  facts: { exchange: exchangeFacts },
  create: () => ({
    answered({ from, method, message }, { listed }) {
      if (from !== 'client' || method !== 'tools/call') return undefined;
      const given = paramsOf(message)?.arguments;
      const within: string[] = [];
      const beyond: string[] = [];
      for (const { path, type } of headerParameters(asObject(listed)?.inputSchema)) {
        const value = valueAt(given, path);
        if (type !== 'integer' || typeof value !== 'number' || !Number.isInteger(value)) continue;
        (Number.isSafeInteger(value) ? within : beyond).push(path.join('.'));
      }
      return within.length + beyond.length === 0 ? undefined : { facts: { headerIntegers: { within, beyond } } };
    },
  }),
};
