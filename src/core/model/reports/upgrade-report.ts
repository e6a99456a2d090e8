/**
 * Reports of version 1, which had one revision at the top level and evidence as bare numbers of events, become reports
 * of version 2. Readers of a report file call this; nothing is lost, and nothing is invented.
 */
import { runOf, type PartReport } from './run-parts.ts';
import type { ReportVerdict, RunReport } from './run-report.ts';

type OldVerdict = Omit<ReportVerdict, 'evidence' | 'moreCases'> & { evidence: number[] };

/** A report as version 1 had it. */
export type RunReport1 = Omit<PartReport, 'version' | 'verdicts'> & { version: 1; verdicts: OldVerdict[] };

/** The report in the version of today. @param report valid by its own version */
export function upgradeReport(report: RunReport | RunReport1): RunReport {
  return report.version === 1
    ? runOf({ ...report, version: 2, verdicts: report.verdicts.map(upgradeVerdict) })
    : report;
}

/** Version 1 did not say which event belongs to which case: they are one case here. */
function upgradeVerdict({ evidence, ...verdict }: OldVerdict): ReportVerdict {
  const events = [...new Set(evidence)].sort((a, b) => a - b);
  const moreCases = Math.max(0, (verdict.status === 'fail' ? verdict.failed : verdict.judged) - 1);
  return {
    ...verdict,
    evidence: events.length === 0 ? [] : [{ subject: verdict.title, events, seen: verdict.message }],
    moreCases: events.length === 0 ? 0 : moreCases,
  };
}
