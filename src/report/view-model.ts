/**
 * RunReport -> view: sorted, grouped, numbers and durations formatted, server text made visible. Templates only
 * lay it out. No member is ever undefined: absent is null, so that templates can be compiled strictly. Nothing
 * here escapes for a format, and nothing here decides.
 */
import type { ReportVerdict, RunReport } from '../model/run-report.ts';
import { formatDuration, formatScore, formatTime, oneLine, plural, visible, webLink } from './text.ts';
import { wireOf } from './wire-view.ts';
import type { WireView } from './wire-view.ts';

/** What a verdict means for a reader: its status, and for failures how much it counts. In the order of display. */
export const tones = ['violation', 'warning', 'advice', 'error', 'not-exercised', 'pass', 'not-applicable'] as const;
export type Tone = (typeof tones)[number];

const toneWords: Record<Tone, { label: string; heading: string; symbol: string; note: string }> = {
  violation: { label: 'Violated', heading: 'Violations', symbol: '✗', note: 'These count against compliance.' },
  warning: { label: 'Warning', heading: 'Warnings', symbol: '!', note: 'Not obeyed, but not counted against compliance.' },
  advice: { label: 'Advice', heading: 'Advice', symbol: 'i', note: 'Worth knowing; weighs nothing.' },
  error: { label: 'Not judged', heading: 'mcpc could not judge', symbol: '‼', note: 'A fault of mcpc, not of the target. The run cannot count as compliant.' },
  'not-exercised': { label: 'Not exercised', heading: 'Not exercised', symbol: '○', note: 'These bind the target, but nothing observed could decide them. They are not passes.' },
  pass: { label: 'Passed', heading: 'Passed', symbol: '✓', note: 'Decided by what was observed.' },
  'not-applicable': { label: 'Not applicable', heading: 'Not applicable', symbol: '–', note: 'These do not bind this target.' },
};

export interface VerdictView {
  /** Fit for an HTML id: letters, digits, hyphens; unique in the report. */
  id: string;
  rule: string;
  title: string;
  statement: string;
  requirements: string;
  area: string;
  level: string;
  severity: ReportVerdict['severity'];
  status: ReportVerdict['status'];
  tone: Tone;
  label: string;
  symbol: string;
  /** Failed, at any severity. */
  failed: boolean;
  /** The baseline knew of this failure. */
  known: boolean;
  message: string;
  expected: string | null;
  actual: string | null;
  fix: string | null;
  advice: string[];
  ref: string;
  /** Always http or https. */
  link: string | null;
  /** `2 of 5 subjects failed`, or null when there was at most one. */
  judged: string | null;
  evidence: number[];
  wire: WireView[];
  /** Cited events that are not shown, in words, or null. */
  moreWire: string | null;
}

export interface ToneGroup {
  tone: Tone;
  heading: string;
  label: string;
  symbol: string;
  note: string;
  count: number;
  /** Violations, warnings and errors are shown opened. */
  open: boolean;
  verdicts: VerdictView[];
}

export interface Segment {
  tone: Tone;
  label: string;
  count: number;
  /** Per cent of the bar, from its left end. */
  x: number;
  width: number;
}

export interface AreaView {
  area: string;
  score: string;
  total: number;
  passed: number;
  violations: number;
  warnings: number;
  undecided: number;
  notApplicable: number;
  segments: Segment[];
  /** The bar in words. */
  summary: string;
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
  era: string;
  ruleSet: { digest: string; shortDigest: string; rules: number; set: string | null };
  startedAt: string;
  startedAtIso: string;
  duration: string;
  seconds: string;
  compliant: boolean;
  /** `Compliant`, `Not compliant`, or `Nothing decided`. */
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
  decided: number;
  applicable: number;
  total: number;
  /** Decided of applicable, in per cent, no decimals. */
  coverage: string;
  /** Number of verdicts by tone. */
  counts: Record<Tone, number>;
  segments: Segment[];
  segmentSummary: string;
  /** Only groups that hold something. */
  groups: ToneGroup[];
  areas: AreaView[];
  levels: LevelView[];
  /** Names that occur, for filters. */
  areaNames: string[];
  levelNames: string[];
  incomplete: string | null;
  skipped: { what: string; why: string }[];
  baseline: { file: string; known: string[]; fresh: string[]; stale: string[]; summary: string } | null;
  trace: string | null;
}

