/** The RunReport: the one result of a check, from which every format is rendered. Shapes only. */
import type { Era, Level, Severity } from '../rules/requirement.ts';
import type { ClientProfile } from '../rules/client-profile.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { FeatureStatus, OpenKind, Status } from './verdict.ts';
import type { Timings } from '../timings.ts';
import type { TransportKind } from '../trace.ts';

export interface ReportVerdict {
  /** Rule id, for example `ping/answer-empty-result`. */
  rule: string;
  /** Whose behaviour the rule judges. */
  role: 'server' | 'client';
  title: string;
  requirements: string[];
  /** The requirement in one sentence. */
  statement: string;
  area: string;
  /** The extension that demands it, by identifier: then it counts in its area alone, and changes neither compliance nor score. */
  extension?: string;
  level: Level;
  /** `error` counts against compliance, `warning` and `info` never do. */
  severity: Severity;
  /** Why a MUST counts as a warning: it is stated in prose only, or another place of the specification contradicts it. */
  basis?: 'prose' | 'contested';
  /** page#anchor of the clause in the judged revision. */
  ref: string;
  /** Address of the clause; null for house rules without one. */
  link: string | null;
  status: Status;
  /** One sentence: what was seen, and for undecided verdicts why. */
  message: string;
  /** Expectation and observation; null unless the status is `fail`. */
  expected: string | null;
  actual: string | null;
  /** How to fix it; null unless the status is `fail`. */
  fix: string | null;
  /** The same in terms of the SDK that the target is made with, where that is known; absent otherwise. */
  sdkFix?: string;
  /** Of a status `not-exercised`: whether it applies in any case; absent in reports of older versions. */
  open?: OpenKind;
  /** Remedy for the status `not-exercised`: a sentence without its full stop. */
  remedy?: string;
  /** Remarks that do not change the verdict. */
  advice: string[];
  /** Number of judged subjects (exchanges, messages, …), and of failed ones. */
  judged: number;
  failed: number;
  /** Evidence of the verdict, case by case: the first failing (or passing) one whole, and up to three more. */
  evidence: EvidenceCase[];
  /** Cases of the same sort that are not listed. */
  moreCases: number;
  /** Other rules that fail by the same cause; they are counted, and shown, with this one. */
  also?: string[];
  /** The most specific rule for this failure; this one is in its `also`, and has no weight. */
  cause?: string;
  /** The baseline knew of this failure, or the project file disables the rule. */
  known?: boolean;
  /** The project file disables the rule: why, until which day, and where that is written. */
  disabled?: { reason: string; until?: string; from: string };
}

/** An entry of `disable` in a project file, and whether it still holds. */
export interface DisabledOutcome {
  rule: string;
  reason: string;
  /** The last day on which it holds, YYYY-MM-DD. */
  until?: string;
  /** `file:line` */
  from: string;
  /** The rule fails; the day has passed; the rule no longer fails; the run did not decide it. */
  state: 'fails' | 'expired' | 'passes' | 'undecided';
}

/** One thing that a rule judged, with the messages that show what became of it. */
export interface EvidenceCase {
  /** The judged subject, for example `exchange tools/call`. */
  subject: string;
  /** Sequence numbers of its trace events, in order, so that a request precedes its response. */
  events: number[];
  /** Events of it that are left out, since there are very many. */
  moreEvents?: number;
  /** The observation, in one sentence. */
  seen: string;
  /** Of a failure: the event to blame, and the property in it where that is known, for example `result.tools[0].name`. */
  event?: number;
  member?: string;
}

/** The answer of a person to a question about something that no message shows. */
export interface AttestedAnswer {
  /** Id of the requirement. */
  requirement: string;
  level: Level;
  /** page#anchor of the clause, and its address. */
  ref: string;
  link: string | null;
  question: string;
  answer: 'yes' | 'no' | 'unknown';
  /** When it was given, ISO 8601. */
  at: string;
}

