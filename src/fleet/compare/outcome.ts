/**
 * Outcome of a finished run: compared with the previous run and with the policies. Shared by the commands that end with
 * a run.
 */
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { FleetDiff, PolicyOutcome } from '../../core/model/reports/fleet-compare.ts';
import type { FleetReport } from '../../core/model/reports/fleet.ts';
import { defaultScoring } from '../../core/score/scoring.ts';
import { readFleetReport, readRunHeader } from '../run/run-directory.ts';
import { diffFleet, refuseOtherProfile } from './diff.ts';
import { previousRun } from '../run/history.ts';
import { judgePolicies } from './policies.ts';

export interface OutcomeWish {
  /** Directory or fleet.json of the run to compare with; the one before it in the same folder when absent. */
  since?: string | undefined;
  minGrade?: string | undefined;
  minScore?: number | undefined;
  maxRegressions?: number | undefined;
  /** The profile of the run itself. */
  profile?: 'quick' | undefined;
}

/**
 * Options of the comparison, parsed early so that a mistake is reported before a long run.
 * @throws McpcError usage
 */
export function readOutcomeWish(wish: OutcomeWish): { older: FleetReport | undefined } {
  const grades = defaultScoring.bands.map(({ grade }) => grade);
  if (wish.minGrade !== undefined && !grades.includes(wish.minGrade))
    throw usageError(`"${wish.minGrade}" is no grade; use one of ${grades.join(', ')}.`);
  const older = wish.since === undefined ? undefined : readFleetReport(wish.since);
  if (older !== undefined) refuseOtherProfile(older, wish.profile);
  return { older };
}

export interface FleetOutcome {
  diff: FleetDiff | null;
  policies: PolicyOutcome;
}

/**
 * @param directory where the run is; its header says what the fleet file demands, which wishes go before
 * @param older the run to compare with, where one was named
 */
export function fleetOutcome(
  directory: string,
  report: FleetReport,
  wish: OutcomeWish,
  older?: FleetReport,
): FleetOutcome {
  const before = older ?? previousRun(path.resolve(directory))?.report;
  const diff = before === undefined ? null : diffFleet(before, report);
  const { policies: tagPolicies, gate } = readRunHeader(directory);
  const { minGrade = gate?.minGrade, minScore, maxRegressions = gate?.maxRegressions } = wish;
  const policies = judgePolicies(report, {
    minGrade,
    minScore,
    maxRegressions,
    ...(gate?.minPassRate === undefined ? {} : { minPassRate: gate.minPassRate }),
    tagPolicies,
    diff,
  });
  return { diff, policies };
}
