/**
 * What each fact rests on, for traces in which not everything was recorded. A fact that does not stand here needs
 * everything: so a new fact is never told of a capture by mistake. Data only.
 */
import type { SubjectKind } from '../../model/subject-kind.ts';
import type { Recorded } from '../../model/trace.ts';

export type Part = keyof Recorded;

type Needs = [parts: Part[], facts: string];

const exchange: Needs[] = [
  [
    [],
    `from method request params id inBatch outcome answered reply result error errorCode replies hasProgressToken progressValues progressCount cancelled
     becameTask declaredVersion metaKeys hasMeta cursor cursorState itemCount nextCursor listed structuredCopy asTask relatedTask`,
  ],
  [['order'], 'phase askedBefore equalsEarlierPage equalsFirstPage listPaginates'],
  [['order', 'start'], 'spelled misfits misfitUsed argumentsFault templateMimeType taskSupport'],
  [['start'], 'taskDeclared'],
  [['timing'], 'elapsedMs sincePageMs'],
  [['bytes'], 'framing'],
  [['exchanges'], 'httpStatus contentType requestHeaders sessionHeader'],
  [['exchanges', 'streams'], 'cutBy resumedInVain progressMixed'],
];

/** Facts of the connection, which all kinds but the target offer. */
const session: Needs[] = [
  [[], 'era revision'],
  [['order'], 'phase'],
  [['transport'], 'transport'],
  [['start'], 'requestedVersion clientCapabilities serverCapabilities serverInfo handshakeResult statefulHandshake uses'],
  [['exchanges'], 'hasSessionId sessionId deleted'],
  [['bytes'], 'lost'],
];

const needs: Partial<Record<SubjectKind, Needs[]>> = {
  message: [
    [
      [],
      `from shape message jsonrpc method methodRevisions methodSender id hasId hasMethod params hasParams result error isMethodNotification inBatch
       replyState repliesTo repliesToParams idReused copied replay progressToken hasProgressToken tokenState cancels metas metaKeys logText relatedTask
       afterUnreadable`,
    ],
    [['order'], 'phase tokenShared'],
    [['order', 'start'], 'subscribed setLevel belowSetLevel announced'],
    [['order', 'streams'], 'cancelsLate'],
    [['bytes'], 'raw utf8'],
    [['exchanges', 'transport'], 'via eventName httpStatus postMethod postCarries'],
    [['exchanges', 'streams'], 'openStreams tokenStream requestStream resumedStream'],
  ],
  exchange,
  aftermath: [
    ...exchange,
    [[], 'of message batchRequests batchAnswered aliveAfter failedAfter orphans orphanCount cancels cancelsMethod'],
    [['order'], 'answersCancelled answeredAfterCancel progressLate repliedLate progressAfterCancel repliedAfterCancel'],
    [['order', 'exchanges'], 'progressAfterReply'],
    [['exchanges'], 'bodyBytes'],
    [['bytes'], 'raw'],
  ],
  question: [
    [
      [],
      `via method params outcome answer action contentFaults mode fieldCount nestedFields choiceLists textFormats secretFields secretWords links urlParses
       urlScheme urlPlace urlCredentials toolUses toolResults impureMessages unbalancedUses strayResults structuredCount structuredMisfits rounds`,
    ],
    [['order'], 'phase'],
    [['start'], 'declared modeOffered'],
  ],
  task: [
    [[], 'from method request params hasProgressToken taskId createResult created observations observationCount unknownStatuses createdAts'],
    [['order'], 'statuses lastStatus terminal afterTerminal afterTerminalCount brokenTransitions lastUpdatedAts'],
  ],
  walk: [
    [[], 'method pages items ended repeatedItems overlap repeatedCursor'],
    [['order'], 'changed refused'],
  ],
  session: [
    ...session,
    [['start'], 'handshakeDone undeclaredUses serverRequestCount serverPings'],
    [['start', 'order'], 'answersBeforeInitialized earlyRequests'],
    [['timing'], 'pingBurstMs'],
    [['exchanges', 'streams'], 'eventIdCount eventIdStreams repeatedEventIds maxOpenStreams'],
    [['bytes'], 'stdinClosed exitOverdue exit'],
  ],
  target: [
    [['start', 'order'], 'initializations unechoed echoed namedVersions newestEchoed fallback'],
    [['start', 'exchanges'], 'sessionIds'],
    [['bytes'], 'listening starts lostSessions'],
  ],
  group: [[['order'], 'key count first last values'], [['order', 'timing'], 'times']],
  pair: [
    [[], 'first'],
    [['order'], 'then between ended'],
    [['order', 'timing'], 'elapsedMs'],
  ],
  line: [[['bytes'], 'parses blank lines text content joinedIsJson severalMessages framingHeader unterminated byteOrderMark phase']],
  http: [
    [
      ['exchanges'],
      `method path requestHeaders carries rpcMethod rpcParams sessionIssued versionHeader origin lastEventId outcome status success responseHeaders
       contentType bodyBytes reply replyMessage errorCode replyCount batchReply jsonRpcReply challenge`,
    ],
    [['exchanges', 'order'], 'phase sessionHeader'],
  ],
  stream: [
    [
      ['exchanges', 'streams'],
      `method rpcMethod resumes versionHeader eventCount firstEvent firstEventName sawId sawRetry endpoint cancelled resumedMethod resumedClosedBy
       resumedSawRetry oddNames responses requests notifications answered messagesAfterResponse closedBy overdue`,
    ],
  ],
};

function partsOf(table: readonly Needs[] = []): Map<string, readonly Part[]> {
  return new Map(table.flatMap(([parts, facts]) => facts.trim().split(/\s+/).map((fact) => [fact, parts] as const)));
}

/** The parts that each fact of a kind needs, by its bare name; a fact that is missing needs all parts. */
export function needsOf(kind: SubjectKind): Map<string, readonly Part[]> {
  return partsOf(needs[kind]);
}

/** The same for facts of the connection. */
export const sessionNeeds: ReadonlyMap<string, readonly Part[]> = partsOf(session);
