/**
 * The report for a terminal: scorecard, what failed with its proof, then what was not decided. All text comes
 * through the view model, so no control sequence of a server reaches the terminal.
 */
import { withoutCommands } from '../../core/model/ci-logs.ts';
import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { append } from '../../core/model/lists.ts';
import { attestedLines } from '../features/attested-view.ts';
import { profileLines } from '../features/profile-view.ts';
import { deprecationLines } from '../features/deprecations-view.ts';
import { featureLines } from '../features/terminal-features.ts';
import { plainTable } from '../plain-table.ts';
import { detailed, indent, short, symbol } from '../terminal-finding.ts';
import type { Pen } from '../terminal-finding.ts';
import { plural, shorten } from '../text.ts';
import type { Tone } from '../tones.ts';
import type { VerdictView } from '../verdict-view.ts';
import { disabledLines } from './disabled-view.ts';
import type { ReportView, ToneGroup } from './view-model.ts';

export interface TerminalOptions {
  /** Colours; by default as the environment asks (NO_COLOR, FORCE_COLOR, a terminal or not). */
  color?: boolean;
  /** Columns; by default those of the terminal, or 80. At least 40 are used, at most 120. */
  width?: number;
  /** Findings in full, the areas, and what was not exercised, passed and did not apply. */
  verbose?: boolean;
  /** One line, and the rules that failed. */
  quiet?: boolean;
}

