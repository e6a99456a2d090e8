/**
 * A run and its parts: data of the run (target, times, calls, wire log) appears once, and each revision of the
 * specification is a part. Pages, scores and summaries look at one part with its run around it.
 */
import { append } from '../lists.ts';
import type {
  ReportPart,
  ReportVerdict,
  RequestTally,
  RunReport,
  SpokenRevision,
  UnspokenRevision,
  WireEntry,
} from './run-report.ts';
import type { ToolCalls } from './tool-calls.ts';

/** One part of a run, including the members of the run. */
export type PartReport = Omit<RunReport, 'parts'> & Omit<ReportPart, OwnMember>;

const partMembers = [
  'revision',
  'era',
  'compliant',
  'score',
  'grade',
  'gradeLimits',
  'counts',
  'decided',
  'applicable',
  'conditional',
  'notReached',
  'areas',
  'levels',
  'verdicts',
  'features',
  'deprecations',
  'baseline',
  'disabled',
] as const satisfies readonly (keyof ReportPart)[];
/** Members of the run that each of several parts has for itself. */
const ownMembers = [
  'target',
  'transport',
  'startedAt',
  'durationMs',
  'startUpMs',
  'requests',
  'skipped',
  'calls',
  'trace',
  'incomplete',
  'leftBehind',
] as const satisfies readonly (keyof ReportPart & keyof RunReport)[];
type OwnMember = (typeof ownMembers)[number];

/** A part, seen together with its run; the first part where none is named. Events have the numbers of its own trace. */
export function ofPart(report: RunReport, part: ReportPart = report.parts[0]!): PartReport {
  const { parts: _parts, ...run } = report;
  const { events } = part;
  if (events === undefined) return { ...run, ...part };
  // Sums over all parts do not belong to this one.
  const own = Object.fromEntries(
    Object.entries(run).filter(
      ([name]) => !ownMembers.includes(name as OwnMember) || name === 'target' || name === 'transport',
    ),
  );
  const by = 1 - events.first;
  const wire = report.wire
    .filter(({ seq }) => seq >= events.first && seq <= events.last)
    .map((entry) => ({ ...entry, seq: entry.seq + by }));
  const { requests } = part;
  return {
    ...(own as Omit<RunReport, 'parts'>),
    ...part,
    ...(requests === undefined ? {} : { requests: { ...requests, events: moved(requests.events, by) } }),
    ...renumberedPart(part, by),
    wire,
  } as PartReport;
}

/** The run of a part that is its only one. */
export function runOf(one: PartReport): RunReport {
  const part = Object.fromEntries(
    partMembers.flatMap((name) => (one[name] === undefined ? [] : [[name, one[name]]])),
  ) as unknown as ReportPart;
  const run = Object.fromEntries(
    Object.entries(one).filter(
      ([name]) => name === 'compliant' || !partMembers.includes(name as (typeof partMembers)[number]),
    ),
  );
  return { ...(run as unknown as Omit<RunReport, 'parts'>), parts: [part] };
}

/** A revision that the target was asked for by itself and does not speak, with the messages that show it, numbered from 1. */
export interface AskedRevision extends UnspokenRevision {
  wire: readonly WireEntry[];
}

export interface JoinOptions {
  /** Revisions that the target was asked for and does not speak; they go before what the runs say. */
  unspoken?: readonly AskedRevision[];
  /** Why the whole is not complete, beyond what the runs say. */
  incomplete?: string | undefined;
}

/**
 * One run of several, each of one revision: a part for each, in the order given. Events are numbered on from part to
 * part, so that one wire log holds them all. A run alone stays as it is, but for what the options say.
 */