/** Something that the specification permits (level MAY), and whether the target was seen to use it. Never scored. */
export interface ReportFeature {
  /** Id of the requirement that permits it. */
  requirement: string;
  rule: string;
  /** Whose behaviour it is. */
  role: 'server' | 'client';
  title: string;
  area: string;
  /** page#anchor of the clause in the judged revision, and its address; null for house rules without one. */
  ref: string;
  link: string | null;
  status: FeatureStatus;
  /** Number of subjects that showed it. */
  uses: number;
  /** The first of them; null where there is none. */
  evidence: EvidenceCase | null;
}

/** A feature that the specification is going to remove, and that was seen in use. Advice: it is never judged or scored. */
export interface ReportDeprecation {
  /** A short name, for example `logging`. */
  feature: string;
  /** Whose use it is. */
  role: 'server' | 'client';
  title: string;
  /** The revision that deprecated it. */
  since: string;
  /** The alternative: a sentence without its beginning capital and full stop. */
  instead: string;
  /** When it may be removed at the earliest, in words. */
  earliestRemoval: string;
  /** The registry of deprecated features. */
  link: string;
  /** Sequence numbers of the first events that show the use; none where the transport does. */
  events: number[];
}

/** An event of the wire log of a verdict; secrets already redacted. */
export interface WireEntry {
  seq: number;
  t: number;
  session: string;
  from: 'client' | 'server' | 'harness';
  kind: string;
  /** One line for a reader, for example `POST /mcp` or `200 application/json`, or the name of the act. */
  label: string;
  /** JSON text, raw text or headers; empty when the label says all. Cut at 8 KiB. */
  body: string;
  deviation?: string;
}

export interface AreaScore {
  area: string;
  /** Of an extension: its identifier. Its score is its own, and no part of that of the revision. */
  extension?: string;
  score: number | null;
  pass: number;
  fail: number;
  notExercised: number;
  notApplicable: number;
  error: number;
}

export interface LevelScore {
  level: Level;
  pass: number;
  fail: number;
  notExercised: number;
  notApplicable: number;
  error: number;
}

/** The best grade that a target can have, and why: a sentence without its beginning capital and full stop. */
export interface GradeLimit {
  grade: string;
  why: string;
}

/** Requests that were sent without a deliberate fault, and those of them that were answered by a breakdown. */
export interface RequestTally {
  /** Each counted once, however often it was asked again. */
  sent: number;
  unanswered: number;
  /** An HTTP status such as `502`, or words such as `the connection was lost`; the most frequent first. */
  causes: { cause: string; count: number }[];
  /** Number of server processes that ended by themselves without a wrong request. */
  ended: number;
  /** Seqs of the first of the requests without an answer. */
  events: number[];
}

/** A revision that the target showed to speak. */
export interface SpokenRevision {
  revision: string;
  era: Era;
  /** Which answers showed it, the first of each sort: a result of `initialize` or `server/discover`, or an error that lists what is supported. */
  evidence: { by: 'initialize' | 'server/discover' | 'error'; events: number[] }[];
}

/** A revision that the target was asked for and does not speak. */
export interface UnspokenRevision {
  revision: string;
  era: Era;
  /** The observation instead: a sentence without its full stop. */
  why: string;
  events: number[];
}