/** The text, ending with a line feed. @param views of the parts of one run: what they come to first, then one after another */
export function renderTerminal(views: readonly ReportView[], options: TerminalOptions = {}): string {
  const width = Math.min(120, Math.max(40, options.width ?? process.stdout.columns ?? 80));
  const pen: Pen = { c: pc.createColors(options.color ?? pc.isColorSupported), width };
  const lines = views.length > 1 && options.quiet !== true ? overview(views, pen, options.verbose === true) : [];
  for (const view of views) {
    if (lines.length > 0 && options.quiet !== true)
      append(lines, [
        '',
        pen.c.bold(`── MCP ${view.revision} ${'─'.repeat(Math.max(0, width - 8 - view.revision.length))}`),
        '',
      ]);
    append(lines, options.quiet === true ? quiet(view, pen) : full(view, pen, options.verbose === true));
  }
  return withoutCommands(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
}

/** Results of the parts of a run, a line each. */
function overview(views: readonly ReportView[], pen: Pen, verbose: boolean): string[] {
  const { c } = pen;
  const [first] = views as [ReportView];
  const revisions = first.partsOf?.revisions ?? null;
  return [
    `${c.bold(first.target.name)}  ${c.dim(`mcpc ${first.tool.version}`)}`,
    ...(revisions === null
      ? []
      : verbose
        ? indent(c.dim(revisions.summary), 2, pen)
        : [`  ${c.dim(shorten(revisions.brief, pen.width - 2))}`]),
    ...indent(first.partsOf?.summary ?? '', 2, pen),
    ...views.map((view) => `  MCP ${view.revision}  ${headline(view, pen)}  ${scoreText(view)}  ${decidedText(view)}`),
    ...((first.partsOf?.incomplete ?? null) === null
      ? []
      : indent(c.yellow(`INCOMPLETE: ${first.partsOf!.incomplete}`), 2, pen)),
  ];
}

function quiet(view: ReportView, pen: Pen): string[] {
  const failing = view.groups.filter(
    (group) => group.tone === 'violation' || group.tone === 'error' || group.tone === 'warning',
  );
  return [
    `${headline(view, pen)}  ${view.target.name}${view.partsOf === null ? '' : `  MCP ${view.revision}`}  ${scoreText(view)}  ${decidedText(view)}`,
    ...(view.incomplete === null ? [] : indent(pen.c.yellow(`INCOMPLETE: ${view.incomplete}`), 2, pen)),
    ...failing.flatMap((group) =>
      group.verdicts.map(
        (verdict) => `${symbol(verdict, pen)} ${verdict.rule}${verdict.known ? pen.c.dim(' (known)') : ''}`,
      ),
    ),
  ];
}

function full(view: ReportView, pen: Pen, verbose: boolean): string[] {
  const lines = [...header(view, pen, verbose), '', ...scorecard(view, pen, verbose)];
  if (verbose) append(lines, ['', ...areaTable(view, pen)]);
  for (const group of view.groups) {
    if (group.tone === 'pass' || group.tone === 'not-applicable' || group.named) {
      if (verbose)
        append(lines, ['', ...groupHeading(group, pen), ...group.verdicts.flatMap((verdict) => brief(verdict, pen))]);
      continue;
    }
    append(lines, ['', ...groupHeading(group, pen)]);
    for (const verdict of group.verdicts)
      append(lines, verbose ? ['', ...detailed(verdict, pen)] : short(verdict, pen));
  }
  // Without anything to fix, readers want a short text.
  if (!verbose && view.compliant) append(lines, inShort(view, pen));
  else append(lines, [...remarks(view, pen), ...rest(view, pen, verbose), '', ...totals(view, pen)]);
  return lines;
}

/** Ways to decide more that are shown for a compliant target. */
const mostRows = 3;

/** Lines for a compliant target. */
function inShort(view: ReportView, pen: Pen): string[] {
  const { c } = pen;
  const total = view.counts['not-exercised'];
  const rows = view.openRows.slice(0, mostRows).map(({ count, words }) => `${count}: ${words}`);
  const all = view.openRows[0]?.count === total ? rows[0]! : `${total}, of these ${rows.join('; ')}`;
  const open = `${c.bold('Not reached')}  ${all}`;
  const passes = view.groups.find((group) => group.tone === 'pass')?.verdicts ?? [];
  const advised = passes.filter((verdict) => verdict.advice.length > 0).length;
  const lines = [
    ...(advised === 0 ? [] : [`${c.bold('Advice')}  on ${plural(advised, 'rule')} that passed`]),
    ...(view.tools === null ? [] : [`${c.bold('Tools')}  ${view.tools.summary}`]),
    ...(view.deprecations === null ? [] : [`${c.bold('Deprecated')}  ${view.deprecations.summary}`]),
    ...(view.leftBehind.length === 0
      ? []
      : [`${c.bold('Left behind by the target, and ended')}  ${view.leftBehind.length}`]),
    ...(view.baseline === null ? [] : [`${c.bold(`Baseline ${view.baseline.file}`)}  ${view.baseline.summary}`]),
    ...(view.disabled === null
      ? []
      : [
          `${c.bold('Disabled')}  ${view.disabled.summary}`,
          ...disabledLines(view.disabled).map((line) => `  ${line}`),
        ]),
  ];
  const findings = view.counts.warning + view.counts.advice + view.counts.error > 0 ? [''] : [];
  return [
    ...findings,
    ...(rows.length === 0 ? [] : indent(open, 0, pen)),
    ...lines.map((line) => shorten(line, pen.width + line.length - stripVTControlCharacters(line).length)),
    ...totals(view, pen, '; --verbose shows more'),
  ];
}

function header(view: ReportView, pen: Pen, verbose: boolean): string[] {
  const { c } = pen;
  const facts = [view.transport, `MCP ${view.revision} (${view.era})`, view.target.server, view.profile].filter(
    (fact) => fact !== null,
  );
  return [
    `${c.bold(view.target.name)}  ${c.dim(`mcpc ${view.tool.version}`)}`,
    ...indent(facts.join(' · '), 2, pen),
    ...(view.revisions === null
      ? []
      : verbose
        ? indent(c.dim(view.revisions.summary), 2, pen)
        : view.revisions.asked
          ? [`  ${c.dim(shorten(view.revisions.brief, pen.width - 2))}`]
          : []),
    ...(view.target.reached === '' ? [] : indent(c.dim(shorten(view.target.reached, pen.width * 2)), 2, pen)),
  ];
}

function scorecard(view: ReportView, pen: Pen, verbose: boolean): string[] {
  const { c } = pen;
  // The other revisions have a line if several were requested, or with --verbose.
  const others =
    view.revisions === null || verbose || view.revisions.asked
      ? []
      : view.revisions.spoken.filter(({ checked }) => !checked);
  const also =
    others.length === 0 ? '' : `; also speaks ${others.map(({ revision, era }) => `${revision} (${era})`).join(', ')}`;
  const set = view.ruleSet.set === null ? '' : `, set ${view.ruleSet.set}`;
  return [
    `${headline(view, pen)}  ${scoreText(view)}  ${decidedText(view)}`,
    ...indent(view.reason, 2, pen),
    ...(view.gradeLimit === null ? [] : indent(c.yellow(`Grade ${view.gradeLimit}.`), 2, pen)),
    ...indent(
      c.dim(`${plural(view.ruleSet.rules, 'rule')}${set}, digest ${view.ruleSet.shortDigest}, ${view.duration}${also}`),
      2,
      pen,
    ),
    ...(view.incomplete === null ? [] : indent(c.yellow(`INCOMPLETE: ${view.incomplete}`), 2, pen)),
  ];
}

function headline(view: ReportView, { c }: Pen): string {
  const text = ` ${view.headline.toUpperCase()} `;
  if (!c.isColorSupported) return text.trim();
  const paint = { good: c.bgGreen, bad: c.bgRed, open: c.bgYellow }[view.headlineTone];
  return c.bold(c.black(paint(text)));
}

function scoreText(view: ReportView): string {
  return `score ${view.score}  grade ${view.grade}`;
}

function decidedText(view: ReportView): string {
  return `decided ${view.decided}/${view.applies}`;
}

function areaTable(view: ReportView, pen: Pen): string[] {
  const { c } = pen;
  const wide = pen.width >= 72;
  const heads = ['area', 'score', 'passed', 'failed', 'warnings', 'not reached', ...(wide ? ['n/a', ''] : [])];
  const table = plainTable(
    heads.map((head) => c.dim(head)),
    ['left', 'right', 'right', 'right', 'right', 'right', ...(wide ? (['right', 'left'] as const) : [])],
  );
  const number = (n: number, paint: (text: string) => string): string => (n === 0 ? c.dim('·') : paint(String(n)));
  for (const area of view.areas) {
    table.push([
      area.area,
      area.score,
      number(area.passed, c.green),
      number(area.violations, c.red),
      number(area.warnings, c.yellow),
      number(area.undecided, String),
      ...(wide ? [number(area.notApplicable, c.dim), bar(area, pen)] : []),
    ]);
  }
  return table
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** Shares of an area, at most 20 columns, 10 where there is less room; every share that is not empty shows. */
function bar(area: ReportView['areas'][number], { c, width: columns }: Pen): string {
  const perColumn = columns >= 92 ? 5 : 10;
  const paint: Record<Tone, (text: string) => string> = {
    pass: c.green,
    violation: c.red,
    warning: c.yellow,
    advice: c.cyan,
    error: c.magenta,
    'not-exercised': c.dim,
    conditional: c.dim,
    'not-applicable': c.dim,
  };
  const glyph = (tone: Tone): string =>
    ({
      pass: '█',
      violation: c.isColorSupported ? '█' : 'x',
      warning: c.isColorSupported ? '█' : '!',
      advice: 'i',
      error: '?',
      'not-exercised': '░',
      conditional: ' ',
      'not-applicable': ' ',
    })[tone];
  return area.segments
    .map(({ tone, width }) => paint[tone](glyph(tone).repeat(Math.max(1, Math.round(width / perColumn)))))
    .join('');
}

function groupHeading(group: ToneGroup, pen: Pen): string[] {
  // A command for each finding would be a line for each.
  const note = group.verdicts[0]?.failed === true ? `${group.note} "mcpc explain RULE" has details.` : group.note;
  return [pen.c.bold(`${group.heading} (${group.folded ?? group.count})`), ...indent(pen.c.dim(note), 0, pen)];
}

function brief(verdict: VerdictView, pen: Pen): string[] {
  return [
    `${symbol(verdict, pen)} ${verdict.rule}  ${pen.c.dim(verdict.level)}`,
    ...(verdict.status === 'pass' ? [] : indent(pen.c.dim(verdict.message), 4, pen)),
    ...verdict.advice.flatMap((advice) => indent(`Note: ${advice}`, 4, pen)),
  ];
}

/** Advice that hangs on passes: it would be lost without --verbose. */
function remarks(view: ReportView, pen: Pen): string[] {
  const passes =
    view.groups.find((group) => group.tone === 'pass')?.verdicts.filter((verdict) => verdict.advice.length > 0) ?? [];
  if (passes.length === 0) return [];
  return [
    '',
    pen.c.bold(`Advice on what passed (${passes.length})`),
    ...passes.flatMap((verdict) => [
      `${pen.c.cyan('i')} ${verdict.rule}`,
      ...verdict.advice.flatMap((advice) => indent(advice, 4, pen)),
    ]),
  ];
}

function rest(view: ReportView, pen: Pen, verbose: boolean): string[] {
  const { c } = pen;
  const lines: string[] = [];
  const open = view.counts['not-exercised'];
  if (open > 0 && !verbose) {
    append(lines, [
      '',
      c.bold(`Not reached: ${open}`),
      ...indent(c.dim('These requirements apply; --verbose lists them. To decide them:'), 0, pen),
    ]);
    append(
      lines,
      view.openRows.flatMap(({ words, count }) => indent(c.dim(`${count}: ${words}`), 2, pen)),
    );
  }
  const conditional = view.counts.conditional;
  if (conditional > 0 && !verbose) {
    append(lines, [
      '',
      ...indent(
        `${c.bold(`Conditional: ${conditional}`)}${c.dim(', which apply only if the target does what it was not seen to do; --verbose lists them')}`,
        0,
        pen,
      ),
    ]);
  }
  append(lines, toolLines(view, pen, verbose));
  append(lines, profileLines(view.clientProfile, pen));
  append(lines, attestedLines(view.attested, pen));
  append(lines, featureLines(view.features, pen, verbose));
  append(lines, deprecationLines(view.deprecations, pen));
  if (view.skipped.length > 0) {
    append(lines, [
      '',
      c.bold(`Left out (${view.skippedCount})`),
      ...view.skipped.flatMap(({ what, why, allow }) => [
        ...indent(`${what}: ${why}`, 2, pen),
        ...(allow === null ? [] : indent(c.dim(`Called with ${allow}.`), 4, pen)),
      ]),
    ]);
  }
  if (view.leftBehind.length > 0) {
    append(lines, [
      '',
      c.bold(`Left behind by the target, and ended (${view.leftBehind.length})`),
      ...view.leftBehind.flatMap((command) => indent(command, 2, pen)),
    ]);
  }
  if (view.baseline !== null) {
    lines.push('', c.bold(`Baseline ${view.baseline.file}: ${view.baseline.summary}`));
    append(
      lines,
      view.baseline.stale.flatMap((rule) => indent(`${rule} passes now: remove it (--update-baseline)`, 2, pen)),
    );
  }
  if (view.disabled !== null) {
    lines.push('', c.bold(`Disabled in the project file: ${view.disabled.summary}`));
    append(
      lines,
      disabledLines(view.disabled).flatMap((line) => indent(line, 2, pen)),
    );
  }
  return lines;
}

/** Number of tools shown without --verbose. */
const mostTools = 6;

/** Which tools were called, how often and with what. */
function toolLines({ tools }: ReportView, pen: Pen, verbose: boolean): string[] {
  if (tools === null) return [];
  const { c } = pen;
  const shown = verbose ? tools.called : tools.called.slice(0, mostTools);
  const lines = shown.flatMap(({ tool, times, arguments: kinds }) => {
    const reported = verbose ? kinds : kinds.slice(0, 1).map((kind) => shorten(kind, pen.width));
    const rest = kinds.length - reported.length;
    return indent(
      `${tool}, ${times}: ${reported.join('; ')}${rest > 0 ? c.dim(`; and ${plural(rest, 'other')}`) : ''}`,
      2,
      pen,
    );
  });
  if (shown.length < tools.called.length)
    append(lines, indent(c.dim(`and ${tools.called.length - shown.length} more, which --verbose lists`), 2, pen));
  const unused = tools.unused.flatMap(({ tools: names, why }) => indent(c.dim(`Not called: ${names}: ${why}`), 2, pen));
  return ['', `${c.bold('Tools')}  ${tools.summary}`, ...lines, ...unused];
}

function totals(view: ReportView, pen: Pen, more = ''): string[] {
  const { c } = pen;
  const parts: [number, string, (text: string) => string][] = [
    [view.counts.violation, 'violated', c.red],
    [view.counts.warning, 'warned', c.yellow],
    [view.counts.advice, 'advised', c.cyan],
    [view.counts.error, 'not judged', c.magenta],
    [view.counts['not-exercised'], 'not reached', String],
    [view.counts.conditional, 'conditional', String],
    [view.counts.pass, 'passed', c.green],
    [view.counts['not-applicable'], 'not applicable', c.dim],
    [view.folded, 'with the cause of another', c.dim],
  ];
  const text = parts
    .filter(([n]) => n > 0)
    .map(([n, label, paint]) => paint(`${n} ${label}`))
    .join(', ');
  const trace = view.trace === null ? [] : [c.dim(`Trace: ${view.trace}`)];
  return [
    ...indent(`${text === '' ? 'no verdicts' : text} of ${plural(view.total, 'rule')}${c.dim(more)}`, 0, pen),
    ...trace,
  ];
}
