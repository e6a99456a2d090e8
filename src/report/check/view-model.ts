/**
 * A part of a RunReport -> view: sorted, grouped, numbers and durations formatted, server text made visible. Templates only
 * lay it out. No member is ever undefined: absent is null, so that templates can be compiled strictly. Nothing
 * here escapes for a format, and nothing here decides.
 */
import { transportWords } from './transport-words.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import type { PartReport } from '../../core/model/reports/run-parts.ts';
import { revisionsView, type RevisionsView, type RunPartsView } from '../features/spoken-view.ts';
import { areaView, describeSegments, segmentsOf } from '../bars.ts';
import type { AreaView, Segment } from '../bars.ts';
import { attestedView, type AttestedView } from '../features/attested-view.ts';
import { profileView, type ProfileView } from '../features/profile-view.ts';
import { deprecationsView, type DeprecationsView } from '../features/deprecations-view.ts';
import { featuresView, type FeaturesView } from '../features/features-view.ts';
import {
  coverageText,
  formatDuration,
  formatScore,
  formatTime,
  oneLine,
  plural,
  profileWords,
  shorten,
} from '../text.ts';
import { leftOutView, toolsView } from '../tools-view.ts';
import type { LeftOutView, ToolsView } from '../tools-view.ts';
import { toneOf, toneWords, tones } from '../tones.ts';
import type { Tone } from '../tones.ts';
import { disabledView, type DisabledView } from './disabled-view.ts';
import { byArea, worstOf, type AreaFold } from './reading-order.ts';
import { reproduction } from './reproduce.ts';
import { clausesOf, verdictView } from '../verdict-view.ts';
import type { VerdictView } from '../verdict-view.ts';
import { wireTableOf } from './wire-table.ts';
import type { WireTable } from './wire-table.ts';

export interface ToneGroup {
  tone: Tone;
  heading: string;
  label: string;
  symbol: string;
  note: string;
  /** Findings; rules that are shown with another one are in `rules` only. */
  count: number;
  /** Verdicts of the tone. */
  rules: number;
  /** Number of rules beyond the number of findings, in words, or null. */
  folded: string | null;
  verdicts: VerdictView[];
  /** The same by area; null for findings, of which each is in sight. */
  byArea: AreaFold[] | null;
  /** Each is named by formats that name no more than they have to. */
  named: boolean;
  /** Remedies that would decide its verdicts, or their conditions. */
  rows: OpenRowView[];
  /** Failures that are shown with the rule that names their cause. */
  hidden: VerdictView[];
}

/** Verdicts that nothing decided, alike in what would decide them, or in what they depend on. */
export interface OpenRowView {
  /** Remedies that would decide them; their conditions. */
  words: string;
  /** Why they are open, if that is separate from `words`. */
  why: string | null;
  count: number;
  rules: string[];
}

export interface LevelView {
  level: string;
  pass: number;
  fail: number;
  notExercised: number;
  notApplicable: number;
  error: number;
}

