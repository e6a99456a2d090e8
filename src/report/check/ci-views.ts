/**
 * Additions to the common view for machine formats: JUnit suites, SARIF rules and results, annotations, the badge. Same
 * rules as view-model.ts: nothing undefined, nothing escaped, nothing decided.
 */
import type { PartReport } from '../../core/model/reports/run-parts.ts';
import { oneLine, shorten, visible } from '../text.ts';
import type { DisabledView } from './disabled-view.ts';
import type { VerdictView } from '../verdict-view.ts';
import type { ReportView } from './view-model.ts';

export interface JunitCase {
  verdict: VerdictView;
  failure: boolean;
  error: boolean;
  /** Why the case counts as skipped, or null. Neither red nor green: undecided, not counted, or in the baseline. */
  skipped: string | null;
}

export interface JunitSuite {
  area: string;
  /** The area, preceded by the revision if a run has several parts, to distinguish cases. */
  name: string;
  startedAtIso: string;
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  /** Of the run as a whole; the first suite has them. */
  properties: { name: string; value: string }[];
  cases: JunitCase[];
}

export interface SarifResult {
  verdict: VerdictView;
  ruleIndex: number;
  level: 'error' | 'warning' | 'note';
  text: string;
  /** Line of the trace file with the last cited event, or 1. */
  line: number;
}

export interface CiViews {
  junit: { tests: number; failures: number; errors: number; skipped: number; suites: JunitSuite[] };
  sarif: {
    rules: { verdict: VerdictView; level: 'error' | 'warning' | 'note' }[];
    results: SarifResult[];
    notifications: { verdict: VerdictView; level: 'error' | 'note' }[];
    /** Relative address of the file that a result points at, or null. */
    artifact: string | null;
    /** `INCOMPLETE: ` and why; null for a run that is whole. */
    incomplete: string | null;
    /** mcpc itself worked: the run is complete and every rule was judged. */
    successful: boolean;
  };
  /** Distinguishes the SARIF runs of several revisions. */
  automation: string;
  annotations: { command: 'error' | 'warning' | 'notice'; title: string; text: string }[];
  /** Called and skipped tools, or null for reports without them. */
  toolNotice: string | null;
  badge: Badge;
}

export type Badge = {
  label: string;
  message: string;
  color: string;
  colorName: string;
  alt: string;
  isError: boolean;
} & BadgeSize;

interface BadgeSize {
  width: number;
  labelWidth: number;
  messageWidth: number;
  labelX: number;
  messageX: number;
}

/** The views of all machine formats of a report. @param junitSkipped JUnit lists rules without a verdict, too */
export function ciViewsOf(report: PartReport, view: ReportView, { junitSkipped = false } = {}): CiViews {
  const verdicts = view.groups.flatMap((group) => group.verdicts);
  const hidden = view.groups.flatMap((group) => group.hidden);
  return {
    junit: junitOf(inJunit([...verdicts, ...hidden], junitSkipped), new Set(hidden), view),
    sarif: sarifOf(report, verdicts),
    automation: `mcpc/${view.revision}/`,
    annotations: [...incompleteOf(view.incomplete), ...annotationsOf(verdicts)].map((one) =>
      view.partsOf === null ? one : { ...one, title: `MCP ${view.revision}: ${one.title}` },
    ),
    toolNotice: toolNotice(view),
    badge: badgeOf(view),
  };
}

/** A run that is not whole is an error of its own, whatever its verdicts are. */
function incompleteOf(incomplete: string | null): CiViews['annotations'] {
  return incomplete === null ? [] : [{ command: 'error', title: 'INCOMPLETE', text: incomplete }];
}

/** Properties of the run for JUnit: spoken revisions and tools. */
function runProperties(view: ReportView): { name: string; value: string }[] {
  return [
    { name: 'mcpc.revision', value: view.revision },
    {
      name: 'mcpc.undecided',
      value: `${view.counts['not-exercised']} not reached, ${view.counts.conditional} conditional, ${view.counts['not-applicable']} not applicable`,
    },
    ...(view.revisions === null && (view.partsOf?.revisions ?? null) === null
      ? []
      : [{ name: 'mcpc.revisions', value: (view.revisions ?? view.partsOf!.revisions)!.summary }]),
    ...toolProperties(view),
  ];
}

/** JUnit properties of tools: one for each called tool, and one for each reason why others were not called. */
function toolProperties({ tools, skipped }: ReportView): { name: string; value: string }[] {
  if (tools === null) return [];
  return [
    { name: 'mcpc.tools', value: tools.summary },
    ...tools.called.map((one) => ({
      name: `mcpc.tool.called.${one.tool}`,
      value: `${one.times}: ${one.arguments.join('; ')}`,
    })),
    ...tools.unused.map((one) => ({ name: 'mcpc.tool.notCalled', value: `${one.tools}: ${one.why}` })),
    ...skipped.map((one) => ({ name: 'mcpc.leftOut', value: leftOutText(one) })),
  ];
}

function leftOutText({ what, why, allow }: ReportView['skipped'][number]): string {
  return `${what}: ${why}${allow === null ? '' : `. Called with ${allow}`}`;
}

