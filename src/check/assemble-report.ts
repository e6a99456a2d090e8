/**
 * Makes the RunReport of a judged trace. Everything in it comes from the trace's header, footer and events,
 * the rules and the judge, so that judging a saved trace gives the report of the live run again.
 */
import { runOf } from '../core/model/reports/run-parts.ts';
import type { ReportFeature, ReportVerdict, RequestTally, RunReport } from '../core/model/reports/run-report.ts';
import type { TraceEvent, TraceFooter, TraceHeader } from '../core/model/trace.ts';
import { scoreVerdicts, type Scorecard } from '../core/score/scorecard.ts';
import { defaultScoring } from '../core/score/scoring.ts';
import { eraOf, isKnownRevision } from '../core/spec/revisions.ts';
import { sdkOfFooter } from './target/sdk-fixes.ts';
import type { FailedList } from './reporting/said/failed-lists.ts';
import type { Judged } from './judge/judge-feed.ts';
import type { SelectedPlan } from './plan.ts';
import { causeEvents, withCauses } from './reporting/causes.ts';
import { deprecationsOf } from './reporting/said/deprecations.ts';
import { featuresOf } from './reporting/features.ts';
import { digestFor } from './reporting/profile-digest.ts';
import { toolCallsOf } from './reporting/said/tool-calls.ts';
import { withoutLogin } from './reporting/undecided/client-acts.ts';
import { decidedOpen, createTextRenderer, unrendered, verdictOf } from './reporting/verdict-text.ts';
import { wireEntry } from './reporting/wire-log.ts';
import { asText } from '../core/model/json.ts';

export interface ReportSources {
  header: TraceHeader;
  footer: TraceFooter | undefined;
  /** The events with these seqs, in order. */
  cited(seqs: ReadonlySet<number>): Promise<TraceEvent[]> | TraceEvent[];
  judged: Judged;
  /** The judged party: a breakdown of the server is not evidence about a client. */
  role?: 'server' | 'client' | 'both';
  plan: SelectedPlan;
  toolVersion: string;
  /** Path of the trace file, if one is kept. */
  trace: string | null;
  durationMs: number;
}

export async function assembleReport(sources: ReportSources): Promise<RunReport> {
  const { header, footer, judged, plan } = sources;
  const revision = judged.revision ?? header.revision ?? '';
  // Most runs of sound servers have no text to render.
  const render = judged.outcomes.some(({ status, advice }) => status === 'fail' || advice.length > 0)
    ? createTextRenderer()
    : unrendered;
  const sdk = sdkOfFooter(footer?.sdk);
  const skipped = [
    ...(Array.isArray(footer?.skipped) ? (footer.skipped as RunReport['skipped']) : []),
    ...letGoOf(judged),
  ];
  const live = header.origin === 'live';
  const quick = header.profile === 'quick';
  const calls = toolCallsOf(judged.tools, skipped, live);
  const incomplete = incompleteOf(footer, sources.role === 'client' ? undefined : judged);
  const skippedTools = calls.notCalled.filter(({ tool }) => skipped.some(({ what }) => what === `tool ${tool}`));
  const around = {
    revision,
    occasions: judged.occasions,
    live,
    staged: header.origin === 'client',
    loginless: header.origin === 'client' && skipped.some(({ why }) => why.startsWith(withoutLogin)),
    quick,
    whole: live && !quick && incomplete === null,
    leftOut: skippedTools.filter(({ allow }) => allow !== undefined).map(({ tool }) => tool),
    eachCalled: skippedTools.length === 0 && (judged.tools.eachCalled || !judged.occasions.declared.has('tools')),
  };
  const judgements = judged.outcomes.map((outcome) => ({
    outcome,
    verdict: decidedOpen(verdictOf(outcome, { revision, transport: header.transport }, render, sdk), outcome, around),
  }));
  const features = featuresOf(judged.features, revision, header.transport);
  const deprecations = deprecationsOf(judged.deprecations, {
    revision,
    transport: header.transport,
    role: sources.role,
  });
  const versions = sources.role === 'client' ? undefined : judged.revisions;
  const reported =
    versions === undefined ? [] : [...versions.spoken.flatMap(({ evidence }) => evidence), ...versions.unspoken];
  const found = new Map(
    (
      await sources.cited(
        new Set([
          ...reported.flatMap(({ events }) => events),
          ...citedBy(
            judgements.map(({ verdict }) => verdict),
            features,
          ),
          ...causeEvents(judgements),
        ]),
      )
    ).map((event) => [event.seq, event]),
  );
  const verdicts = withCauses(judgements, found);
  const shown = new Set([...citedBy(verdicts, features), ...reported.flatMap(({ events }) => events)]);
  const card = scoreVerdicts(verdicts, defaultScoring, {
    calledNone: judged.tools.listed.length > 0 && calls.called.length === 0,
  });
  return runOf({
    format: 'mcpc-run-report',
    version: 2,
    tool: { name: 'mcpc', version: sources.toolVersion },
    target: { ...targetOf(header), ...(sdk === undefined ? {} : { sdk }) },
    transport: header.transport,
    ...(judged.profile === undefined ? {} : { profile: judged.profile }),
    ...(Array.isArray(footer?.attested) ? { attested: footer.attested as RunReport['attested'] } : {}),
    ...(versions === undefined ? {} : { spoken: [...versions.spoken], unspoken: [...versions.unspoken] }),
    ...(header.recorded === undefined
      ? {}
      : {
          notRecorded: Object.entries(header.recorded)
            .filter(([, there]) => !there)
            .map(([part]) => part),
        }),
    revision,
    era: isKnownRevision(revision) ? eraOf(revision) : 'stateful',
    ruleSet: {
      digest: digestFor(plan.digest, quick ? 'quick' : undefined),
      rules: plan.total,
      set: plan.set,
      ...(quick ? { profile: 'quick' } : {}),
    },
    ...(typeof header.run === 'string' ? { run: header.run } : {}),
    startedAt: header.startedAt ?? '',
    durationMs: Math.round(sources.durationMs),
    ...(typeof footer?.startUpMs === 'number' ? { startUpMs: footer.startUpMs } : {}),
    ...card,
    // An incomplete run proves nothing good.
    ...(incomplete === null ? {} : withoutScore(card)),
    verdicts,
    features,
    ...(deprecations.length === 0 ? {} : { deprecations }),
    wire: [...found.values()].filter(({ seq }) => shown.has(seq)).map(wireEntry),
    trace: sources.trace,
    incomplete,
    requests: judged.requests,
    skipped,
    // An authorization server has no tools.
    ...(header.target?.kind === 'authorization-server' ? {} : { calls }),
    ...(Array.isArray(footer?.leftBehind) ? { leftBehind: footer.leftBehind.map(asText) } : {}),
  });
}