export function joinRuns(runs: readonly RunReport[], { unspoken = [], incomplete: cut }: JoinOptions = {}): RunReport {
  const first = runs[0]!;
  if (runs.length === 1 && unspoken.length === 0 && cut === undefined) return first;
  const wire: RunReport['wire'] = [];
  const parts: ReportPart[] = [];
  const seen = { spoken: [] as SpokenRevision[], unspoken: [] as UnspokenRevision[] };
  const requests: RequestTally[] = [];
  let before = 0;
  for (const run of runs) {
    const by = before;
    append(
      wire,
      run.wire.map((entry) => ({ ...entry, seq: entry.seq + by })),
    );
    append(
      seen.spoken,
      (run.spoken ?? []).map((one) => ({
        ...one,
        evidence: one.evidence.map(({ by: how, events }) => ({ by: how, events: moved(events, by) })),
      })),
    );
    append(
      seen.unspoken,
      (run.unspoken ?? []).map((one) => ({ ...one, events: moved(one.events, by) })),
    );
    const tally = run.requests === undefined ? undefined : { ...run.requests, events: moved(run.requests.events, by) };
    if (tally !== undefined) requests.push(tally);
    const own = Object.fromEntries(ownMembers.flatMap((name) => (run[name] === undefined ? [] : [[name, run[name]]])));
    const numbered = run.parts.map((part) => ({ ...part, ...renumberedPart(part, by) }));
    before += lastEvent(run);
    append(
      parts,
      runs.length === 1
        ? numbered
        : numbered.map((part) => ({
            ...part,
            ...own,
            ...(tally === undefined ? {} : { requests: tally }),
            events: { first: by + 1, last: Math.max(by + 1, before) },
          })),
    );
  }
  const asked = unspoken.map(({ wire: shown, ...one }) => {
    const events = shown.map((entry, at) => ({ ...entry, seq: before + at + 1 }));
    before += events.length;
    append(wire, events);
    return { ...one, events: events.map(({ seq }) => seq) };
  });
  const spoken = joinedSpoken(seen.spoken);
  const reported =
    first.spoken === undefined && unspoken.length === 0
      ? {}
      : { spoken, unspoken: joinedUnspoken([...asked, ...seen.unspoken], spoken) };
  const reasons = [
    ...runs.flatMap(({ incomplete, parts: [part] }) =>
      incomplete === null ? [] : [runs.length === 1 ? incomplete : `MCP ${part!.revision}: ${incomplete}`],
    ),
    ...(cut === undefined ? [] : [cut]),
  ];
  const calls = runs.flatMap((run) => run.calls ?? []);
  const left = runs.flatMap((run) => run.leftBehind ?? []);
  return {
    ...first,
    ...reported,
    durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
    compliant: reasons.length === 0 && runs.every(({ compliant }) => compliant),
    parts,
    wire,
    trace: runs.length === 1 ? first.trace : null,
    incomplete: reasons.length === 0 ? null : reasons.join('; '),
    ...(requests.length === 0 ? {} : { requests: requests.reduce(sumOf) }),
    skipped: [
      ...new Map(
        runs.flatMap(({ skipped }) => skipped).map((one) => [JSON.stringify([one.what, one.why]), one]),
      ).values(),
    ],
    ...(calls.length === 0 ? {} : { calls: joinedCalls(calls) }),
    ...(left.length === 0 ? {} : { leftBehind: [...new Set(left)] }),
  };
}

function moved(events: readonly number[], by: number): number[] {
  return events.map((seq) => seq + by);
}

/** Members of a part with event numbers, shifted. */
function renumberedPart(
  { verdicts, features, deprecations }: ReportPart,
  by: number,
): Pick<ReportPart, 'verdicts' | 'features' | 'deprecations'> {
  return {
    verdicts: verdicts.map((verdict) => renumbered(verdict, by)),
    ...(features === undefined
      ? {}
      : {
          features: features.map((one) =>
            one.evidence === null
              ? one
              : { ...one, evidence: { ...one.evidence, events: moved(one.evidence.events, by) } },
          ),
        }),
    ...(deprecations === undefined
      ? {}
      : { deprecations: deprecations.map((one) => ({ ...one, events: moved(one.events, by) })) }),
  };
}

function renumbered(verdict: ReportVerdict, by: number): ReportVerdict {
  if (by === 0) return verdict;
  return {
    ...verdict,
    evidence: verdict.evidence.map((one) => ({
      ...one,
      events: moved(one.events, by),
      ...(one.event === undefined ? {} : { event: one.event + by }),
    })),
  };
}

