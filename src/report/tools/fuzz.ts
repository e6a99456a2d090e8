/** Renders the report of a fuzz run: the view of its templates, and the text for a terminal. */
import pc from 'picocolors';
import type { FuzzedTool, FuzzFailure, FuzzReport } from '../../core/model/reports/fuzz-report.ts';
import { formatDuration, formatTime, oneLine, plural, shorten, visible } from '../text.ts';
import { grouped, junitSuite, symbolOf, type JunitCase, type ToolsView, type ToolView } from './view.ts';

const longest = 2_000;
const arrows = { client: '→', server: '←', harness: '·' } as const;

export function fuzzView(report: FuzzReport): ToolsView {
  const { summary } = report;
  return {
    kind: 'fuzz',
    mcpc: visible(report.mcpc),
    headline:
      summary.failures === 0
        ? 'No failures'
        : `${plural(summary.failures, 'failure')} in ${plural(failing(report), 'tool')}`,
    good: summary.failures === 0,
    facts: [
      oneLine(report.server),
      report.transport,
      `MCP ${report.revision}`,
      `seed ${report.seed}`,
      formatDuration(report.duration_ms),
    ],
    figures: [
      { label: 'Tools', value: String(summary.tools) },
      { label: 'Runs', value: String(summary.runs) },
      { label: 'Passed', value: String(summary.passed) },
      { label: 'Failed', value: String(summary.failed) },
    ],
    incomplete: report.incomplete,
    groups: grouped(report.tools.map(toolView)),
    violations: [],
    suites: report.tools.map((tool) => junitSuite(tool.tool, junitCases(tool))),
    madeAt: formatTime(report.generated_at),
    madeAtIso: report.generated_at,
  };
}

function failing({ tools }: FuzzReport): number {
  return tools.filter(({ failures }) => failures.length > 0).length;
}

function toolView(one: FuzzedTool, index: number): ToolView {
  const tone =
    one.failures.length > 0
      ? 'violation'
      : one.skipped !== undefined
        ? 'not-exercised'
        : one.stopped !== undefined
          ? 'warning'
          : 'pass';
  return {
    anchor: `tool-${index + 1}`,
    name: oneLine(one.tool),
    about: '',
    tone,
    symbol: symbolOf(tone),
    label: one.skipped === undefined ? `${one.passed} of ${one.runs} runs passed` : 'skipped',
    open: tone === 'violation',
    detail: visible(one.skipped === undefined ? (one.stopped ?? '') : `Not called: ${one.skipped}.`),
    duration: formatDuration(one.duration_ms),
    findings: one.failures.map((failure) => ({
      label: `${failure.status} (${oneLine(failure.label)}, ${plural(failure.times, 'run')})`,
      detail: visible(failure.detail),
      given: argumentsOf(failure),
      wire: wireText(failure),
    })),
    violations: [],
  };
}

/** One case for the runs that passed, and one for each failure. */
function junitCases({ tool, runs, passed, failures, skipped, duration_ms: ms }: FuzzedTool): JunitCase[] {
  const base = { className: oneLine(tool), failed: false, skipped: false, message: '', detail: '' };
  if (skipped !== undefined)
    return [{ ...base, name: 'not called', seconds: '0.000', skipped: true, message: oneLine(skipped) }];
  return [
    { ...base, name: `${passed} of ${runs} runs passed`, seconds: (ms / 1000).toFixed(3) },
    ...failures.map((failure) => ({
      ...base,
      name: `${failure.status}: ${oneLine(failure.label)}`,
      seconds: '0.000',
      failed: true,
      message: oneLine(failure.detail),
      detail: `Arguments: ${argumentsOf(failure)}\n${wireText(failure)}`,
    })),
  ];
}

function argumentsOf({ arguments: given }: FuzzFailure): string {
  return visible(shorten(JSON.stringify(given), longest));
}

function wireText({ wire }: FuzzFailure): string {
  return wire
    .map(({ from, label, body }) =>
      visible(`${arrows[from]} ${label}${body === '' ? '' : `  ${shorten(body, longest)}`}`),
    )
    .join('\n');
}

export interface FuzzTerminalOptions {
  color?: boolean;
  /** Only tools with failures. */
  quiet?: boolean;
}

/** The lines of one tool. */
export function fuzzToolLines(one: FuzzedTool, { color, quiet }: FuzzTerminalOptions): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  if (quiet === true && one.failures.length === 0) return '';
  const failed = one.failures.length > 0;
  const sign = failed ? c.red('✗') : one.skipped === undefined ? c.green('✓') : c.yellow('○');
  const lines = [
    `  ${sign} ${oneLine(one.tool).padEnd(40)} ${one.skipped === undefined ? `${one.passed}/${one.runs} passed  ${c.dim(formatDuration(one.duration_ms))}` : `not called: ${oneLine(one.skipped)}`}`,
  ];
  for (const failure of one.failures) {
    lines.push(
      `      ${c.red(failure.status)}  ${oneLine(failure.label)}${failure.times > 1 ? ` and ${failure.times - 1} more` : ''}: ${shorten(oneLine(failure.detail), 400)}`,
      `      ${c.dim(`arguments: ${shorten(oneLine(argumentsOf(failure)), 300)}`)}`,
    );
    for (const { from, label, body } of failure.wire.slice(0, 4))
      lines.push(`        ${c.dim(shorten(oneLine(`${arrows[from]} ${label} ${body}`), 200))}`);
  }
  if (one.stopped !== undefined) lines.push(`      ${c.yellow(oneLine(one.stopped))}`);
  return `${lines.join('\n')}\n`;
}

/** Lines after the tools. */
export function fuzzSummary(report: FuzzReport, { color }: FuzzTerminalOptions): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  const { summary } = report;
  const lines = [
    '',
    `${plural(summary.tools, 'tool')}, ${plural(summary.runs, 'run')}: ${summary.passed} passed, ${summary.failed} failed (seed ${report.seed})`,
  ];
  lines.push(
    summary.failures === 0
      ? c.green('No failures')
      : c.red(`${plural(summary.failures, 'failure')} across ${plural(failing(report), 'tool')}`),
  );
  if (report.incomplete !== null) lines.push(c.yellow(`Incomplete: ${oneLine(report.incomplete)}`));
  return `${lines.join('\n')}\n`;
}