/** The view of a report; the order of everything in it depends on the report alone. */
export function viewOf(report: RunReport): ReportView {
  const verdicts = report.verdicts.map((verdict) => ({ source: verdict, tone: toneOf(verdict) }));
  verdicts.sort(
    (a, b) =>
      tones.indexOf(a.tone) - tones.indexOf(b.tone) ||
      byCodeUnit(a.source.area, b.source.area) ||
      byCodeUnit(a.source.rule, b.source.rule),
  );
  const wire = new Map(report.wire.map((entry) => [entry.seq, entry]));
  const ids = new Set<string>();
  const views = verdicts.map(({ source, tone }) => verdictView(source, tone, wire, ids));
  const groups = tones
    .map((tone): ToneGroup => {
      const own = views.filter((verdict) => verdict.tone === tone);
      const { heading, label, symbol, note } = toneWords[tone];
      const open = tone === 'violation' || tone === 'error';
      return { tone, heading, label, symbol, note, count: own.length, open, verdicts: own };
    })
    .filter((group) => group.count > 0);
  const counts = Object.fromEntries(
    tones.map((tone) => [tone, views.filter((verdict) => verdict.tone === tone).length]),
  ) as Record<Tone, number>;
  const { target, ruleSet, baseline } = report;
  const segments = segmentsOf(views);
  return {
    tool: { name: report.tool.name, version: oneLine(report.tool.version) },
    target: {
      name: oneLine(target.name),
      reached: oneLine(target.url ?? target.command?.join(' ') ?? ''),
      server: serverName(target.serverInfo),
      capabilities: target.capabilities?.length ? oneLine(target.capabilities.join(', ')) : null,
    },
    transport: { stdio: 'stdio', http: 'Streamable HTTP', sse: 'HTTP+SSE' }[report.transport],
    revision: oneLine(report.revision),
    era: report.era,
    ruleSet: {
      digest: oneLine(ruleSet.digest),
      shortDigest: oneLine(ruleSet.digest).replace(/^sha256[:-]/, '').slice(0, 12),
      rules: ruleSet.rules,
      set: ruleSet.set === undefined ? null : oneLine(ruleSet.set),
    },
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
    applicable: report.applicable,
    total: report.verdicts.length,
    coverage: report.applicable === 0 ? '–' : `${Math.floor((100 * report.decided) / report.applicable)} %`,
    counts,
    segments,
    segmentSummary: describeSegments(segments),
    groups,
    areas: report.areas.map((area) => areaView(area.area, area.score, views)),
    levels: report.levels,
    areaNames: [...new Set(views.map((verdict) => verdict.area))].sort(byCodeUnit),
    levelNames: report.levels.map((level) => level.level),
    incomplete: report.incomplete === null ? null : oneLine(report.incomplete),
    skipped: report.skipped.map(({ what, why }) => ({ what: oneLine(what), why: oneLine(why) })),
    baseline: baseline === undefined ? null : baselineView(baseline),
    trace: report.trace === null ? null : oneLine(report.trace),
  };
}

/** What a verdict means for a reader. */
export function toneOf(verdict: Pick<ReportVerdict, 'status' | 'severity'>): Tone {
  if (verdict.status !== 'fail') return verdict.status;
  return ({ error: 'violation', warning: 'warning', info: 'advice' } as const)[verdict.severity];
}