function toolNotice({ tools, skipped }: ReportView): string | null {
  if (tools === null) return null;
  const called = tools.called.map((one) => `${one.tool}, ${one.times}: ${shorten(one.arguments.join('; '), 300)}`);
  const unused = tools.unused.map((one) => `Not called: ${one.tools}: ${one.why}`);
  return [tools.summary, ...called, ...unused, ...skipped.map((one) => `Left out: ${leftOutText(one)}`)].join('\n');
}

const undecided: readonly VerdictView['tone'][] = ['not-exercised', 'conditional', 'not-applicable'];

/** Hundreds of rules without a verdict fill a page of CI and say nothing; they are counted in a property. */
function inJunit(verdicts: readonly VerdictView[], all: boolean): readonly VerdictView[] {
  const decided = verdicts.filter(({ tone }) => !undecided.includes(tone));
  return all || decided.length === 0 ? verdicts : decided;
}

function junitOf(
  verdicts: readonly VerdictView[],
  hidden: ReadonlySet<VerdictView>,
  view: ReportView,
): CiViews['junit'] {
  const { incomplete } = view;
  const properties = runProperties(view);
  const suites = [...new Set(verdicts.map((verdict) => verdict.area))].sort().map((area, index): JunitSuite => {
    const cases = verdicts
      .filter((verdict) => verdict.area === area)
      .map((verdict) => junitCase(verdict, hidden.has(verdict)));
    return {
      area,
      name: view.partsOf === null ? area : `${view.revision} ${area}`,
      startedAtIso: view.startedAtIso,
      tests: cases.length,
      failures: cases.filter((item) => item.failure).length,
      errors: cases.filter((item) => item.error).length,
      skipped: cases.filter((item) => item.skipped !== null).length,
      properties: index === 0 ? properties : [],
      cases,
    };
  });
  const sum = (key: 'tests' | 'failures' | 'errors' | 'skipped'): number => suites.reduce((n, s) => n + s[key], 0);
  const broken = incomplete === null ? 0 : 1;
  return {
    tests: sum('tests') + broken,
    failures: sum('failures'),
    errors: sum('errors') + broken,
    skipped: sum('skipped'),
    suites,
  };
}

/** @param hidden the failure is listed with the rule that names its cause, which is equally red */
function junitCase(verdict: VerdictView, hidden: boolean): JunitCase {
  if (hidden)
    return {
      verdict: { ...verdict, failed: false },
      failure: false,
      error: false,
      skipped: `The same cause as ${verdict.cause}: ${verdict.message}`,
    };
  const failure = verdict.tone === 'violation' && !verdict.known;
  const error = verdict.tone === 'error';
  const skipped = failure || error || verdict.tone === 'pass' ? null : skipText(verdict);
  return { verdict, failure, error, skipped };
}

/** Why a case is neither red nor green; most messages of what was not decided say it themselves. */
function skipText({ known, disabled, label, message }: VerdictView): string {
  if (disabled !== null) return `Disabled: ${disabled}: ${message}`;
  if (known) return `Known failure (baseline): ${message}`;
  return message.startsWith(`${label}: `) ? message : `${label}: ${message}`;
}

const sarifLevels = { error: 'error', warning: 'warning', info: 'note' } as const;

function sarifOf(report: PartReport, verdicts: readonly VerdictView[]): CiViews['sarif'] {
  const rules = [...verdicts].sort((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0));
  const index = new Map(rules.map((verdict, i) => [verdict.rule, i]));
  const script = scriptOf(report.target.command);
  return {
    rules: rules.map((verdict) => ({ verdict, level: sarifLevels[verdict.severity] })),
    results: verdicts
      .filter((verdict) => verdict.failed)
      .map((verdict) => ({
        verdict,
        ruleIndex: index.get(verdict.rule)!,
        level: sarifLevels[verdict.severity],
        text: failureText(verdict),
        // A trace file has a header line, so event n is on line n + 1.
        line: script === null && report.trace !== null ? (verdict.event ?? verdict.evidence.at(-1) ?? 0) + 1 : 1,
      })),
    notifications: verdicts
      .filter((verdict) => verdict.status === 'error' || verdict.status === 'not-exercised')
      .map((verdict) => ({ verdict, level: verdict.status === 'error' ? 'error' : 'note' })),
    artifact: script ?? (report.trace === null ? null : asRelativeUri(report.trace)),
    incomplete: report.incomplete === null ? null : `INCOMPLETE: ${oneLine(report.incomplete)}`,
    successful: report.incomplete === null && report.counts.error === 0,
  };
}

/** The relative path of a script in the command line of the target: the one file that a reader can open. */
function scriptOf(command: readonly string[] | undefined): string | null {
  const script = command?.slice(1).find((part) => /^(?!-)[^:]*\.(?:[cm]?[jt]s|py|rb|php|jar|dll|exe)$/i.test(part));
  return script === undefined ? null : asRelativeUri(script);
}

