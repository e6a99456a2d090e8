/** From a server's report to its line in the report of the fleet. Values only. */
import { whyStale } from '../../core/score/disabled.ts';
import type { FleetRule, FleetServer, FleetStatus } from '../../core/model/reports/fleet.ts';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';
import { ofPart, type PartReport } from '../../core/model/reports/run-parts.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { encodeVerdicts } from '../../core/model/reports/verdict-codes.ts';
import { reportPath, tracePath } from './run-directory.ts';

type OfEntry = Pick<FleetServer, 'kind' | 'name' | 'id' | 'base' | 'tags' | 'owner' | 'expectedGrade' | 'suite'>;

function ofEntry({ name, id, base, tags, owner, expectedGrade, suites, client }: FleetEntry): OfEntry {
  return {
    ...(client === undefined ? {} : { kind: 'client' as const }),
    name,
    id,
    base,
    tags,
    owner,
    expectedGrade,
    ...(suites === undefined ? {} : { suite: null }),
  };
}

/**
 * A server whose check returned a report, with its baseline applied.
 * @param rules of the run, in the order of its verdicts
 * @param cut why the check ended early, if it did
 */
export function summarise(
  run: RunReport,
  entry: FleetEntry,
  rules: readonly FleetRule[],
  attempts: number,
  cut?: string,
): FleetServer {
  const report = ofPart(run);
  const judged = entry.client === undefined ? 'server' : 'client';
  const { serverInfo, sdk } = report.target;
  const failures = report.verdicts
    .filter(({ status, role }) => status === 'fail' && role === judged)
    .map(({ rule, level, severity, known, cause }) => ({
      rule,
      level,
      severity,
      ...(known === true ? { known } : {}),
      ...(cause === undefined ? {} : { cause }),
    }));
  const whole = cut === undefined;
  const stale = [
    ...(report.baseline?.stale ?? []),
    ...(report.disabled ?? []).filter((one) => whyStale(one) !== undefined).map(({ rule }) => rule),
  ];
  return {
    ...ofEntry(entry),
    status: whole ? 'checked' : 'timeout',
    reason: cut ?? report.incomplete,
    report: reportPath(entry.id),
    trace: report.trace === null ? null : tracePath(entry.id),
    // Of half a check only what failed is certain.
    compliant: (whole && report.incomplete === null) || isViolated(report) ? report.compliant : null,
    score: whole ? report.score : null,
    grade: whole ? report.grade : null,
    decided: report.decided,
    applicable: report.applicable,
    conditional: report.conditional,
    gradeLimits: whole ? report.gradeLimits : undefined,
    counts: report.counts,
    revision: report.revision === '' ? null : report.revision,
    ...(report.target.speaks === undefined ? {} : { speaks: report.target.speaks }),
    transport: report.transport,
    serverInfo: serverInfo === undefined ? null : namesOf(serverInfo),
    sdk: sdk === undefined ? null : { name: sdk.name, version: sdk.version },
    startUpMs: report.startUpMs ?? null,
    durationMs: report.durationMs,
    attempts,
    failures,
    verdicts: encodeVerdicts(
      rules,
      report.verdicts.filter(({ role }) => role === judged),
    ),
    ...(report.features === undefined || judged === 'client'
      ? {}
      : { features: featuresWith(report.features, 'used'), unseen: featuresWith(report.features, 'not-seen') }),
    ...(stale.length === 0 ? {} : { stale }),
    ...(report.disabled === undefined ? {} : { disabled: report.disabled }),
  };
}

function featuresWith(features: NonNullable<PartReport['features']>, wanted: 'used' | 'not-seen'): string[] {
  return features.filter(({ role, status }) => role === 'server' && status === wanted).map(({ rule }) => rule);
}

/** Also where the run is incomplete, what failed is certain. */
function isViolated({ verdicts, counts }: PartReport): boolean {
  return counts.error > 0 || verdicts.some(({ status, severity }) => status === 'fail' && severity === 'error');
}

/** Values from a server may have any type and size: only strings are used, and shortened. */
function namesOf(info: object): NonNullable<FleetServer['serverInfo']> {
  const texts = Object.entries(info).filter(
    (member): member is [string, string] =>
      ['name', 'version', 'title'].includes(member[0]) && typeof member[1] === 'string',
  );
  return Object.fromEntries(texts.map(([member, text]) => [member, text.slice(0, 200)]));
}

/** A server without a verdict. @param traced a trace of what there was is kept */
export function unsettled(
  entry: FleetEntry,
  status: Exclude<FleetStatus, 'checked'>,
  reason: string,
  how: { attempts: number; durationMs: number; traced?: boolean },
): FleetServer {
  return {
    ...ofEntry(entry),
    status,
    reason,
    report: null,
    trace: how.traced === true ? tracePath(entry.id) : null,
    compliant: null,
    score: null,
    grade: null,
    decided: 0,
    applicable: 0,
    counts: null,
    revision: null,
    transport: null,
    serverInfo: null,
    sdk: null,
    startUpMs: null,
    durationMs: Math.round(how.durationMs),
    attempts: how.attempts,
    failures: [],
    verdicts: null,
  };
}

/** A revision of several that the server does not speak; nothing is wrong with that. */
export function notSpoken(entry: FleetEntry, why: string, how: { attempts: number; durationMs: number }): FleetServer {
  return { ...unsettled(entry, 'error', why, how), status: 'checked', unspoken: true, revision: entry.spec };
}
