/** What all connections of a trace show together: versions, session ids, listening addresses (the `target` subject). */
import { asObject } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import type { TraceEvent } from '../../model/trace.ts';
import type { EmitSubject } from '../core/subject.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import type { SessionState } from './session-state.ts';

export interface Initialization {
  requested: unknown;
  answered: unknown;
  outcome: string;
  errorCode: unknown;
}

const kept = 2000;

export interface TargetTracker {
  observe(event: TraceEvent): void;
  answered(record: RpcRecord): void;
  endSession(session: SessionState): void;
  /** @param more what other trackers know of all connections together */
  end(more: { facts: Record<string, unknown>; events: readonly number[] }): void;
}

/** @param knownRevisions revisions that exist; a request for any other one shows the server's fallback */
export function createTargetTracker(emit: EmitSubject, knownRevisions: readonly string[]): TargetTracker {
  const initializations: Initialization[] = [];
  const sessionIds: string[] = [];
  const versionSeqs: number[] = [];
  const sessionSeqs: number[] = [];
  let listening: unknown;
  let listeningSeq: number | undefined;
  let starts = 0;
  let lost = 0;

  /** A request without a version, or with something else in its place, shows no fallback. */
  function isUnknownVersion(requested: unknown): boolean {
    return typeof requested === 'string' && !knownRevisions.includes(requested);
  }

  return {
    observe(event) {
      if (event.kind === 'spawn') starts += 1;
      if (event.kind === 'listening') {
        listening = event.detail;
        listeningSeq = event.seq;
      }
    },
    answered(record) {
      if (record.from !== 'client' || record.method !== 'initialize' || initializations.length >= kept) return;
      const result = asObject(asObject(record.reply)?.result);
      initializations.push({
        requested: asObject(asObject(record.message)?.params)?.protocolVersion,
        answered: result?.protocolVersion,
        outcome: record.outcome ?? 'unanswered',
        errorCode: asObject(asObject(record.reply)?.error)?.code,
      });
      append(versionSeqs, record.events);
    },
    endSession(session) {
      if (session.lost) lost += 1;
      if (session.sessionId !== undefined && sessionIds.length < kept) {
        sessionIds.push(session.sessionId);
        append(sessionSeqs, session.handshake.slice(0, 2));
      }
    },
    end(more) {
      const named = new Set(initializations.map((one) => one.answered).filter((one) => typeof one === 'string'));
      emit({
        kind: 'target',
        events: [...new Set([...versionSeqs, ...sessionSeqs, ...(listeningSeq === undefined ? [] : [listeningSeq]), ...more.events])],
        facts: {
          initializations,
          /** Requests for a version that the server named elsewhere, answered with something else. */
          unechoed: initializations.filter(
            (one) => named.has(one.requested as string) && one.outcome === 'result' && one.answered !== one.requested,
          ),
          echoed: initializations.filter((one) => one.answered !== undefined && one.answered === one.requested).length,
          namedVersions: [...named],
          newestEchoed: initializations
            .filter((one) => one.answered !== undefined && one.answered === one.requested)
            .map((one) => String(one.answered))
            .filter((version) => knownRevisions.includes(version))
            .sort()
            .at(-1),
          fallback: initializations.find(
            (one) => one.outcome === 'result' && isUnknownVersion(one.requested),
          )?.answered,
          unsupportedOutcomes: initializations.flatMap((one, index) =>
            isUnknownVersion(one.requested) ? [unsupportedOutcome(one, initializations.slice(index + 1))] : [],
          ),
          sessionIds,
          listening,
          starts,
          lostSessions: lost,
          ...more.facts,
        },
      });
    },
  };
}

/**
 * How a request for a version that does not exist ended. A closed connection counts only when the server was
 * still willing to serve a later one: else it may have been about the connection rather than the version.
 */
function unsupportedOutcome(one: Initialization, later: readonly Initialization[]): string {
  switch (one.outcome) {
    case 'result':
      if (typeof one.answered !== 'string') return 'unclear';
      return one.answered === one.requested ? 'same-version' : 'other-version';
    case 'closed':
    case 'timeout':
      return later.some((other) => other.outcome === 'result') ? one.outcome : 'unclear';
    case 'error':
      return 'error';
    default:
      return 'unclear';
  }
}
