/** The RunReport: the one result of a check, from which every format is rendered. Shapes only. */
import type { Era, Level, Severity } from '../rules/requirement.ts';
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
  /** What had to be seen, and what was; null unless the status is `fail`. */
  expected: string | null;
  actual: string | null;
  /** How to fix it; null unless the status is `fail`. */
  fix: string | null;
  /** The same in terms of the SDK that the target is made with, where that is known; absent otherwise. */
  sdkFix?: string;
  /** Of a status `not-exercised`: whether it applies in any case; absent in reports of older versions. */
  open?: OpenKind;
  /** What would decide it, of a status `not-exercised`: a sentence without its full stop. */
  remedy?: string;
  /** Remarks that do not change the verdict. */
  advice: string[];
  /** How many subjects (exchanges, messages, …) were judged, and how many of them failed. */
  judged: number;
  failed: number;
  /** What proves the verdict, case by case: the first failing (or passing) one whole, and up to three more. */
  evidence: EvidenceCase[];
  /** Cases of the same sort that are not listed. */
  moreCases: number;
  /** Other rules that fail by the same cause; they are counted, and shown, with this one. */
  also?: string[];
  /** The rule that names the cause of this failure best; this one stands in its `also`, and weighs nothing. */
  cause?: string;
  /** The baseline knew of this failure. */
  known?: boolean;
}

/** One thing that a rule judged, with the messages that show what became of it. */
export interface EvidenceCase {
  /** What was judged, for example `exchange tools/call`. */
  subject: string;
  /** Sequence numbers of its trace events, in order, so that a request stands before its response. */
  events: number[];
  /** Events of it that are left out, since there are very many. */
  moreEvents?: number;
  /** What was seen, in one sentence. */
  seen: string;
  /** Of a failure: the event to blame, and the property in it where that is known, for example `result.tools[0].name`. */
  event?: number;
  member?: string;
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
  /** How many subjects showed it. */
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
  /** What to do instead: a sentence without its beginning capital and full stop. */
  instead: string;
  /** When it may be removed at the earliest, in words. */
  earliestRemoval: string;
  /** The registry of deprecated features. */
  link: string;
  /** Sequence numbers of the first events that show the use; none where the transport does. */
  events: number[];
}

/** An event of the wire log shown beside a verdict; secrets already redacted. */
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
  /** How often a process of the server ended by itself while it was asked nothing wrong. */
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
  /** What was seen instead: a sentence without its full stop. */
  why: string;
  events: number[];
}

/** What one revision of the specification says of a run. */
export interface ReportPart {
  revision: string;
  era: 'stateful' | 'stateless';
  /** No verdict failed with severity `error`, and none has status `error`, those of extensions aside. */
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
  /** What is permitted and may be used or not, by area and rule; absent in reports of older versions. */
  features?: ReportFeature[];
  /** What of it is deprecated in this revision; absent where nothing was seen, and in reports of older versions. */
  deprecations?: ReportDeprecation[];
  /** What the baseline says of the failures of this revision. */
  baseline?: { file: string; known: string[]; fresh: string[]; stale: string[] };
  /** Where a run has several parts: the numbers that the events of this one have in the wire log; in its own trace they begin with 1. */
  events?: { first: number; last: number };
  /** Where a run has several parts: what of the run belongs to this one; at the top stands the sum, or what the first part has. */
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
    command?: string[];
    url?: string;
    serverInfo?: { name?: string; version?: string; title?: string };
    capabilities?: string[];
    /** The revision that it answered with, where that is not the one that it was to be held to: no other rules than those about versions were asked. */
    speaks?: string;
    /** SDK that it is made with, where it was recognised, and by what. */
    sdk?: { id: string; name: string; by: string; version?: string };
  };
  transport: TransportKind;
  /** Revisions that it speaks, newest first, and those that it was asked for and does not; absent where no server is judged, and in reports of old. */
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
  /** How many sound requests the server was sent and did not answer, by what came instead; absent in reports of old. */
  requests?: RequestTally;
  /** What was left out for safety, for example tools annotated destructive. */
  skipped: {
    what: string;
    why: string;
    /** What would have it called. */
    allow?: string;
  }[];
  /** Which tools were called, how often and with which arguments, and which were not; absent in reports of older versions. */
  calls?: ToolCalls;
  /** Command lines of processes that the target left running behind it, outside its process group; they were ended. */
  leftBehind?: string[];
  /** Where the time of the check went, if that was asked for. */
  timings?: Timings;
}
