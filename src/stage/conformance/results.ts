/** What the official suite leaves behind and prints of its scenarios. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { ConformanceCheck } from './checks.ts';
import type { ScenarioResult } from './run-scenario.ts';

/** Counts and outcome of a scenario. A scenario that decided nothing is neither good nor bad. */
export interface Summary {
  passed: number;
  failed: number;
  warnings: number;
  skipped: number;
  outcome: 'passed' | 'failed' | 'skipped';
  /** The reason why it failed apart from its checks, or was skipped. */
  why?: string;
}

export function summaryOf({ scenario, checks, end, connected, skipped }: ScenarioResult): Summary {
  const count = (status: ConformanceCheck['status']): number => checks.filter((one) => one.status === status).length;
  const counts = {
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    skipped: count('SKIPPED'),
  };
  if (skipped !== undefined) return { ...counts, outcome: 'skipped', why: skipped };
  if (!connected) return { ...counts, outcome: 'skipped', why: `the client never connected, ${endOf(end)}` };
  const timedOut = end?.ended !== undefined && !end.ended.startsWith('nothing came');
  const ownError = end?.ended === undefined && end?.code !== 0 && scenario.clientMayFail !== true;
  const why = timedOut
    ? `the client was ended: ${end.ended}`
    : ownError
      ? `the client ended with ${endOf(end)}`
      : undefined;
  if (counts.failed > 0 || counts.warnings > 0 || why !== undefined)
    return { ...counts, outcome: 'failed', ...(why === undefined ? {} : { why }) };
  return {
    ...counts,
    outcome: counts.passed === 0 ? 'skipped' : 'passed',
    ...(counts.passed === 0 ? { why: 'nothing was decided' } : {}),
  };
}

function endOf(end: ScenarioResult['end']): string {
  return end === undefined ? 'no exit code' : end.code === null ? `signal ${end.signal}` : `exit code ${end.code}`;
}

/**
 * Makes the folder `<scenario>-<timestamp>` below another one, for the results of a scenario.
 * @throws McpcError usage for a folder that cannot be made
 */
export function openResults(folder: string, scenario: string): string {
  const stamp = new Date().toISOString().replaceAll(':', '-').replaceAll('.', '-');
  const place = path.join(folder, `${scenario}-${stamp}`);
  try {
    mkdirSync(place, { recursive: true });
  } catch (error) {
    throw usageError(`Cannot write ${place}: ${(error as Error).message}`, 'Check the path given with -o.', error);
  }
  return place;
}

/** Writes checks.json, stdout.txt and stderr.txt; the trace is there already. */
export function writeResults(place: string, { checks, printed }: ScenarioResult): void {
  writeFileSync(path.join(place, 'checks.json'), JSON.stringify(checks, null, 2));
  for (const stream of ['stdout', 'stderr'] as const)
    writeFileSync(path.join(place, `${stream}.txt`), printed[stream].map((line) => `${line}\n`).join(''));
}

/** One line for a scenario of a suite. */
export function suiteLine({ scenario }: ScenarioResult, summary: Summary): string {
  const { outcome, passed, failed, warnings, why } = summary;
  const mark = { passed: '✓', failed: '✗', skipped: '-' }[outcome];
  if (outcome === 'skipped') return `${mark} ${scenario.scenario}: skipped, ${why}`;
  const counts = `${passed} passed, ${failed} failed${warnings > 0 ? `, ${warnings} warnings` : ''}`;
  return `${mark} ${scenario.scenario}: ${counts}${why === undefined ? '' : `; ${why}`}`;
}

/** The checks of a scenario, one line each, and what mcpc's own rules say next to them. */
export function scenarioLines(result: ScenarioResult): string[] {
  const width = result.checks.reduce((most, { id }) => Math.max(most, id.length), 0);
  const own = (result.report?.parts ?? []).flatMap(({ verdicts }) =>
    verdicts.filter(({ status, rule }) => status === 'fail' && !rule.startsWith('conformance/')),
  );
  return [
    ...result.checks.map(
      ({ id, status, description, errorMessage, details }) =>
        `[${id.padEnd(width)}] ${status.padEnd(7)} ${description}${errorMessage === undefined ? '' : `: ${errorMessage}`}${details?.['suiteOnly'] === true ? ' (of the official suite alone)' : ''}`,
    ),
    ...(own.length === 0 ? [] : ['By the rules of mcpc:']),
    ...own.map(({ rule, level, message }) => `  ✗ ${rule}  ${level}: ${message}`),
  ];
}