/** The result of a run for one revision of the specification. */
export interface ReportPart {
  revision: string;
  era: 'stateful' | 'stateless';
  /** No verdict failed with severity `error`, and none has status `error`, except those of extensions. */
  compliant: boolean;
  /** 0 to 100, one decimal; null when nothing that weighs anything was decided, or the run is incomplete. Extensions are no part of it. */
  score: number | null;
  /** Band of the score, at most what `gradeLimits` allow; null with the score. */
  grade: string | null;
  /** Why the grade is not that of the score, the lowest first; absent where it is. */
  gradeLimits?: GradeLimit[];
  counts: Record<Status, number>;
  /** Passed or failed. */
  decided: number;
  /** All but `not-applicable`. */
  applicable: number;
  /** Of those, what applies only to a target that does something which this one was not seen to do; absent in reports of older versions. */
  conditional?: number;
  /** Of those, what applies in any case and the run did not come to; absent in reports of older versions. */
  notReached?: number;
  /** By name of area. */
  areas: AreaScore[];
  /** Strictest level first; only levels that occur. */
  levels: LevelScore[];
  verdicts: ReportVerdict[];
  /** Optional features, by area and rule; absent in reports of older versions. */
  features?: ReportFeature[];
  /** Deprecated features of this revision in use; absent without any, and in reports of older versions. */
  deprecations?: ReportDeprecation[];
  /** The baseline's view of the failures of this revision. */
  baseline?: { file: string; known: string[]; fresh: string[]; stale: string[] };
  /** What the project file disables, and what became of each entry; absent where it disables nothing. */
  disabled?: DisabledOutcome[];
  /** Where a run has several parts: the numbers that the events of this one have in the wire log; in its own trace they begin with 1. */
  events?: { first: number; last: number };
  /**
   * If a run has several parts: the run's data for this one; the top level has the sum, or the data of the first part.
   */
  target?: RunReport['target'];
  transport?: TransportKind;
  startedAt?: string;
  durationMs?: number;
  startUpMs?: number;
  requests?: RequestTally;
  skipped?: RunReport['skipped'];
  calls?: ToolCalls;
  trace?: string | null;
  incomplete?: string | null;
  leftBehind?: string[];
}

export interface RunReport {
  format: 'mcpc-run-report';
  version: 2;
  tool: { name: 'mcpc'; version: string };
  /** Name of the target for a reader, how it is reached, and what it said of itself. */
  target: {
    name: string;
    /** Present where no server of MCP was checked. */
    kind?: 'client' | 'authorization-server';
    command?: string[];
    url?: string;
    serverInfo?: { name?: string; version?: string; title?: string };
    capabilities?: string[];
    /** The answered revision, if it differs from the requested one: only rules about versions were judged. */
    speaks?: string;
    /** SDK that it is made with, where it was recognised, and by what. */
    sdk?: { id: string; name: string; by: string; version?: string };
  };
  transport: TransportKind;
  /** The abilities of a client, declared and seen; absent where a server was checked. */
  profile?: ClientProfile;
  /** The answers of a person about a client; absent where nobody was asked. Never judged or scored. */
  attested?: AttestedAnswer[];
  /**
   * Revisions that it speaks, newest first, and requested ones that it does not; absent without a judged server, and in
   * old reports.
   */
  spoken?: SpokenRevision[];
  unspoken?: UnspokenRevision[];
  /** Parts that the judged trace lacks, of a capture only; without `transport` the one above is a guess. */
  notRecorded?: string[];
  /** `profile`: less was asked than could be; the digest is another one, since such scores do not compare. */
  ruleSet: { digest: string; rules: number; set?: string; profile?: 'quick' };
  /** Of a check of several revisions: the same in the traces of all its parts. */
  run?: string;
  startedAt: string;
  durationMs: number;
  /** Milliseconds from the start of the process (or the first request) to the answer of the handshake; absent where that was not seen. */
  startUpMs?: number;
  /** The run is complete and compliant in every part. */
  compliant: boolean;
  /** One for each revision that was judged; never empty. */
  parts: ReportPart[];
  /** Wire log of the events that verdicts cite, in order: one table for all parts. */
  wire: WireEntry[];
  /** Path of the trace file, or null when none was kept. */
  trace: string | null;
  /** The run ended early (interrupted, limit reached, target lost), or the server broke down: why. Never compliant, and without a grade. */
  incomplete: string | null;
  /** Number of sound requests without an answer of the server, by what came instead; absent in old reports. */
  requests?: RequestTally;
  /** Tools left out for safety, for example destructive ones. */
  skipped: {
    what: string;
    why: string;
    /** The flag or hint that allows it. */
    allow?: string;
  }[];
  /** Which tools were called, how often and with which arguments, and which were not; absent in reports of older versions. */
  calls?: ToolCalls;
  /** Command lines of processes that the target left running behind it, outside its process group; they were ended. */
  leftBehind?: string[];
  /** Where the time of the check went, if that was asked for. */
  timings?: Timings;
}