/** The scorecard of an incomplete run. */
function withoutScore({ areas }: Scorecard): Partial<Scorecard> {
  return {
    compliant: false,
    score: null,
    grade: null,
    gradeLimits: undefined,
    areas: areas.map((area) => ({ ...area, score: null })),
  };
}

function citedBy(verdicts: readonly ReportVerdict[], features: readonly ReportFeature[]): Set<number> {
  const ofVerdicts = verdicts.flatMap(({ status, evidence }) =>
    status === 'not-applicable' ? [] : evidence.flatMap(({ events }) => events),
  );
  return new Set([...ofVerdicts, ...features.flatMap(({ evidence }) => evidence?.events ?? [])]);
}

function targetOf(header: TraceHeader): RunReport['target'] {
  const target = (header.target ?? {}) as Partial<RunReport['target']>;
  return { ...target, name: target.name ?? header.origin };
}

/** Every reason why the run is not whole, in one sentence; null when it is. */
function incompleteOf(
  footer: TraceFooter | undefined,
  judged: Pick<Judged, 'requests' | 'occasions'> | undefined,
): string | null {
  const cut = footer
    ? footer.complete
      ? undefined
      : (footer.reason ?? 'the trace is not complete')
    : 'the trace was cut off before its end';
  const reasons = [
    cut,
    ...(judged === undefined
      ? []
      : [...breakdownsOf(judged.requests), ...judged.occasions.failedLists.map(whatFailed)]),
  ].filter((one) => one !== undefined);
  return reasons.length === 0 ? null : reasons.join('; ');
}

function whatFailed({ method, count, code, message }: FailedList): string {
  const [named] = method.split('/');
  return `the server declares ${named} and answered each of ${count} ${method} by an error (${code}${message === '' ? '' : ` ${message}`}), so that none of them was checked`;
}

function breakdownsOf({ sent, unanswered, causes, ended }: RequestTally): string[] {
  const by = causes.map(({ cause, count }) => (causes.length === 1 ? cause : `${cause} (${count})`)).join(', ');
  return [
    ...(unanswered === 0
      ? []
      : [`${unanswered} of ${sent} requests ${unanswered === 1 ? 'was' : 'were'} not answered by the server: ${by}`]),
    ...(ended === 0 ? [] : [`the process of the server ended by itself ${ended === 1 ? 'once' : `${ended} times`}`]),
  ];
}

/** Limits of judging, as entries of what was left out. */
function letGoOf({ letGo }: Judged): { what: string; why: string }[] {
  const entries = [
    { count: letGo?.sessions ?? 0, what: 'connections', why: 'more than 1000 younger ones were open at the same time' },
    { count: letGo?.requests ?? 0, what: 'requests', why: 'more than 20000 waited for an answer at the same time' },
  ];
  return entries
    .filter(({ count }) => count > 0)
    .map(({ count, what, why }) => ({
      what: `${count} ${what} followed to no end`,
      why: `${why}; what was not decided by then stays undecided`,
    }));
}
