/** Names that `inputRequests` has more than once on the wire. */
import { asObject, isObject } from '../../src/core/model/json.ts';
import { repeatedMembers } from '../../src/core/facts/client-requests/repeated-members.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';

const messageFacts: Definitions<MessageView> = {
  repeatedInputKeys: {
    says: 'Results that ask for input: names that inputRequests has more than once in the text on the wire.',
    rests: ['bytes'],
    read: repeatedInputKeys,
  },
};

export const feature: Feature = { name: 'repeated-input-keys', facts: { message: messageFacts } };

/** A text that equals what JSON.stringify makes of it (no `raw` then) names nothing twice. */
function repeatedInputKeys({ item: { event, inBatch, shape }, body }: MessageView): string[] | undefined {
  const result = shape === 'result' && !inBatch ? asObject(body?.result) : undefined;
  if (result?.resultType !== 'input_required' || !isObject(result.inputRequests)) return undefined;
  return event.raw === undefined ? [] : repeatedMembers(event.raw, ['result', 'inputRequests']);
}
