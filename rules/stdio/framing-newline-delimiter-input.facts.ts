/** How the line of a request was written over stdio. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const exchangeFacts: Definitions<RpcRecord> = {
  framing: {
    says: 'How a stdio line was written when not one line in one write: joined (with others) or split.',
    rests: ['bytes'],
    read: (record) => record.framing,
  },
};

export const feature: Feature = { name: 'line-framing', facts: { exchange: exchangeFacts } };
