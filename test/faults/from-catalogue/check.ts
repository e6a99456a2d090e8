/** Checks the reference server with a fault that was written from the catalogue, by all rules. */
import { readGeneratedPlan } from '../../../src/check/plan.ts';
import type { ReportVerdict } from '../../../src/core/model/reports/run-report.ts';
import type { Timing } from '../../../src/client/target/timing.ts';
import type { TransportKind } from '../../../src/server/session/host.ts';
import { lineOf } from '../../support/accuracy.ts';
import type { ReferenceLab } from '../../support/reference-server.ts';
import { revision, type CatalogueFault } from './fault.ts';

export interface FaultCase {
  fault: CatalogueFault;
  transport: TransportKind;
}

export interface FaultOutcome {
  /** The rules of a requirement that the fault violates, as far as they failed. */
  reportedBy: string[];
  /** What became of the other rules of those requirements. */
  silent: string[];
  /** Rules that failed though the fault violates none of their requirements, or that ended with an error of our own. */
  unrelated: string[];
  gaveUp: string | undefined;
}

const requirementsOf = new Map(readGeneratedPlan().rules.map(({ id, requirements }) => [id, requirements]));

/** Whether a rule is about one of the requirements. */
function isAbout({ rule }: ReportVerdict, requirements: readonly string[]): boolean {
  return requirementsOf.get(rule)?.some((id) => requirements.includes(id)) === true;
}

/** @param timing other deadlines than the usual ones */
export async function checkFault(
  lab: ReferenceLab,
  { fault, transport }: FaultCase,
  timing: Partial<Timing> = {},
): Promise<FaultOutcome> {
  const { change, serve, violates, alsoBreaks = [] } = fault;
  const { report, gaveUp } = await lab.check({
    transport,
    revision,
    change,
    inMemory: true,
    timing,
    ...(serve ? { revisions: serve } : {}),
  });
  const { verdicts } = report.parts[0]!;
  const concerned = verdicts.filter((verdict) => isAbout(verdict, violates));
  const wrong = verdicts.filter(
    (verdict) =>
      verdict.status === 'error' || (verdict.status === 'fail' && !isAbout(verdict, [...violates, ...alsoBreaks])),
  );
  return {
    reportedBy: concerned.filter(({ status }) => status === 'fail').map(({ rule }) => rule),
    silent: concerned.filter(({ status }) => status !== 'fail').map(lineOf),
    unrelated: wrong.map(lineOf),
    gaveUp,
  };
}
