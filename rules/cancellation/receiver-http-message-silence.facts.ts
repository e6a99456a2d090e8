/** What came for a request after the client had closed the stream of its reply. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const exchangeFacts: Definitions<RpcRecord> = {
  givenUp: {
    says: 'Stateless era over HTTP, where the client closed the stream of the reply before the response: answeredAfter (a request that was sent later was answered) and after (what came for the request on other replies).',
    read: ({ dropSeq, answeredAfterDrop, afterDrop }) =>
      dropSeq === undefined ? undefined : { answeredAfter: answeredAfterDrop, after: afterDrop },
  },
};

export const feature: Feature = { name: 'given-up-requests', facts: { exchange: exchangeFacts } };
