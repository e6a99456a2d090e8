/** Feeds trace events to the judge, one after another, while they are still being made. */
import type { Account } from '../../core/evaluate/engine-judge.ts';
import { createJudge, type Evaluator, type JudgeResult } from '../../core/evaluate/judge.ts';
import type { Failure } from '../../core/evaluate/rule-tally.ts';
import { mergeMethodTables } from '../../core/facts/requests/method-table.ts';
import { createUnansweredRequests } from '../../core/facts/http/unanswered-requests.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import type { ClientProfile } from '../../core/model/rules/client-profile.ts';
import type { RequestTally } from '../../core/model/reports/run-report.ts';
import type { TraceEvent, TraceHeader } from '../../core/model/trace.ts';
import { loadValidators } from '../../files/package/load-validators.ts';
import { methodTables } from '../../files/package/method-tables.ts';
import { revisions } from '../../core/spec/revisions.ts';
import { createEventStore } from '../../core/trace/event-store.ts';
import { createProfileLog } from '../reporting/said/client-profile.ts';
import { createDeprecationLog, type SeenDeprecations } from '../reporting/said/deprecations.ts';
import { createOccasionLog, type Occasions } from '../reporting/said/occasions.ts';
import { createSpokenLog, type SpokenRevisions } from './spoken-log.ts';
import { eachSaid, type Said } from '../reporting/said/said.ts';
import { createCallLog, type SeenTools } from '../reporting/said/tool-calls.ts';

/** Verdicts, where the server broke down while they were gathered, which tools were seen, and which revisions it speaks. */
export interface Judged extends JudgeResult {
  requests: RequestTally;
  tools: SeenTools;
  occasions: Occasions;
  revisions: SpokenRevisions;
  deprecations: SeenDeprecations;
  /** Of a checked client. */
  profile?: ClientProfile;
}

export interface JudgeFeed {
  push(event: TraceEvent): void;
  /** Resolves when all that was pushed has been judged. */
  settled(): Promise<void>;
  /** The result so far; the judge continues. */
  peek(): Promise<Judged>;
  finish(): Promise<Judged>;
}

export interface FeedOptions {
  /** Whose behaviour is judged; the server's by default. */
  role?: 'server' | 'client' | 'both';
  /** Revision to judge by where the trace shows none. */
  otherwise?: string | undefined;
  /** Called for each violation at once. */
  onFailure?: (failure: Failure) => void;
  /** Called for events that may become evidence, as soon as a verdict needs them. */
  onCited?: (seq: number) => void;
  /** Evaluator of conditions; the fast path when absent. */
  evaluator?: Evaluator;
  /** With the engine: called for each subject with its outcome and reason. */
  onAccount?: (account: Account) => void;
  /** Called for rules that select by facts that the trace does not contain. */
  onUnselectable?: (rule: CompiledRule, hidden: ReadonlySet<string>) => void;
}

/** The authorization server that a trace is about; undefined for a trace of MCP. */
function issuerOf({ target }: TraceHeader): string | undefined {
  return target?.kind === 'authorization-server' && typeof target.url === 'string' ? target.url : undefined;
}

/** @param header transport, revision and subject of the trace; judging is independent of its origin */
export async function startJudging(
  rules: CompiledRule[],
  header: TraceHeader,
  { role = 'server', otherwise, onFailure, onCited, evaluator = 'fast', onAccount, onUnselectable }: FeedOptions = {},
): Promise<JudgeFeed> {
  const issuer = issuerOf(header);
  const judge = createJudge({
    rules: issuer === undefined ? rules : rules.filter(({ ofAuthorizationServer }) => ofAuthorizationServer === true),
    issuer,
    role,
    transport: header.transport,
    revision: header.revision,
    otherwise,
    recorded: header.recorded,
    methods: mergeMethodTables(await methodTables()),
    knownRevisions: revisions,
    loadValidators: (revision) => loadValidators(revision as Revision),
    ...(onFailure ? { onFailure } : {}),
    ...(onCited ? { onCited } : {}),
    ...(onAccount ? { onAccount } : {}),
    ...(onUnselectable ? { onUnselectable } : {}),
    evaluator,
  });
  const breakdowns = createUnansweredRequests({ transport: header.transport, own: header.origin === 'live' });
  const calls = createCallLog();
  const occasions = createOccasionLog();
  const deprecations = createDeprecationLog();
  const revisionsSeen = createSpokenLog();
  const profile = header.origin === 'client' ? createProfileLog() : undefined;
  const note = (one: Said): void => {
    calls.see(one);
    occasions.see(one);
    revisionsSeen.see(one);
    deprecations.see(one);
    profile?.see(one);
  };
  /** Events that came while the judge had to wait for something. */
  let queue = createEventStore();
  let queued = 0;
  let busy: Promise<void> | undefined;
  let failure: unknown;

  async function catchUp(due: Promise<void>): Promise<void> {
    try {
      await due;
      while (queued > 0) {
        const events = queue.all();
        queue = createEventStore();
        queued = 0;
        for (const event of events) await judge.push(event);
      }
    } catch (error) {
      failure ??= error;
    }
    busy = undefined;
  }

  async function settled(): Promise<void> {
    await busy;
    if (failure !== undefined) throw failure;
  }

  return {
    push(event) {
      eachSaid(event, note);
      if (event.kind === 'http-response') deprecations.seeReply(event);
      profile?.seeEvent(event);
      if (failure !== undefined) return;
      breakdowns.push(event);
      if (busy) {
        queue.push(event);
        queued += 1;
        return;
      }
      try {
        const due = judge.push(event);
        if (due) busy = catchUp(due);
      } catch (error) {
        failure = error;
      }
    },
    settled,
    async peek() {
      await settled();
      return {
        ...judge.peek(),
        requests: breakdowns.tally(),
        tools: calls.result(),
        occasions: occasions.result(),
        revisions: revisionsSeen.result(),
        deprecations: deprecations.result(),
        ...(profile === undefined ? {} : { profile: profile.result() }),
      };
    },
    async finish() {
      await settled();
      return {
        ...(await judge.finish()),
        requests: breakdowns.finish(),
        tools: calls.result(),
        occasions: occasions.result(),
        revisions: revisionsSeen.result(),
        deprecations: deprecations.result(),
        ...(profile === undefined ? {} : { profile: profile.result() }),
      };
    },
  };
}
