/** Facts of a `followUp` for rules. */
import type { Definitions, Facts, Gaps } from '../../core/plugin.ts';
import { exchangeFacts } from '../exchange-feature.ts';
import { isDoubtfulCancel } from '../message-feature.ts';
import { paramsOf } from '../../values/rpc.ts';
import { exchangeSoundness, soundnessOfSent } from '../soundness.ts';
import { nothing, type Window } from '../window.ts';

/** Requests also have the facts of their exchange, as they are when nothing more is to come. */
const ofExchange: Definitions<Window> = Object.fromEntries(
  Object.entries(exchangeFacts).map(([name, { read, ...one }]) => [
    name,
    { ...one, read: ({ sent: { record } }: Window) => record && read!(record) },
  ]),
);

const ownFacts: Definitions<Window> = {
  of: {
    says: 'request, notification, response, batch, unparsable (no JSON) or other (JSON that is no message, also a request or notification of another version than JSON-RPC 2.0).',
    rests: [],
    read: ({ sent }) => sent.of,
  },
  soundness: {
    ...exchangeSoundness,
    read: ({ sent }) => (sent.record ? exchangeSoundness.read!(sent.record) : soundnessOfSent(sent)),
  },
  message: { says: 'What was sent, if it was JSON.', rests: [], read: ({ sent }) => sent.message },
  raw: { says: 'What was sent, if it was not.', rests: ['bytes'], read: ({ sent }) => sent.raw },
  orphans: {
    says: 'Responses in that time that answer no request.',
    rests: [],
    read: ({ orphans }) => orphans,
    doubtful: isDoubtfulOrphan,
  },
  errorIds: {
    says: 'What is no JSON, or no message: ids other than null of errors that followed, over HTTP in the reply to it, and answer no open request: those of requests that were answered before, and those that no request had.',
    rests: ['order', 'exchanges', 'bytes'],
    read: ({ errorIds }) => errorIds,
  },
  aliveAfter: {
    says: 'A later request was answered (true), or none was although one was required (false): the connection was lost, or nothing answered a method that the server had answered before.',
    rests: [],
    read: isAliveAfter,
    doubtful: ({ aliveAfter }) => aliveAfter === false,
  },
  failedAfter: {
    says: 'Later requests in that time that got no answer (timeout, closed, missing or an HTTP error), or were still waiting for theirs when one of the orphans came.',
    rests: [],
    read: ({ laterUnanswered, waiting }) => laterUnanswered + waiting,
    doubtful: ({ failedAfter }) => Number(failedAfter ?? 0) > 0,
  },
  batch: {
    says: 'Batches: requests (how many are in it) and answered (how many of those were).',
    rests: [],
    read: ({ sent: { batch = nothing } }) => ({
      requests: batch.length,
      answered: batch.filter((one) => one.reply !== undefined).length,
    }),
  },
  cancels: {
    says: 'notifications/cancelled: active, finished, task, initialize or nothing.',
    rests: [],
    read: ({ sent }) => sent.cancels,
    doubtful: isDoubtfulCancel,
  },
  cancelsMethod: {
    says: 'notifications/cancelled: method of the request that it names.',
    rests: [],
    read: ({ sent }) => sent.cancelsMethod,
  },
  answersCancelled: {
    says: 'Responses: the server had cancelled the request.',
    rests: ['order'],
    read: ({ sent }) => sent.answersCancelled,
  },
  answeredAfterCancel: {
    says: 'A request that was sent after the cancellation was answered.',
    rests: ['order'],
    read: ({ sent }) => sent.record?.answeredAfterCancel,
  },
  progressLate: {
    says: 'Progress notifications after that answer.',
    rests: ['order'],
    read: ({ sent }) => sent.record?.progressLate,
  },
  repliedLate: {
    says: 'A response came after that answer.',
    rests: ['order'],
    read: ({ sent }) => sent.record?.repliedLate,
  },
  repliedAfterCancel: {
    says: 'A response came after the cancellation.',
    rests: ['order'],
    read: ({ sent: { record } }) => (record?.cancelSeq === undefined ? undefined : record.resultAfterCancel),
  },
  servedBefore: {
    says: 'The server had answered a request of its method before, on this connection.',
    rests: ['order'],
    read: ({ servedBefore }) => servedBefore,
    doubtful: ({ servedBefore }) => servedBefore === false,
  },
  servedAnywhere: {
    says: 'The server had answered a request of its method before, on whatever connection.',
    rests: ['order'],
    read: ({ servedAnywhere }) => servedAnywhere,
    doubtful: ({ servedAnywhere }) => servedAnywhere === false,
  },
  method: { ...exchangeFacts.method!, read: ({ method }) => method },
  phase: { ...exchangeFacts.phase!, read: ({ phase }) => phase },
  params: { ...exchangeFacts.params!, read: ({ sent }) => paramsOf(sent.message) },
  hasCursor: {
    says: 'Its params have a cursor.',
    rests: [],
    read: ({ sent }) => paramsOf(sent.message)?.cursor !== undefined,
  },
  httpStatus: { ...exchangeFacts.httpStatus!, read: ({ sent }) => sent.http?.status },
  errorCode: {
    ...exchangeFacts.errorCode!,
    read: ({ sent: { record }, refusalCode }) => (record ? exchangeFacts.errorCode!.read!(record) : refusalCode),
  },
};

export const aftermathFacts: Definitions<Window> = { ...ofExchange, ...ownFacts };

/** True when a later request was answered, false when the want of an answer shows something; undefined otherwise. */
function isAliveAfter({ laterAnswered, laterFailed, sent: { session } }: Window): boolean | undefined {
  return laterAnswered > 0 ? true : laterFailed > 0 || session.lost ? false : undefined;
}

function isDoubtfulOrphan({ orphans }: Readonly<Facts>, { recorded, wholeOrder }: Gaps): boolean {
  return (!wholeOrder || !recorded.exchanges || !recorded.bytes) && (orphans as unknown[]).length > 0;
}