export interface ReportView {
  tool: { name: string; version: string };
  target: { name: string; reached: string; server: string | null; capabilities: string | null };
  transport: string;
  revision: string;
  /** Begins the ids of the part on a page; empty where there is only one. */
  place: string;
  era: string;
  /** Result of all parts, if the run has several; null for a single one. */
  partsOf: RunPartsView | null;
  /**
   * Revisions that the target speaks; null where a run has several parts (`partsOf` has them), and where that is
   * unknown.
   */
  revisions: RevisionsView | null;
  ruleSet: { digest: string; shortDigest: string; rules: number; set: string | null };
  /** Note for readers if the profile was not the full one. */
  profile: string | null;
  startedAt: string;
  startedAtIso: string;
  duration: string;
  seconds: string;
  compliant: boolean;
  /** `Compliant`, `Not compliant`, `Incomplete`, or `Nothing decided`. */
  headline: string;
  /** One sentence below the headline. */
  reason: string;
  headlineTone: 'good' | 'bad' | 'open';
  score: string;
  /** 0 to 100 for drawing. */
  scoreValue: number;
  grade: string;
  /** Fit for a class name: `a` … `f`, or `none`. */
  gradeClass: string;
  /** Why the grade is not that of the score, in words, or null. */
  gradeLimit: string | null;
  decided: number;
  /** All but what does not apply, and what is conditional; `decided` is a part of it. */
  applies: number;
  total: number;
  /** Rules that fail by the cause of another one, with which they count as one. */
  folded: number;
  /** Decided of what applies, in per cent, no decimals. */
  coverage: string;
  /** Number of findings and of verdicts that are none, by tone: what has one cause counts once. */
  counts: Record<Tone, number>;
  segments: Segment[];
  segmentSummary: string;
  /** Only groups that hold something. */
  groups: ToneGroup[];
  /** The groups of failures and of what could not be judged, and all others. */
  findings: ToneGroup[];
  /** The three worst failures, each of a cause of its own. */
  worst: VerdictView[];
  rest: ToneGroup[];
  /** Applicable requirements that were not reached, by remedy, most first. */
  openRows: OpenRowView[];
  /** Conditional requirements by condition, most first. */
  conditions: OpenRowView[];
  /** The wire log of a page: each event once, by its seq. */
  wireTable: WireTable;
  /** The address below which clauses of the revision stand. */
  clauses: string;
  areas: AreaView[];
  levels: LevelView[];
  /** Names that occur, for filters. */
  areaNames: string[];
  levelNames: string[];
  incomplete: string | null;
  skipped: LeftOutView[];
  /** Number of omitted things; several of a kind are one above. */
  skippedCount: number;
  /** Null for reports of older versions. */
  tools: ToolsView | null;
  /** Optional features of the target, seen or not; null for reports without them. */
  features: FeaturesView | null;
  /** Deprecated features in use; null without any. */
  deprecations: DeprecationsView | null;
  clientProfile: ProfileView | null;
  attested: AttestedView[] | null;
  /** Command lines of processes that the target left running. */
  leftBehind: string[];
  baseline: { file: string; known: string[]; fresh: string[]; stale: string[]; summary: string } | null;
  /** What the project file disables; null where it disables nothing. */
  disabled: DisabledView | null;
  trace: string | null;
}