function verdictView(
  verdict: ReportVerdict,
  tone: Tone,
  wire: Parameters<typeof wireOf>[1],
  ids: Set<string>,
): VerdictView {
  const base = `v-${verdict.rule.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`;
  let id = base;
  for (let n = 2; ids.has(id); n++) id = `${base}-${n}`;
  ids.add(id);
  return {
    id,
    rule: oneLine(verdict.rule),
    title: oneLine(verdict.title),
    statement: oneLine(verdict.statement),
    requirements: oneLine(verdict.requirements.join(', ')),
    area: oneLine(verdict.area),
    level: verdict.level,
    severity: verdict.severity,
    status: verdict.status,
    tone,
    label: toneWords[tone].label,
    symbol: toneWords[tone].symbol,
    failed: verdict.status === 'fail',
    known: verdict.known === true,
    message: oneLine(verdict.message),
    expected: orNull(verdict.expected),
    actual: orNull(verdict.actual),
    fix: orNull(verdict.fix),
    advice: verdict.advice.map(oneLine),
    ref: oneLine(verdict.ref),
    link: webLink(verdict.link),
    judged: verdict.judged > 1 ? judgedText(verdict) : null,
    evidence: verdict.evidence,
    ...wireOf(verdict.evidence, wire),
  };
}

function judgedText({ status, judged, failed }: ReportVerdict): string {
  return status === 'fail' ? `${failed} of ${judged} subjects failed` : `${judged} subjects judged`;
}

function areaView(area: string, score: number | null, views: readonly VerdictView[]): AreaView {
  const own = views.filter((verdict) => verdict.area === oneLine(area));
  const n = (...wanted: Tone[]): number => own.filter((verdict) => wanted.includes(verdict.tone)).length;
  const segments = segmentsOf(own);
  return {
    area: oneLine(area),
    score: formatScore(score),
    total: own.length,
    passed: n('pass'),
    violations: n('violation'),
    warnings: n('warning', 'advice'),
    undecided: n('not-exercised', 'error'),
    notApplicable: n('not-applicable'),
    segments,
    summary: describeSegments(segments),
  };
}

/** Shares of a bar: passes first, as a reader expects progress to grow from the left. */
function segmentsOf(verdicts: readonly VerdictView[]): Segment[] {
  const order: readonly Tone[] = ['pass', 'violation', 'warning', 'advice', 'error', 'not-exercised', 'not-applicable'];
  const percent = (n: number): number => Math.round((10_000 * n) / verdicts.length) / 100;
  const segments: Segment[] = [];
  let before = 0;
  for (const tone of order) {
    const count = verdicts.filter((verdict) => verdict.tone === tone).length;
    if (count === 0) continue;
    const x = percent(before);
    before += count;
    const width = Math.round((percent(before) - x) * 100) / 100;
    segments.push({ tone, label: toneWords[tone].label.toLowerCase(), count, x, width });
  }
  return segments;
}

function describeSegments(segments: readonly Segment[]): string {
  return segments.map(({ count, label }) => `${count} ${label}`).join(', ');
}

function headlineOf(
  report: RunReport,
  counts: Record<Tone, number>,
): Pick<ReportView, 'headline' | 'reason' | 'headlineTone'> {
  const revision = `MCP ${oneLine(report.revision)}`;
  if (!report.compliant) {
    const parts = [
      counts.violation > 0 ? `${plural(counts.violation, 'requirement')} of ${revision} violated` : '',
      counts.error > 0 ? `${plural(counts.error, 'rule')} that mcpc could not judge` : '',
    ].filter(Boolean);
    return { headline: 'Not compliant', reason: `${parts.join(', ')}.`, headlineTone: 'bad' };
  }
  if (report.decided === 0) {
    return { headline: 'Nothing decided', reason: `No requirement of ${revision} could be decided.`, headlineTone: 'open' };
  }
  const warnings = counts.warning === 0 ? '' : `, ${plural(counts.warning, 'warning')}`;
  return { headline: 'Compliant', reason: `No requirement of ${revision} violated${warnings}.`, headlineTone: 'good' };
}

function baselineView(baseline: NonNullable<RunReport['baseline']>): NonNullable<ReportView['baseline']> {
  const { known, fresh, stale } = baseline;
  return {
    file: oneLine(baseline.file),
    known: known.map(oneLine),
    fresh: fresh.map(oneLine),
    stale: stale.map(oneLine),
    summary: `${known.length} known, ${fresh.length} new, ${stale.length} stale`,
  };
}

function serverName(info: RunReport['target']['serverInfo']): string | null {
  const text = oneLine([info?.title ?? info?.name, info?.version].filter((part) => typeof part === 'string').join(' '));
  return text === '' ? null : text;
}

function orNull(text: string | null): string | null {
  return text === null ? null : visible(text);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
