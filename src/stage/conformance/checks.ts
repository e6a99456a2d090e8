/** From verdicts and measures to the checks of the official suite. */
import type { ReportVerdict } from '../../core/model/reports/run-report.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { canaryFetched, freshProofs, reconnectDelay, resourceNonce, stateEchoed } from './measures.ts';
import type { ScenarioRules } from './scenario-rules.ts';
import type { Scenario, ScenarioCheck } from './scenarios.ts';

export type CheckStatus = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';

/** An entry of checks.json. */
export interface ConformanceCheck {
  id: string;
  name: string;
  description: string;
  status: CheckStatus;
  /** ISO 8601. */
  timestamp: string;
  errorMessage?: string;
  specReferences?: { id: string; url?: string }[];
  details?: Record<string, unknown>;
}

export interface Observed {
  verdicts: readonly ReportVerdict[];
  events: readonly TraceEvent[];
  /** The revision that the scenario is played in. */
  revision: string;
  /** The client sent at least one request. */
  connected: boolean;
}

export function checksOf(scenario: Scenario, rules: ScenarioRules, observed: Observed): ConformanceCheck[] {
  return scenario.checks
    .map((check) => ({ check, entry: decided(check, rules.of(check), observed) }))
    .filter(({ check, entry }) => check.trap !== true || entry.status === (check.fails ?? 'FAILURE'))
    .map(({ entry }) => entry);
}

function decided(check: ScenarioCheck, rules: readonly string[], observed: Observed): ConformanceCheck {
  const base = {
    id: check.id,
    name: check.name ?? check.id,
    description: check.description,
    timestamp: new Date().toISOString(),
  };
  if (!observed.connected)
    return { ...base, status: 'SKIPPED', errorMessage: 'The client never connected: it does not know the scenario.' };
  const { outcome, seen } = check.measure === undefined ? byRules(rules, observed) : measured(check.measure, observed);
  const found = observed.verdicts.filter(({ rule }) => rules.includes(rule) && !rule.startsWith('conformance/'));
  return {
    ...base,
    status: statusOf(check, outcome, observed.revision),
    ...(outcome === 'pass' ? {} : { errorMessage: seen }),
    ...(found.length > 0
      ? { specReferences: found.map(({ ref, link }) => ({ id: ref, ...(link === null ? {} : { url: link }) })) }
      : {}),
    details: {
      seen,
      ...(found.length > 0 ? { rules: found.map(({ rule, status }) => ({ rule, status })) } : {}),
      ...(check.suiteOnly === true ? { suiteOnly: true } : {}),
    },
  };
}

type Outcome = 'pass' | 'warn' | 'fail' | undefined;

function statusOf(
  { fails = 'FAILURE', failsSince, info, silent }: ScenarioCheck,
  outcome: Outcome,
  at: string,
): CheckStatus {
  if (outcome === 'pass') return info === true ? 'INFO' : 'SUCCESS';
  if (failsSince !== undefined && at < failsSince) return 'SKIPPED';
  if (outcome === 'warn') return 'WARNING';
  return outcome === 'fail' ? fails : (silent ?? 'SKIPPED');
}

/** Fails with the first rule that fails; passes where every rule passed that was decided, and at least one was. */
function byRules(rules: readonly string[], { verdicts }: Observed): { outcome: Outcome; seen: string } {
  const found = rules.flatMap((id) => verdicts.find(({ rule }) => rule === id) ?? []);
  const failed = found.find(({ status }) => status === 'fail');
  if (failed !== undefined) return { outcome: 'fail', seen: failed.message };
  const open = found.find(({ status }) => status !== 'pass');
  const passed = found.find(({ status }) => status === 'pass');
  if (passed === undefined) return { outcome: undefined, seen: open?.message ?? 'Nothing decided it.' };
  return { outcome: 'pass', seen: passed.message };
}

const measures = {
  canary: canaryFetched,
  'fresh-proofs': freshProofs,
  'reconnect-delay': reconnectDelay,
  'resource-nonce': resourceNonce,
  'state-echo': stateEchoed,
} as const;

function measured(measure: NonNullable<ScenarioCheck['measure']>, { events }: Observed): ReturnType<typeof byRules> {
  return measures[measure](events);
}
