/** Renders the report of an audit: the view of its templates, and the text for a terminal. */
import pc from 'picocolors';
import type { AuditClass, AuditReport, AuditResult } from '../../core/model/reports/audit-report.ts';
import { capital, formatDuration, formatTime, oneLine, plural, shorten, visible, webLink } from '../text.ts';
import { grouped, junitSuite, symbolOf, type ToolsView, type ToolView } from './view.ts';

const tones: Record<AuditClass, ToolView['tone']> = {
  crash: 'violation',
  timeout: 'violation',
  'protocol-error': 'violation',
  leak: 'violation',
  'output-mismatch': 'violation',
  'invalid-accepted': 'violation',
  annotation: 'violation',
  refused: 'not-exercised',
  skipped: 'not-exercised',
  healthy: 'pass',
};

const words: Record<AuditClass, string> = {
  crash: 'crash',
  timeout: 'timeout',
  'protocol-error': 'protocol error',
  leak: 'leak',
  'output-mismatch': 'output mismatch',
  'invalid-accepted': 'invalid accepted',
  annotation: 'annotation',
  refused: 'refused',
  skipped: 'skipped',
  healthy: 'healthy',
};

/** True if no tool failed. */
function isGood({ counts, tested }: AuditReport): boolean {
  return counts.healthy === tested;
}

export function auditView(report: AuditReport): ToolsView {
  const tools = report.results.map(toolView);
  return {
    kind: 'audit',
    mcpc: visible(report.mcpc),
    headline: `Score ${report.score}`,
    good: isGood(report),
    facts: [
      oneLine(report.server),
      report.transport,
      `MCP ${report.revision}`,
      plural(report.tool_count, 'tool'),
      formatDuration(report.duration_ms),
    ],
    figures: [
      { label: 'Tested', value: String(report.tested) },
      ...(Object.keys(words) as AuditClass[])
        .filter((one) => report.counts[one] > 0)
        .map((one) => ({ label: capital(words[one]), value: String(report.counts[one]) })),
    ],
    incomplete: report.incomplete,
    groups: grouped(tools),
    violations: report.violations.map(violationView),
    suites: [
      junitSuite(
        `mcpc audit ${report.server}`,
        report.results.map((one) => ({
          name: oneLine(one.tool),
          className: 'audit',
          seconds: (one.duration_ms / 1000).toFixed(3),
          failed: tones[one.status] === 'violation',
          skipped: tones[one.status] === 'not-exercised',
          message: oneLine(`${words[one.status]}: ${one.detail}`),
          detail: one.findings
            .map(
              ({ class: kind, detail, arguments: given }) =>
                `${words[kind]}: ${visible(detail)}\nArguments: ${visible(shorten(given, 4000))}`,
            )
            .join('\n'),
        })),
      ),
    ],
    madeAt: formatTime(report.generated_at),
    madeAtIso: report.generated_at,
  };
}

function toolView(one: AuditResult, index: number): ToolView {
  const tone =
    tones[one.status] === 'pass' && one.violations.some(({ severity }) => severity === 'error')
      ? 'warning'
      : tones[one.status];
  return {
    anchor: `tool-${index + 1}`,
    name: oneLine(one.tool),
    about: shorten(oneLine(one.description ?? ''), 300),
    tone,
    symbol: symbolOf(tone),
    label: words[one.status],
    open: tone === 'violation',
    detail: visible(one.detail),
    duration: formatDuration(one.duration_ms),
    findings: one.findings.map(({ class: kind, call, detail, arguments: given }) => ({
      label: `${words[kind]} (${call === 'valid' ? 'arguments that fit' : 'arguments that do not fit'})`,
      detail: visible(detail),
      given: visible(shorten(given, 4000)),
      wire: '',
    })),
    violations: one.violations.map(violationView),
  };
}

function violationView({
  level,
  rule,
  message,
  link,
}: AuditReport['violations'][number]): ToolsView['violations'][number] {
  return { level, rule, message: oneLine(message), link: webLink(link) };
}

export interface AuditTerminalOptions {
  color?: boolean;
  /** Only what is not healthy. */
  quiet?: boolean;
}

/** The lines of one tool. */
export function auditToolLines(one: AuditResult, { color, quiet }: AuditTerminalOptions): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  if (quiet === true && (one.status === 'healthy' || one.status === 'skipped')) return '';
  const tone = tones[one.status];
  const paint = { violation: c.red, warning: c.yellow, 'not-exercised': c.yellow, pass: c.green }[tone];
  const lines = [
    `  ${paint(symbolOf(tone))} ${oneLine(one.tool).padEnd(40)} ${paint(words[one.status])}  ${c.dim(one.status === 'skipped' ? '' : `${one.duration_ms}ms`)}`.trimEnd(),
  ];
  if (one.detail !== '') lines.push(`      ${shorten(oneLine(one.detail), 400)}`);
  for (const { class: kind, call, detail, arguments: given } of one.findings) {
    if (detail !== one.detail) lines.push(`      ${words[kind]}: ${shorten(oneLine(detail), 400)}`);
    lines.push(
      `      ${c.dim(`${call === 'valid' ? 'arguments' : 'arguments that do not fit'}: ${shorten(oneLine(given), 300)}`)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Lines after the tools: violated rules, and the score. */
export function auditSummary(report: AuditReport, { color }: AuditTerminalOptions): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  const broken = [
    ...report.results.flatMap(({ tool, violations }) => violations.map((one) => ({ ...one, tool }))),
    ...report.violations.map((one) => ({ ...one, tool: '' })),
  ].filter(({ severity }) => severity === 'error');
  const lines =
    broken.length === 0
      ? []
      : [
          '',
          'Violated rules of the specification:',
          ...broken.map(
            ({ tool, level, rule, message }) =>
              `  ${tool === '' ? '' : `${oneLine(tool)}: `}${level} ${rule}: ${shorten(oneLine(message), 300)}`,
          ),
        ];
  const paint = report.score >= 80 ? c.green : report.score >= 50 ? c.yellow : c.red;
  const others = (Object.keys(words) as AuditClass[])
    .filter((one) => one !== 'healthy' && report.counts[one] > 0)
    .map((one) => `${report.counts[one]} ${words[one]}`);
  lines.push(
    '',
    `${plural(report.tool_count, 'tool')}, ${report.tested} tested: ${[`${report.counts.healthy} healthy`, ...others].join(', ')}`,
    paint(`Score ${report.score}`),
  );
  if (report.incomplete !== null) lines.push(c.yellow(`Incomplete: ${oneLine(report.incomplete)}`));
  return `${lines.join('\n')}\n`;
}
