/** The `exchange` subject: a request with what answered it. */
import { asObject, type JsonObject } from '../../model/json.ts';
import type { Definitions, Facts, Feature } from '../core/plugin.ts';
import { isDoubtfulReadable } from './message-feature.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { declaredVersionOf, metaOf, paramsOf } from '../values/rpc.ts';
import { exchangeSoundness } from './soundness.ts';

/** Facts of an exchange; an aftermath of a request has them too. */
export const exchangeFacts: Definitions<RpcRecord> = {
  from: { says: 'Who asked: client or server.', rests: [], read: (record) => record.from },
  method: { says: 'Method of the request.', rests: [], read: (record) => record.method },
  request: { says: 'The request as it was sent.', rests: [], read: (record) => record.message },
  params: { says: 'Its params, if they are an object.', rests: [], read: (record) => paramsOf(record.message) },
  id: { says: 'Its id.', rests: [], read: (record) => record.id },
  phase: {
    says: 'Lifecycle phase in which it was sent: before-initialize, initializing, before-initialized, operating, closing.',
    rests: ['order'],
    read: (record) => record.phase,
  },
  soundness: exchangeSoundness,
  inBatch: { says: 'It was an element of a batch.', rests: [], read: (record) => record.inBatch },
  outcome: {
    says: 'result, error, malformed (a response with neither or both), http-error (status 400 or more without a response that has the id), missing (the HTTP reply ended without one), timeout, closed (the server went away), unanswered (the client stopped waiting, the reply broke off, or an error said that there were too many requests).',
    rests: [],
    read: (record) => record.outcome,
    doubtful: isDoubtfulOutcome,
  },
  misanswered: {
    says: 'While it waited, a response came whose id is that of no request, or of one that was answered before.',
    rests: [],
    read: (record) => record.misanswered,
  },
  answered: {
    says: 'A response with its id arrived.',
    rests: [],
    read: (record) => replyOf(record) !== undefined,
    doubtful: isDoubtfulOutcome,
  },
  result: { says: 'Its result.', rests: [], read: (record) => replyOf(record)?.result, doubtful: isDoubtfulOutcome },
  error: { says: 'Its error.', rests: [], read: (record) => replyOf(record)?.error, doubtful: isDoubtfulOutcome },
  errorCode: {
    number: true,
    says: 'The code of the error, also of an error body without id under an HTTP error status.',
    rests: [],
    read: (record) => asObject(replyOf(record)?.error)?.code ?? asObject(record.bodyError)?.code,
    doubtful: isDoubtfulOutcome,
  },
  progressValues: {
    says: 'The progress values reported for its token, in order.',
    rests: [],
    read: (record) => record.progress.map(({ value }) => value),
  },
  progressTimes: {
    says: 'When each of them came, in milliseconds since the trace began.',
    read: (record) => record.progress.map(({ t }) => t),
  },
  tokenAmbiguous: {
    says: 'An earlier request had its progress token and no answer yet, so that progress may be about either.',
    rests: ['order'],
    read: (record) => record.tokenAmbiguous,
  },
  progressMixed: {
    says: 'They came over more than one HTTP stream, so that their order proves nothing.',
    rests: ['exchanges', 'streams'],
    read: (record) => record.progressMixed,
  },
  cancelled: {
    says: 'The sender cancelled it before it was answered.',
    rests: [],
    read: (record) => record.cancelSeq !== undefined,
  },
  afterCancel: {
    says: 'Requests that were cancelled: served (a later request of the sender was answered), late (the response came behind that answer), replied (it came behind the cancellation). Also progress (notifications for it behind that answer) and ms (from the cancellation to the response).',
    rests: ['order', 'timing'],
    read: afterCancel,
  },
  streamClosedBy: {
    says: 'HTTP: who ended the event stream of its POST before the response: server or client; lost where it broke off with its connection.',
    rests: ['exchanges', 'streams'],
    read: (record) => record.streamClosedBy,
  },
  becameTask: { says: 'The result created a task.', rests: [], read: (record) => record.becameTask },
  afterUnparseableInput: {
    says: 'The client had sent something unreadable before it in the session (a request with an id of a wrong type counts).',
    read: (record) => record.afterUnparseableInput ?? false,
    doubtful: isDoubtfulReadable,
  },
  othersInFlight: {
    number: true,
    says: 'Requests of the same sender that nothing had answered when it was sent.',
    read: (record) => record.othersInFlight,
  },
  elapsedMs: {
    number: true,
    says: 'Milliseconds from request to response.',
    rests: ['timing'],
    read: (record) => (record.replyT === undefined ? undefined : record.replyT - record.t),
  },
  httpStatus: {
    number: true,
    says: 'Status of the HTTP reply that brought the response.',
    rests: ['exchanges'],
    read: (record) => (record.replyHttp ?? record.http)?.status,
  },
  contentType: {
    says: 'Media type of that reply, lower case, without parameters.',
    rests: ['exchanges'],
    read: (record) => (record.replyHttp ?? record.http)?.contentType,
  },
  requestHeaders: {
    says: 'Headers of the POST, names in lower case.',
    rests: ['exchanges'],
    read: (record) => record.http?.requestHeaders,
  },
  declaredVersion: {
    says: 'Version that the request declares in _meta (stateless era).',
    rests: [],
    read: (record) => declaredVersionOf(record.message),
  },
  metaKeys: { says: 'Keys of params._meta.', rests: [], read: (record) => Object.keys(metaOf(record.message) ?? {}) },
  hasMeta: { says: 'There are any.', rests: [], read: (record) => hasMeta(record) },
};

export const exchanges: Feature = {
  name: 'exchanges',
  kinds: { exchange: 'A request with what answered it. Complete when answered, refused, timed out or cut off.' },
  facts: { exchange: exchangeFacts },
};

/** Outcomes that a capture cannot distinguish from its own end or gaps. */
const doubtfulOutcomes: readonly unknown[] = ['missing', 'timeout', 'closed', 'unanswered'];

export function isDoubtfulOutcome({ outcome }: Readonly<Facts>): boolean {
  return doubtfulOutcomes.includes(outcome);
}

function afterCancel(record: RpcRecord): JsonObject | undefined {
  const { cancelT, replyT } = record;
  if (cancelT === undefined) return undefined;
  return {
    served: record.answeredAfterCancel,
    progress: record.progressLate,
    replied: record.resultAfterCancel,
    late: record.repliedLate,
    ...(replyT === undefined ? {} : { ms: replyT - cancelT }),
  };
}

function replyOf({ reply }: RpcRecord): JsonObject | undefined {
  return asObject(reply);
}

/** True if the request has anything in its `_meta`. */
function hasMeta({ message }: RpcRecord): boolean {
  for (const _ in metaOf(message)) return true;
  return false;
}
