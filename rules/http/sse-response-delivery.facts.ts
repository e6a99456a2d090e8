/** Streams that were to be resumed. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const exchangeFacts: Definitions<RpcRecord> = {
  resumptionRefused: {
    says: 'HTTP: a GET that was to resume the event stream of its POST was refused.',
    rests: ['exchanges', 'streams'],
    read: (record) => record.http?.resumptionRefused === true,
  },
};

export const feature: Feature = { name: 'refused-resumptions', facts: { exchange: exchangeFacts } };
