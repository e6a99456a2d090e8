/** The record of a request as it is sent. */
import type { JsonObject } from '../../model/json.ts';
import type { RpcRecord } from './rpc-record.ts';
import type { RpcItem } from '../values/rpc.ts';

export interface Sent extends Pick<RpcRecord, 'session' | 'from' | 'http' | 'token' | 'othersInFlight' | 'disturbed'> {
  /** The request of the same sender that had its progress token last. */
  earlier: RpcRecord | undefined;
}

/** Has all members from the start: there is one for each request, and an object that grows takes far longer to make. */
export function createRecord(
  { seq, event, inBatch }: RpcItem,
  message: JsonObject,
  { session, from, http, token, earlier, othersInFlight, disturbed }: Sent,
): RpcRecord {
  return {
    session,
    from,
    seq,
    t: event.t,
    message,
    method: message.method,
    id: message.id,
    phase: session.phase,
    inBatch,
    deviates: event.deviation !== undefined,
    disturbed,
    onTrial: event.trial === true,
    framing: event.framing,
    http,
    token,
    tokenAmbiguous: earlier !== undefined && (earlier.reply === undefined || earlier.tokenAmbiguous === true),
    progress: [],
    cancelSeq: undefined,
    cancelT: undefined,
    dropSeq: undefined,
    answeredAfterDrop: false,
    afterDrop: [],
    tornDown: undefined,
    misanswered: false,
    outcome: undefined,
    reply: undefined,
    bodyError: undefined,
    replyT: undefined,
    replyHttp: undefined,
    replies: 0,
    emptied: undefined,
    progressMixed: false,
    progressHttp: undefined,
    answeredAfterCancel: false,
    progressLate: 0,
    repliedLate: false,
    replySeq: undefined,
    streamClosedBy: undefined,
    resultAfterCancel: false,
    becameTask: false,
    afterUnparseableInput: undefined,
    othersInFlight,
    events: [seq],
  };
}
