/** Changes as text: for a terminal, for Markdown, and as annotations for GitHub. */
import { diffWords } from 'diff';
import { changeClasses, type Change, type ChangeClass } from '../../core/drift/compare-locks.ts';
import { plural, visible } from '../text.ts';

export interface DriftReport {
  format: 'mcpc-drift-report';
  version: 1;
  server: string;
  lock: string;
  changes: readonly Change[];
  /** Lists that differed within the run. */
  unsteady: readonly string[];
  /** Classes that fail. */
  failsOn: readonly ChangeClass[];
}

/** True if nothing fails. */
export function isClean({ changes, unsteady, failsOn }: DriftReport): boolean {
  return unsteady.length === 0 && !changes.some((change) => failsOn.includes(change.class));
}

/** A sentence for each thing that fails. */
export function driftShortfall({ changes, unsteady, failsOn, lock }: DriftReport): string[] {
  const failing = changes.filter((change) => failsOn.includes(change.class));
  const classes = [...new Set(failing.map((change) => change.class))].join(', ');
  return [
    ...(failing.length === 0
      ? []
      : [`the server differs from ${visible(lock)} in ${plural(failing.length, 'place')} (${classes})`]),
    ...unsteady.map(visible),
  ];
}

/** `tool add /description: the description changed`. */
export function changeLine({ what, name, at, says }: Change): string {
  return visible(`${what} ${name}${at === '' ? '' : ` ${at}`}: ${says}`);
}

/** The words that differ, `[-gone-]` and `{+new+}`; undefined where there are no texts to compare. */
export function wordDiff({ before, after }: Change): string | undefined {
  if (before === undefined && after === undefined) return undefined;
  return visible(
    diffWords(before ?? '', after ?? '')
      .map(({ value, added, removed }) => (added ? `{+${value}+}` : removed ? `[-${value}-]` : value))
      .join(''),
  );
}

export function terminalText(report: DriftReport): string {
  const lines = changeClasses.flatMap((kind) => {
    const own = report.changes.filter((change) => change.class === kind);
    return own.length === 0
      ? []
      : [
          `${kind}${report.failsOn.includes(kind) ? '' : ' (does not fail)'}`,
          ...own.flatMap((change) => {
            const diff = wordDiff(change);
            return [
              `  ${changeLine(change)}`,
              ...(diff === undefined ? [] : [`    ${diff.replaceAll('\n', '\n    ')}`]),
            ];
          }),
        ];
  });
  const unsteady = report.unsteady.map((one) => `unsteady: ${visible(one)}`);
  const end =
    report.changes.length === 0
      ? `${visible(report.server)} offers what ${visible(report.lock)} says.`
      : `${plural(report.changes.length, 'change')} since ${visible(report.lock)} of ${visible(report.server)}.`;
  return `${[...lines, ...unsteady, end].join('\n')}\n`;
}

export function markdownText(report: DriftReport): string {
  const cell = (text: string): string =>
    visible(text).replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
  const rows = report.changes.map(
    (change) =>
      `| ${change.class} | ${cell(`${change.what} ${change.name}`)} | ${cell(change.at)} | ${cell(change.says)} |`,
  );
  const title = `## Drift of ${cell(report.server)}: ${isClean(report) ? 'passed' : 'failed'}\n`;
  const table = rows.length === 0 ? ['No change.'] : ['| class | what | at | change |', '|---|---|---|---|', ...rows];
  return `${[title, ...table, ...report.unsteady.map((one) => `\n${cell(one)}`)].join('\n')}\n`;
}

/** Workflow commands, one for each change; on the lock. */
export function githubText(report: DriftReport): string {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const file = property(visible(report.lock));
  return [
    ...report.changes.map((change) => {
      const level = report.failsOn.includes(change.class) ? 'error' : 'notice';
      return `::${level} file=${file},title=${property(`drift: ${change.class}`)}::${data(changeLine(change))}\n`;
    }),
    ...report.unsteady.map((one) => `::error file=${file},title=drift::${data(visible(one))}\n`),
  ].join('');
}
