/** A fleet as CSV (RFC 4180): one line for each server. */
import type { FleetReport, FleetServer } from '../../core/model/reports/fleet.ts';
import { oneLine } from '../text.ts';
import { asText } from '../../core/model/json.ts';

const columns: [
  title: string,
  value: (server: FleetServer, report: FleetReport) => string | number | null | undefined,
][] = [
  ['name', (s) => s.name],
  ['id', (s) => s.id],
  ['status', (s) => s.status],
  ['reason', (s) => s.reason],
  ['compliant', (s) => (s.compliant === null ? null : s.compliant ? 'yes' : 'no')],
  ['score', (s) => s.score],
  ['grade', (s) => s.grade],
  ['expected_grade', (s) => s.expectedGrade],
  ['decided', (s) => s.decided],
  ['applicable', (s) => s.applicable],
  ['violations', (s) => s.failures.filter(({ severity, cause }) => severity === 'error' && cause === undefined).length],
  ['warnings', (s) => s.failures.filter(({ severity, cause }) => severity === 'warning' && cause === undefined).length],
  ['revision', (s) => s.revision],
  ['transport', (s) => s.transport],
  ['server_name', (s) => s.serverInfo?.name],
  ['server_version', (s) => s.serverInfo?.version],
  ['sdk', (s) => s.sdk?.name],
  ['sdk_version', (s) => s.sdk?.version],
  ['start_up_ms', (s) => s.startUpMs],
  ['duration_ms', (s) => s.durationMs],
  ['attempts', (s) => s.attempts],
  ['owner', (s) => s.owner],
  ['tags', (s) => s.tags.join(' ')],
  ['failed_rules', (s) => s.failures.map((failure) => failure.rule).join(' ')],
  ['profile', (_s, { ruleSet }) => ruleSet.profile ?? 'full'],
  ['conditional', (s) => s.conditional],
  ['kind', (s) => s.kind ?? 'server'],
];

export function* renderCsv(report: FleetReport): Generator<string> {
  yield `${columns.map(([title]) => title).join(',')}\r\n`;
  for (const server of report.servers)
    yield `${columns.map(([, value]) => csvCell(value(server, report))).join(',')}\r\n`;
}

/**
 * One cell. Texts that a spreadsheet would take for a formula get an apostrophe before them, as spreadsheets do
 * for plain text; numbers stay numbers.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = oneLine(asText(value));
  // Spreadsheets also take the full-width forms, and look behind white space and quotes.
  const safe = /^[\s"']*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n;']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