/** The view of a report; the order of everything in it depends on the report alone. */
export function viewOf(report: PartReport, partsOf: RunPartsView | null = null): ReportView {
  const verdicts = report.verdicts.map((verdict) => ({ source: verdict, tone: toneOf(verdict) }));
  verdicts.sort(
    (a, b) =>
      tones.indexOf(a.tone) - tones.indexOf(b.tone) ||
      byCodeUnit(a.source.area, b.source.area) ||
      byCodeUnit(a.source.rule, b.source.rule),
  );
  const wire = new Map(report.wire.map((entry) => [entry.seq, entry]));
  const features = featuresView(report, wire);
  const ids = new Set<string>();
  // Rules have a verdict in each part, and one place each on the page.
  const place = partsOf === null ? '' : `${report.revision}-`;
  const again = (verdict: PartReport['verdicts'][number]): string | null => reproduction(report, verdict);
  const views = verdicts.map(({ source, tone }) => verdictView(source, tone, wire, ids, { place, again }));
  const worst = worstOf(views.filter((verdict) => !isFolded(verdict, views)));
  const openRows = openRowsOf(views);
  const conditions = conditionsOf(views);
  const groups = tones
    .map((tone): ToneGroup => {
      const all = views.filter((verdict) => verdict.tone === tone);
      const hidden = all.filter((verdict) => isFolded(verdict, views));
      const own = all.filter((verdict) => !hidden.includes(verdict));
      const { heading, label, symbol, note } = toneWords[tone];
      const folded =
        all.length === own.length ? null : `${plural(own.length, 'finding')}, ${plural(all.length, 'rule')}`;
      return {
        tone,
        heading,
        label,
        symbol,
        note,
        count: own.length,
        rules: all.length,
        folded,
        verdicts: own.map((verdict) => ({ ...verdict, open: worst.includes(verdict) || tone === 'error' })),
        byArea: isFinding({ tone }) ? null : byArea(own, `${place}${tone}`),
        named: tone === 'not-exercised' || tone === 'conditional',
        rows: tone === 'not-exercised' ? openRows : tone === 'conditional' ? conditions : [],
        hidden,
      };
    })
    .filter((group) => group.rules > 0);
  const counts = Object.fromEntries(
    tones.map((tone) => [tone, groups.find((group) => group.tone === tone)?.count ?? 0]),
  ) as Record<Tone, number>;
  const { target, ruleSet, baseline } = report;
  const counted = groups.flatMap((group) => group.verdicts);
  const segments = segmentsOf(counted);
  return {
    tool: { name: oneLine(report.tool.name), version: oneLine(report.tool.version) },
    target: {
      name: oneLine(target.name),
      reached: oneLine(target.url ?? target.command?.join(' ') ?? ''),
      server: serverName(target.serverInfo),
      capabilities: target.capabilities?.length ? oneLine(target.capabilities.join(', ')) : null,
    },
    transport: transportWords(report),
    revision: oneLine(report.revision),
    place: oneLine(place),
    era: oneLine(report.era),
    partsOf,
    revisions: partsOf === null ? revisionsView(report, [report.revision]) : null,
    ruleSet: {
      digest: oneLine(ruleSet.digest),
      shortDigest: oneLine(ruleSet.digest)
        .replace(/^sha256[:-]/, '')
        .slice(0, 12),
      rules: ruleSet.rules,
      set: ruleSet.set === undefined ? null : oneLine(ruleSet.set),
    },
    profile: profileWords(ruleSet),
    startedAt: formatTime(report.startedAt),
    startedAtIso: oneLine(report.startedAt),
    duration: formatDuration(report.durationMs),
    seconds: (report.durationMs / 1000).toFixed(3),
    compliant: report.compliant,
    ...headlineOf(report, counts),
    score: formatScore(report.score),
    scoreValue: report.score ?? 0,
    grade: report.grade === null ? '–' : oneLine(report.grade),
    gradeClass: /^[A-F]/.exec(report.grade ?? '')?.[0].toLowerCase() ?? 'none',
    decided: report.decided,
    gradeLimit: gradeLimitOf(report.gradeLimits),
    applies: report.applicable - (report.conditional ?? 0),
    total: report.verdicts.length,
    folded: views.length - counted.length,
    coverage: coverageText(report.decided, report.applicable - (report.conditional ?? 0)),
    counts,
    segments,
    segmentSummary: describeSegments(segments),
    groups,
    findings: groups.filter(isFinding),
    worst,
    rest: groups.filter((group) => !isFinding(group)),
    openRows,
    conditions,
    clauses: clausesOf(oneLine(report.revision)),
    wireTable: wireTableOf(
      groups.flatMap((group) => group.verdicts),
      features?.used ?? [],
    ),
    areas: report.areas.map((area) => areaView(area.area, area.score, counted)),
    levels: report.levels,
    areaNames: [...new Set(views.map((verdict) => verdict.area))].sort(byCodeUnit),
    levelNames: report.levels.map((level) => level.level),
    incomplete: report.incomplete === null ? null : oneLine(report.incomplete),
    skipped: leftOutView(report.skipped),
    skippedCount: report.skipped.length,
    tools: toolsView(report),
    features,
    deprecations: deprecationsView(report),
    clientProfile: profileView(report),
    attested: attestedView(report),
    leftBehind: (report.leftBehind ?? []).map(oneLine),
    baseline: baseline === undefined ? null : baselineView(baseline),
    disabled: disabledView(report.disabled),
    trace: report.trace === null ? null : oneLine(report.trace),
  };
}

function openRowsOf(views: readonly VerdictView[]): OpenRowView[] {
  const open = views.filter(({ tone }) => tone === 'not-exercised');
  return alike(open, ({ remedy, message }) => remedy ?? message).map((row) => {
    const reasons = new Set(row.verdicts.map(({ message }) => reasonOf(message)));
    return {
      ...rowOf(row),
      why: row.verdicts.every(({ remedy }) => remedy !== null) && reasons.size === 1 ? [...reasons][0]! : null,
    };
  });
}

function conditionsOf(views: readonly VerdictView[]): OpenRowView[] {
  const open = views.filter(({ tone }) => tone === 'conditional');
  return alike(open, ({ message }) => reasonOf(message)).map(rowOf);
}

