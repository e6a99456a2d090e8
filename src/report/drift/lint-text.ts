/** The report of `mcpc lint` for a terminal: findings by tool, suggestions below them. */
import type { LintFix, LintReport } from '../../core/drift/lint-report.ts';
import { plural, visible } from '../text.ts';

/** @param fixes suggestions to show; the order of the findings is theirs */
export function lintText(
  { server, tools, findings, errors, warnings }: LintReport,
  fixes?: readonly LintFix[],
): string {
  const found = findings.length === 0 ? 'no finding' : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
  const lines = [`${visible(server)}: ${plural(tools, 'tool')}, ${found}`];
  const left = [...(fixes ?? [])];
  for (const tool of new Set(findings.map((one) => one.tool))) {
    lines.push('', visible(tool));
    for (const { code, severity, message, field } of findings.filter((one) => one.tool === tool)) {
      lines.push(`  ${severity.padEnd(8)}${code.padEnd(5)} ${visible(message)}`);
      const at = left.findIndex((one) => one.tool === tool && one.code === code && one.field === field);
      if (at === -1) continue;
      const { action, field: place, value } = left.splice(at, 1)[0]!;
      lines.push(`          ${action} ${visible(place)}: ${JSON.stringify(visible(value))}`);
    }
  }
  if (fixes !== undefined && findings.length > 0)
    lines.push('', `${fixes.length} of ${plural(findings.length, 'finding')} with a suggestion. Nothing was changed.`);
  return `${lines.join('\n')}\n`;
}
