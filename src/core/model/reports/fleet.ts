/** Fleets: what is to be checked, what came of each server, and the report of a whole run. Shapes only. */
import type { Level, Severity } from '../rules/requirement.ts';
import type { DisabledOutcome, GradeLimit, ReportPart } from './run-report.ts';
import type { TransportKind } from '../trace.ts';

/** Connection settings of a fleet's server. Texts may hold `${VAR}`: they are put in where the check runs. */
export type FleetReach =
  /** A program; on stdio, or reached at `url` when there is one, in which `{{port}}` stands for a free port. */
  | { kind: 'command'; command: string; args: string[]; url?: string }
  /** A server that runs already. */
  | { kind: 'url'; url: string }
  /** A package that is installed into the cache first; `spec` is name@version. */
  | {
      kind: 'npm';
      spec: string;
      bin?: string;
      args: string[];
      nodeArgs?: string[];
      allowScripts: boolean;
      url?: string;
    }
  /** A client with a command for each act, which the file at the absolute path names. */
  | { kind: 'driver'; driver: string; args: string[]; url?: undefined };

/** A server that is checked by several revisions, each as an entry `name@revision`. */
export interface FleetBase {
  id: string;
  name: string;
  /** By how many the file has it checked. */
  revisions: number;
}

/** Policies of a fleet file for servers with a tag. */
export interface TagPolicy {
  tag: string;
  minGrade?: string;
  minScore?: number;
  /** Percent of the cases of its suites that a server has to pass. */
  minPassRate?: number;
  /** Every server with the tag has to be compliant. */
  compliant?: boolean;
}

/** A rule whose failure does not fail a run, as the project file says. */
export interface DisabledRule {
  rule: string;
  reason: string;
  /** The last day on which it holds, YYYY-MM-DD. */
  until?: string;
  /** Where it stands, `file:line`. */
  from: string;
}

/** A server of an included file that cannot be checked. */
export interface UnreadServer {
  name: string;
  /** Its place, `file:line`. */
  from: string;
  /** A sentence without its full stop. */
  why: string;
}

/** Policies of a fleet file for the whole run. */
export interface FleetGate {
  /** Worst grade that any server may have. */
  minGrade?: string;
  /** Maximum number of rules that fail and did not fail in the earlier run. */
  maxRegressions?: number;
  /** Percent of the cases of its suites that each server has to pass. */
  minPassRate?: number;
}

export type FleetStatus = 'checked' | 'unreachable' | 'timeout' | 'error';

/** Result of one server, small enough to keep for every server of a large fleet. */
export interface FleetServer {
  name: string;
  id: string;
  status: FleetStatus;
  /** Absent for servers. */
  kind?: 'client';
  /** Where it is one revision of a server that is checked by several. */
  base?: FleetBase;
  /** It does not speak the revision, and `reason` says by which answer; only in journals, a report has it under `unspoken`. */
  unspoken?: true;
  /** Why there is no verdict, or why it is not whole; null for a check that ended as it should. */
  reason: string | null;
  /** Paths within the run directory. */
  report: string | null;
  trace: string | null;
  compliant: boolean | null;
  score: number | null;
  grade: string | null;
  decided: number;
  applicable: number;
  /** Of those, what is conditional; and why the grade is not that of the score. As in the report of the server; absent in older runs. */
  conditional?: number | undefined;
  gradeLimits?: GradeLimit[] | undefined;
  counts: ReportPart['counts'] | null;
  revision: string | null;
  /** The answered revision, if it differs from the requested one. */
  speaks?: string;
  transport: TransportKind | null;
  serverInfo: { name?: string; version?: string; title?: string } | null;
  sdk: { name: string; version?: string } | null;
  /** Milliseconds from the start of the process (or the first request) to the answer of the handshake. */
  startUpMs: number | null;
  durationMs: number;
  /** Number of starts of its check: more than one after a crash of mcpc or of a worker. */
  attempts: number;
  tags: string[];
  owner?: string;
  expectedGrade?: string;
  failures: FleetFailure[];
  /** One letter for each of the report's `rules`, in their order (model/verdict-codes.ts); null without a verdict. */
  verdicts: string | null;
  /** Ids of the optional features (rules of level MAY) that it was seen to use; absent without a verdict, and in older runs. */
  features?: string[];
  /** Ids of unseen features of its transport and revision; absent as well in runs before 0.2.0. */
  unseen?: string[];
  /** Results of its suites; null when they were not run, absent without any. */
  suite?: FleetSuite | null;
  /** Rules of its baseline, or that the project file disables, whose entries have to go. */
  stale?: string[];
  /** What the project file disables, and whether each entry still holds. */
  disabled?: DisabledOutcome[];
  /** Taken over from an earlier run, whose folder this names, since nothing of the server had changed. */
  carriedFrom?: string;
}