/** The part of a message after the word for its status, without its full stop. */
function reasonOf(message: string): string {
  return message.replace(/^(Not reached|Not exercised|Conditional): (applies )?/, '').replace(/\.$/, '');
}

function rowOf({ words, verdicts }: { words: string; verdicts: readonly VerdictView[] }): OpenRowView {
  return { words, why: null, count: verdicts.length, rules: verdicts.map(({ rule }) => rule) };
}

function alike(
  views: readonly VerdictView[],
  wordsOf: (view: VerdictView) => string,
): { words: string; verdicts: VerdictView[] }[] {
  const rows = new Map<string, VerdictView[]>();
  for (const view of views) rows.set(wordsOf(view), [...(rows.get(wordsOf(view)) ?? []), view]);
  return [...rows]
    .map(([words, verdicts]) => ({ words, verdicts }))
    .sort((a, b) => b.verdicts.length - a.verdicts.length || byCodeUnit(a.words, b.words));
}

/** `at best B: no tool was called` */
function gradeLimitOf(limits: PartReport['gradeLimits'] = []): string | null {
  const [worst] = limits;
  if (worst === undefined) return null;
  const own = limits.filter(({ grade }) => grade === worst.grade).map(({ why }) => oneLine(why));
  return `at best ${oneLine(worst.grade)}: ${own.join('; ')}`;
}

function isFinding({ tone }: Pick<ToneGroup, 'tone'>): boolean {
  return tone === 'violation' || tone === 'warning' || tone === 'advice' || tone === 'error';
}

/** A verdict that is shown with the rule that names its cause, unless the baseline knows only one of them. */
function isFolded({ cause, known }: VerdictView, views: readonly VerdictView[]): boolean {
  return cause !== null && views.some((one) => one.rule === cause && one.known === known);
}

function headlineOf(
  report: PartReport,
  counts: Record<Tone, number>,
): Pick<ReportView, 'headline' | 'reason' | 'headlineTone'> {
  const revision = `MCP ${oneLine(report.revision)}`;
  if (!report.compliant && (report.incomplete === null || counts.violation > 0 || counts.error > 0)) {
    const parts = [
      counts.violation > 0 ? `${plural(counts.violation, 'requirement')} of ${revision} violated` : '',
      counts.error > 0 ? `${plural(counts.error, 'rule')} that mcpc could not judge` : '',
    ].filter(Boolean);
    return { headline: 'Not compliant', reason: `${parts.join(', ')}.`, headlineTone: 'bad' };
  }
  if (report.target.speaks !== undefined) {
    return {
      headline: `Speaks ${shorten(oneLine(report.target.speaks), 40)}`,
      reason: `It was asked for ${revision}; how it chose the version violates nothing, and nothing else was asked.`,
      headlineTone: 'open',
    };
  }
  if (report.incomplete !== null) {
    return {
      headline: 'Incomplete',
      reason: `No violation of ${revision} so far, but the run did not finish.`,
      headlineTone: 'open',
    };
  }
  if (report.decided === 0) {
    return {
      headline: 'Nothing decided',
      reason: `No requirement of ${revision} could be decided.`,
      headlineTone: 'open',
    };
  }
  const warnings = counts.warning === 0 ? '' : `, ${plural(counts.warning, 'warning')}`;
  return { headline: 'Compliant', reason: `No requirement of ${revision} violated${warnings}.`, headlineTone: 'good' };
}

function baselineView(baseline: NonNullable<PartReport['baseline']>): NonNullable<ReportView['baseline']> {
  const { known, fresh, stale } = baseline;
  return {
    file: oneLine(baseline.file),
    known: known.map(oneLine),
    fresh: fresh.map(oneLine),
    stale: stale.map(oneLine),
    summary: `${known.length} known, ${fresh.length} new, ${stale.length} stale`,
  };
}

/** A name; what is longer is none. */
const longestName = 200;

function serverName(info: PartReport['target']['serverInfo']): string | null {
  const text = oneLine([info?.title ?? info?.name, info?.version].filter((part) => typeof part === 'string').join(' '));
  return text === '' ? null : shorten(text, longestName);
}
