/** The stream that answers the request which a message belongs to. */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const messageFacts: Definitions<MessageView> = {
  requestStream: {
    says: 'Progress and responses: whether the event stream that answers the POST of their request is open, ended or none.',
    rests: ['exchanges', 'streams'],
    read: (m) => (m.place.record === undefined ? undefined : requestStreamOf(m.place.record)),
  },
};

export const feature: Feature = { name: 'request-streams', facts: { message: messageFacts } };

/** True if the POST of a request is being answered by an event stream at that moment. */
function requestStreamOf(record: RpcRecord): string {
  const stream = record.http?.stream;
  if (!stream) return 'none';
  return stream.closedBy === undefined ? 'open' : 'ended';
}