/** Suite results of a server. */
export interface FleetSuite {
  /** Path within the run directory. */
  report: string;
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  undecided: number;
  flaky: number;
  /** Percent of the cases that were not skipped, rounded down; null when there are none. */
  passRate: number | null;
  /** Names of the cases that failed, the first hundred. */
  failures: string[];
  incomplete: string | null;
}

/** A rule that took part in a run. */
export interface FleetRule {
  id: string;
  title: string;
}

export interface FleetFailure {
  rule: string;
  level: Level;
  severity: Severity;
  /** The server's baseline knew of it. */
  known?: boolean;
  /** The rule that names its cause, with which it counts as one; absent in older runs. */
  cause?: string;
}

/** `fleet.json`: the report of a run over a fleet. */
export interface FleetReport {
  format: 'mcpc-fleet-report';
  version: 1;
  tool: { name: 'mcpc'; version: string };
  /** `profile`: less was asked than could be; the digest is another one, since such scores do not compare. */
  ruleSet: { digest: string; rules: number; set?: string; profile?: 'quick' };
  /** Every rule that took part, by id in the order of code units (`fleetRules` of model/verdict-codes.ts). */
  rules: FleetRule[];
  /** Rules of level MAY that took part, in the same order; absent in older runs. */
  features?: FleetRule[];
  startedAt: string;
  durationMs: number;
  /** Why some servers are missing; null when each has its result. */
  incomplete: string | null;
  /** Names of the joined shards, or of its own shard. */
  shards?: string[];
  /** In the order of the fleet file. */
  servers: FleetServer[];
  /** Revisions that servers were asked for and do not speak, in the order of the fleet file; absent where there are none. */
  unspoken?: FleetUnspoken[];
}

/** A revision that a server was asked for and does not speak: news, and no failure. */
export interface FleetUnspoken {
  /** Settings of its line. */
  id: string;
  name: string;
  /** Id of the server itself. */
  server: string;
  revision: string;
  /** By which answer, a sentence without its full stop. */
  why: string;
}

/** `run.json`: what a run was begun with; never changed afterwards, so that it can be resumed as it was. */
export interface FleetRunHeader {
  format: 'mcpc-fleet-run';
  version: 1;
  tool: { name: 'mcpc'; version: string };
  /** `profile`: less was asked than could be; the digest is another one, since such scores do not compare. */
  ruleSet: { digest: string; rules: number; set?: string; profile?: 'quick' };
  /** Every rule that took part, by id in the order of code units (`fleetRules` of model/verdict-codes.ts). */
  rules: FleetRule[];
  /** Rules of level MAY that took part, in the same order; absent in older runs. */
  features?: FleetRule[];
  /** Name of the fleet file without its folders, which differ from machine to machine; absent in older runs. */
  file?: string;
  /** Name of the run, different from that of any other. */
  id: string;
  startedAt: string;
  /** Which rules take part; the set and house rules are in the digest. */
  selection: { only: string[]; skip: string[]; level?: string };
  shard?: string;
  policies: TagPolicy[];
  /** Policies of the fleet file for the whole run. */
  gate?: FleetGate;
  /** Digest of each entry: an entry that changed is another server. */
  servers: FleetRunServer[];
}

export interface FleetRunServer {
  id: string;
  name: string;
  digest: string;
  /** Where it is one revision of a server that is checked by several. */
  base?: FleetBase;
  /** Position in the fleet file, from 0, by which joined shards are put in order. */
  place: number;
  tags: string[];
  owner?: string;
  expectedGrade?: string;
}

/** A line of `journal.jsonl`. */
export type FleetEvent =
  | { t: string; event: 'begun'; id: string; attempt: number }
  /** Written only after report and trace were; `digest` is that of the entry as it was checked. */
  | { t: string; event: 'settled'; digest: string; server: FleetServer };