/** The highest number of an event that the report of a run names. */
function lastEvent({ wire, parts, requests }: RunReport): number {
  let last = 0;
  for (const { seq } of wire) last = Math.max(last, seq);
  for (const seq of requests?.events ?? []) last = Math.max(last, seq);
  for (const { verdicts, features = [], deprecations = [] } of parts) {
    for (const { events } of deprecations) for (const seq of events) last = Math.max(last, seq);
    for (const { evidence } of verdicts)
      for (const { events, event = 0 } of evidence) for (const seq of [...events, event]) last = Math.max(last, seq);
    for (const { evidence } of features) for (const seq of evidence?.events ?? []) last = Math.max(last, seq);
  }
  return last;
}

function joinedSpoken(all: readonly SpokenRevision[]): SpokenRevision[] {
  const found = new Map<string, SpokenRevision>();
  for (const one of all) {
    const evidence = found.get(one.revision)?.evidence ?? [];
    found.set(one.revision, {
      ...one,
      evidence: [...evidence, ...one.evidence.filter(({ by }) => evidence.every((known) => known.by !== by))],
    });
  }
  return newestFirst([...found.values()]);
}

function joinedUnspoken(all: readonly UnspokenRevision[], spoken: readonly SpokenRevision[]): UnspokenRevision[] {
  const known = new Set(spoken.map(({ revision }) => revision));
  const found = new Map<string, UnspokenRevision>();
  for (const one of all) if (!known.has(one.revision) && !found.has(one.revision)) found.set(one.revision, one);
  return newestFirst([...found.values()]);
}

/** Names of revisions are dates. */
function newestFirst<T extends { revision: string }>(list: T[]): T[] {
  return list.sort((a, b) => (a.revision < b.revision ? 1 : -1));
}

function sumOf(one: RequestTally, other: RequestTally): RequestTally {
  const counts = new Map<string, number>();
  for (const { cause, count } of [...one.causes, ...other.causes]) counts.set(cause, (counts.get(cause) ?? 0) + count);
  return {
    sent: one.sent + other.sent,
    unanswered: one.unanswered + other.unanswered,
    causes: [...counts].map(([cause, count]) => ({ cause, count })).sort((a, b) => b.count - a.count),
    ended: one.ended + other.ended,
    events: [...one.events, ...other.events],
  };
}

function joinedCalls(all: readonly ToolCalls[]): ToolCalls {
  const called = new Map<string, ToolCalls['called'][number]>();
  for (const one of all.flatMap((calls) => calls.called)) {
    const before = called.get(one.tool);
    if (before === undefined) {
      called.set(one.tool, one);
      continue;
    }
    const kinds = new Map(before.arguments.map(({ value, times }) => [value, times]));
    for (const { value, times } of one.arguments) kinds.set(value, (kinds.get(value) ?? 0) + times);
    const more = (before.more ?? 0) + (one.more ?? 0);
    called.set(one.tool, {
      tool: one.tool,
      times: before.times + one.times,
      arguments: [...kinds].map(([value, times]) => ({ value, times })).sort((a, b) => b.times - a.times),
      ...(more === 0 ? {} : { more }),
    });
  }
  const notCalled = new Map(
    all
      .flatMap((calls) => calls.notCalled)
      .filter(({ tool }) => !called.has(tool))
      .map((one) => [one.tool, one]),
  );
  const unlisted = new Map<string, number>();
  for (const { tool, times } of all.flatMap((calls) => calls.unlisted ?? []))
    if (!called.has(tool)) unlisted.set(tool, (unlisted.get(tool) ?? 0) + times);
  const more = all.reduce((sum, calls) => sum + (calls.more ?? 0), 0);
  return {
    called: [...called.values()],
    notCalled: [...notCalled.values()],
    ...(unlisted.size === 0 ? {} : { unlisted: [...unlisted].map(([tool, times]) => ({ tool, times })) }),
    ...(more === 0 ? {} : { more }),
  };
}