/** Viewers resolve addresses against the repository: an absolute path, or one that leaves it, has no target there. */
function asRelativeUri(path: string): string | null {
  const parts = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
  if (parts[0] === '' || /^[A-Za-z]:$/.test(parts[0]!) || parts.includes('..')) return null;
  return parts.map((part) => encodeURIComponent(visible(part))).join('/');
}

/** Expected, actual and fix of a failure in one paragraph each. */
function failureText(verdict: VerdictView): string {
  return [
    verdict.message,
    verdict.expected === null ? '' : `Expected: ${oneLine(verdict.expected)}`,
    verdict.actual === null ? '' : `Actual: ${shorten(oneLine(verdict.actual), 2000)}`,
    verdict.fix === null ? '' : `Fix: ${oneLine(verdict.fix)}`,
    verdict.sdkFix === null ? '' : `With the SDK: ${oneLine(verdict.sdkFix)}`,
    `More: mcpc explain ${verdict.rule}`,
    verdict.also.length === 0 ? '' : `The same cause: ${verdict.also.join(', ')}`,
    ...verdict.telling.map(
      ({ seq, arrow, line, label, deviation }) =>
        `#${seq} ${arrow} ${deviation === null ? '' : `(deliberate: ${deviation}) `}${line ?? label}`,
    ),
  ]
    .filter(Boolean)
    .join('\n');
}

function annotationsOf(verdicts: readonly VerdictView[]): CiViews['annotations'] {
  return verdicts.flatMap((verdict): CiViews['annotations'] => {
    if (verdict.status === 'error') {
      return [{ command: 'error', title: `mcpc could not judge ${verdict.rule}`, text: verdict.message }];
    }
    if (!verdict.failed) return [];
    const command = verdict.known
      ? 'notice'
      : ({ error: 'error', warning: 'warning', info: 'notice' } as const)[verdict.severity];
    const clause = verdict.link === null ? '' : `\n${verdict.link}`;
    return [
      {
        command,
        title: `${verdict.disabled === null ? (verdict.known ? 'Known: ' : '') : 'Disabled: '}${verdict.level} ${verdict.rule}`,
        text: `${verdict.disabled === null ? '' : `Accepted: ${verdict.disabled}\n`}${verdict.statement}${verdict.weight === null ? '' : ` (${verdict.level}, ${verdict.weight})`}\n${failureText(verdict)}${clause}`,
      },
    ];
  });
}

/** White text on each has a contrast of at least 4.5. */
const badgeColors: Record<string, { color: string; colorName: string }> = {
  a: { color: '#1a7f37', colorName: 'brightgreen' },
  b: { color: '#4d7c0f', colorName: 'green' },
  c: { color: '#8a6400', colorName: 'yellow' },
  d: { color: '#b34700', colorName: 'orange' },
  e: { color: '#c2310f', colorName: 'orange' },
  f: { color: '#c01c28', colorName: 'red' },
  none: { color: '#5f6368', colorName: 'lightgrey' },
};

/** The badge of one server. */
export function badgeOf(
  view: Pick<
    ReportView,
    'revision' | 'score' | 'grade' | 'compliant' | 'gradeClass' | 'incomplete' | 'profile' | 'coverage' | 'disabled'
  >,
): Badge {
  const label = `MCP ${view.revision}${view.profile === null ? '' : ', quick'}`;
  if (view.incomplete !== null) return badgeWith(label, 'incomplete', 'none', true);
  const message =
    view.score === '–'
      ? 'nothing decided'
      : `${view.grade} · ${view.score} · ${view.compliant ? `${view.coverage} decided` : 'not compliant'}${disabledText(view.disabled)}`;
  // A badge is read by its colour: what is not compliant is never green, in reports of older versions either.
  const shade = !view.compliant && /[ab]/.test(view.gradeClass) ? 'd' : view.gradeClass;
  return badgeWith(label, message, shade, !view.compliant);
}

/** ` · 2 disabled`, of failures that the project file accepts; empty without any. */
export function disabledText(disabled: Pick<DisabledView, 'accepted'> | null): string {
  return disabled === null || disabled.accepted === 0 ? '' : ` · ${disabled.accepted} disabled`;
}

/** A badge of two texts. @param shade a grade in lower case, else grey */
export function badgeWith(label: string, message: string, shade: string, isError: boolean): Badge {
  const { color, colorName } = badgeColors[shade] ?? badgeColors['none']!;
  const labelWidth = textWidth(label) + 12;
  const messageWidth = textWidth(message) + 12;
  return {
    label,
    message,
    color,
    colorName,
    alt: `${label}: ${message}`,
    isError,
    labelWidth,
    messageWidth,
    width: labelWidth + messageWidth,
    labelX: labelWidth / 2,
    messageX: labelWidth + messageWidth / 2,
  };
}

/** Width in pixels of a text in 11 px Verdana, near enough to centre it; `textLength` in the template does the rest. */
function textWidth(text: string): number {
  let width = 0;
  for (const char of text)
    width += /[ilj.,:;'|!()·]/.test(char) ? 4.4 : /[mwMW]/.test(char) ? 10 : /[A-Z]/.test(char) ? 7.6 : 6.9;
  return Math.round(width);
}
