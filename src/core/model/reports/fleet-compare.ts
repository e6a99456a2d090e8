/** Comparisons of a fleet run in addition to its report: with an earlier run, with policies, over time. Shapes only. */
import type { FleetRule, FleetStatus } from './fleet.ts';
import type { Level, Severity } from '../rules/requirement.ts';
import type { VerdictState } from './verdict-codes.ts';

export interface ServerName {
  id: string;
  name: string;
}

/** One of the two runs of a comparison. */
export interface FleetSide {
  startedAt: string;
  servers: number;
  ruleSet: string;
  incomplete: string | null;
}

/** A rule whose verdict on a server is another one now. */
export interface RuleChange extends ServerName {
  rule: string;
  title: string;
  level: Level;
  severity: Severity;
  /** The server's baseline knows of the failure. */
  known: boolean;
  before: VerdictState;
  now: VerdictState;
}

export interface StatusChange extends ServerName {
  from: FleetStatus;
  to: FleetStatus;
  /** Of the newer run, or null. */
  reason: string | null;
}

/** Results of a server that was checked in both runs; only in the list if something differs. */
export interface ScoreChange extends ServerName {
  from: Reached;
  to: Reached;
}

/** Suite results of a server in two runs. */
export interface SuiteChange extends ServerName {
  /** Names of cases that fail now and did not before, and the other way round. */
  failing: string[];
  mended: string[];
  /** Percent that passed. */
  from: number | null;
  to: number | null;
}

/** Optional features of a server that were seen in one of two runs alone. */
export interface FeatureChange extends ServerName {
  /** Used now, and not seen before, though the older run looked for it. */
  came: FleetRule[];
  /** Used before, and not seen now. */
  went: FleetRule[];
}

export interface Reached {
  score: number | null;
  grade: string | null;
  compliant: boolean | null;
  revision: string | null;
}

export interface FleetDiff {
  older: FleetSide;
  newer: FleetSide;
  ruleSetChanged: boolean;
  added: ServerName[];
  removed: ServerName[];
  /** Not in the newer run, which is not whole (cut short, or a shard). */
  notRun: ServerName[];
  /** Checked by another revision than before, so that nothing of them is compared. */
  revisionChanges: (ServerName & { from: string; to: string })[];
  /** The same id under another name. */
  renamed: { id: string; from: string; to: string }[];
  statusChanges: StatusChange[];
  /** Checked before, and not to be checked now. */
  lost: StatusChange[];
  /** Fails now, did not fail before, and the older rule set had the rule. */
  regressions: RuleChange[];
  /** Failed before, passes now. */
  fixes: RuleChange[];
  /** Failed before, and is neither failed nor passed now. */
  undecided: RuleChange[];
  /** Fails now; the older rule set did not have the rule. */
  newRules: RuleChange[];
  scores: ScoreChange[];
  /** Suites of servers that had some in both runs, where something of them differs. */
  suites: SuiteChange[];
  /** Servers that use other optional features now; they count for nothing. */
  features: FeatureChange[];
  /** Regressions that count against compliance and that no baseline knows, servers that were lost, and cases of suites that fail now. */
  worse: number;
}

export interface BrokenPolicy {
  /** Which policy: `min-grade`, `expected grade`, `tag prod: min-score` and so on. */
  policy: string;
  server?: ServerName;
  tag?: string;
  /** One sentence. */
  why: string;
}

export interface PolicyOutcome {
  held: boolean;
  broken: BrokenPolicy[];
  /** Exit code of the run with its reason in one sentence. */
  exit: { code: 0 | 1 | 3 | 4; why: string };
}

/** An earlier run, reduced to what trends show. */
export interface FleetPastRun {
  /** Name of its folder. */
  name: string;
  startedAt: string;
  ruleSet: string;
  incomplete: boolean;
  servers: Record<string, PastServer>;
}

export interface PastServer {
  /** By which it was checked. */
  revision: string | null;
  status: FleetStatus;
  score: number | null;
  grade: string | null;
  compliant: boolean | null;
}
