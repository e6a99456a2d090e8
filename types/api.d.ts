/// <reference lib="esnext.disposable" />
import { Readable, Writable } from 'node:stream';

/**
 * The shape of a requirement: one normative statement of the specification, with what differs between
 * revisions. Shapes only; where requirements come from and what they mean for a verdict is decided in
 * `spec`.
 */
/** A revision of the Model Context Protocol, named by its date. */
type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';
/** `stateful`: a connection starts with an initialize handshake. `stateless`: every request is independent. */
type Era = 'stateful' | 'stateless';
type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';
/** Meaning of a failed requirement: `error` costs compliance, `warning` and `info` never do. */
type Severity = 'error' | 'warning' | 'info';

/** The profile of a client: what it declared, and what it was seen to do. No verdict or score rests on it. Shapes only. */
interface ClientProfile {
    clientInfo?: {
        name?: string;
        version?: string;
        title?: string;
    };
    /** Revisions that it asked for, in the order in which they came. */
    requested: string[];
    /** Capabilities that it declared, with dots for what lies within: `elicitation.url`. */
    declared: string[];
    /** Everything that a profile looks for, seen or not. */
    abilities: ClientAbility[];
}
interface ClientAbility {
    /** A short name, for example `resumption`. */
    ability: string;
    title: string;
    /** How often it was seen. */
    times: number;
    /** Sequence numbers of the first events that show it. */
    events: number[];
}

/** Which tools of a target were called, and which were not. Shapes only. */
/** The calls of one tool. */
interface CalledTool {
    tool: string;
    times: number;
    /** The arguments as JSON text, cut when it is long, the most frequent first. */
    arguments: {
        value: string;
        times: number;
    }[];
    /** Calls with arguments that are not listed, when there were many kinds. */
    more?: number;
}
interface UncalledTool {
    tool: string;
    why: string;
    /** The flag or hint that would call it; absent if nothing forbids it, or the user did. */
    allow?: string;
}
interface ToolCalls {
    called: CalledTool[];
    notCalled: UncalledTool[];
    /**
     * Called names that are not tools of the target, as far as it listed them: such as those that a check makes up.
     * Absent where there are none.
     */
    unlisted?: {
        tool: string;
        times: number;
    }[];
    /** Tools and calls beyond the listed ones, when the target has very many. */
    more?: number;
}

/** Verdicts: their statuses and order. Shapes only. */
/**
 * - `pass`, `fail`: decided by what was observed.
 * - `not-applicable`: the requirement does not bind this target (capability not declared, other transport).
 * - `not-exercised`: it binds, but nothing observed could decide it.
 * - `error`: mcpc itself failed to judge.
 */
declare const statuses: readonly ["fail", "error", "not-exercised", "pass", "not-applicable"];
type Status = (typeof statuses)[number];
/**
 * Why a requirement is undecided: it applies and the run did not reach it, or it applies only to a target that does
 * something that was not observed.
 */
declare const openKinds: readonly ["not-reached", "conditional"];
type OpenKind = (typeof openKinds)[number];
/** Result of a rule of level MAY: the permitted feature was used, or no use of it was seen, which proves nothing. */
declare const featureStatuses: readonly ["used", "not-seen"];
type FeatureStatus = (typeof featureStatuses)[number];

/** Where the time of a check went (`mcpc check --timings`). Shapes only; all times in milliseconds. */
type StageName = 'loading' | 'detecting' | 'probing' | 'closing' | 'judging' | 'reporting';
interface Spent {
    wallMs: number;
    /** CPU time of mcpc, all threads; that of the target is not counted. */
    cpuMs: number;
}
interface Timings extends Spent {
    /** CPU cores of the machine. */
    cores: number;
    /** Processes started. */
    starts: number;
    /** In order; together they are the whole. */
    stages: (Spent & {
        name: StageName;
    })[];
    /** Of the stage `probing`: what judging took meanwhile, on the same thread. */
    judgedMs: number;
    connections: ConnectionTime[];
    /** Connections beyond the listed ones. */
    moreConnections?: number;
    /** Steps that took longest, longest first. */
    steps: StepTime[];
    /** Times in which nothing came or went on a connection, longest first. */
    idle: StepTime[];
}
interface ConnectionTime {
    session: string;
    /** From its first event to its last one. */
    wallMs: number;
    messages: number;
    /** Probes that were run on it. */
    probes: number;
    /** Purpose: ids of rules that requested its probes, the first few. */
    rules: string[];
    /** The first few steps (docs/rules.md) that were carried out on it. */
    steps: string[];
}
interface StepTime {
    session: string;
    /** The step (docs/rules.md) that took most of the time; the stage where none did. */
    step: string;
    wallMs: number;
}

/**
 * The trace: what was exchanged, as a list of events. It is the only thing that judging reads. This module has shapes
 * only; it is independent of making, storing and judging events.
 */
/** The party that caused an event. `harness` is mcpc itself: clocks running out, processes started or ended. */
type Party = 'client' | 'server' | 'harness';
/** Transport of the bytes. `http` is Streamable HTTP, `sse` the HTTP+SSE transport of 2024-11-05. */
type TransportKind = 'stdio' | 'http' | 'sse';
declare const eventKinds: readonly ["spawn", "message", "unplaced", "gap", "unparsable", "stderr", "exit", "http-request", "http-response", "sse-open", "sse-event", "sse-close", "listening", "closed", "timeout", "assumed", "limit", "case", "step", "file"];
type EventKind = (typeof eventKinds)[number];
type ReadAs = 'lines' | 'part' | 'unfinished' | 'body' | 'event';
/** Header names are lower case; a header that was repeated has an array. */
type HeaderMap = Record<string, string | string[]>;
/** The HTTP side of an event: of a request the method and path, of a response the status. */
interface HttpPart {
    method?: string;
    /** Scheme and host of a request that goes elsewhere than to the target's address (metadata of an authorization server). */
    origin?: string;
    /** Path with query as it was sent. */
    path?: string;
    status?: number;
    /** Of a response: the version of HTTP, where it is not 1.1. Over HTTP/2 letter case of names and headers of one hop do not exist. */
    version?: '2';
    headers?: HeaderMap;
    /** Names of headers as they were written, where that was in letters of an unusual case. */
    spelled?: readonly string[];
    /**
     * Places that a proxy changed (`resource`, `location.iss`, `form.resource`), with the value on the server's side; all
     * else of the event is as the client has it.
     */
    rewritten?: Record<string, string>;
    /** Bytes in the body; only on a response whose body was read to its end (never on an event stream). */
    bodyBytes?: number;
    /** Start of a body that holds no JSON-RPC (an HTML error page, say), at most 2 KiB. */
    body?: string;
}
/** The Server-Sent Events side of an event. */
interface SsePart {
    /** Event name; absent when the field was absent (which SSE defines as "message"). */
    event?: string;
    /** Value of the event's own `id` field; absent when it had none. */
    id?: string;
    /** Reconnection time in milliseconds. */
    retry?: number;
    /** Comment lines since the event before it. */
    comments?: number;
    /** Data of an event that carries no JSON-RPC message; for messages see `message` and `raw`. */
    data?: string;
}
interface TraceEvent {
    /** Position in the trace, from 1, without gaps. */
    seq: number;
    /** Milliseconds since the trace began. */
    t: number;
    /** Name of the connection that the event belongs to, for example `s1`. */
    session: string;
    from: Party;
    kind: EventKind;
    /**
     * The HTTP exchange that the event belongs to, for example `x7`: all events between an
     * `http-request` and the end of its reply share it. Absent on stdio.
     */
    exchange?: string;
    /**
     * kind `message`: the parsed JSON (an array for a batch; any JSON value that parsed). kind `unplaced`: a message of
     * an imported capture with an unknown sender, which is not judged.
     */
    message?: unknown;
    /**
     * The text on the wire, if it differs from the canonical JSON or did not parse. kind `gap`: an incomplete message of
     * an imported capture, which is not judged.
     */
    raw?: string;
    /** kind `gap`: a message stood there, of the handshake of its connection or another one; absent for other text. */
    lost?: 'handshake' | 'message';
    /** kinds `message` and `unparsable`: true when the bytes were no valid UTF-8 (`raw` is then lossy). */
    invalidUtf8?: boolean;
    /**
     * kind `message` of a server that keeps to no form of the transport: how the message was read all the same. Over
     * several lines (`lines`), next to other text in a line (`part`), without a newline (`unfinished`), in a body of
     * another media type (`body`), or as an event in one (`event`). Its source precedes it.
     */
    readAs?: ReadAs;
    /** Client messages on stdio: how the bytes were written, where it was not one line in one write. */
    framing?: 'joined' | 'split';
    /** Set on everything that the checker sends and knows to be wrong: which deliberate fault it is. */
    deviation?: string;
    /** Messages of the checker: seq of the message that this one sends once more, since the server was too busy for it. */
    repeats?: number;
    /**
     * Messages of the checker, and processes, that test if the server supports two connections at a time; failing this
     * test breaks nothing.
     */
    trial?: true;
    http?: HttpPart;
    sse?: SsePart;
    /**
     * kinds `closed` and `sse-close`: the end of a channel; `proxy` if the proxy lost the connection, or may have. kind
     * `timeout`: something that did not end or come, such as an acknowledgement. `server`: the client asked the server to
     * end.
     */
    what?: 'stdin' | 'stdout' | 'connection' | 'stream' | 'proxy' | 'acknowledgement' | 'server';
    /** kinds `closed`, `exit`, `timeout`, `limit`, `gap`: why; `assumed`: what of the server was not in MCP's form, and how it was taken, in a few words for a reader. */
    reason?: string;
    /** kind `limit`: how often, where one event stands for many; once when absent. */
    times?: number;
    /** kind `exit`. */
    exit?: {
        code: number | null;
        signal: string | null;
    };
    /** kind `timeout`: seq of the client event whose answer was awaited; absent when it was something else. */
    awaited?: number;
    /** kind `timeout`: how long was waited, in milliseconds. */
    waitedMs?: number;
    /**
     * kind `spawn`: the command line, with secrets redacted; kind `listening`: the local addresses. Kinds `case` and
     * `step`: where a suite begins and ends. Kind `file`: a file at that time.
     */
    detail?: unknown;
}
/**
 * Missing parts of a trace that was not recorded by mcpc. Facts that rest on what is missing are not known, and
 * conditions that ask for them leave their subject undecided.
 */
interface Recorded {
    /** Which transport carried the messages. */
    transport: boolean;
    /** HTTP exchanges with methods, statuses and headers. */
    exchanges: boolean;
    /** When streams opened and closed, and when each of their events came. */
    streams: boolean;
    /** When each message came. */
    timing: boolean;
    /** The bytes as they were: encoding, framing, what is no message, how processes ended. */
    bytes: boolean;
    /** Every line of stdout that is no message; as `bytes` when absent. */
    lines?: boolean;
    /** The conversation from its first message on. */
    start: boolean;
    /** In which order messages came that do not answer each other. */
    order: boolean;
    /** Senders of messages; false where they were concluded from methods and ids. */
    direction: boolean;
}
/** First line of a trace file. Unknown members are kept. */
interface TraceHeader {
    format: 'mcpc-trace';
    version: 1;
    /** `live`, `intercept`, `client` (mcpc was the server), or `import:<format>`. */
    origin: string;
    transport: TransportKind;
    /** The revision under test, once it is known. */
    revision?: string;
    era?: 'stateful' | 'stateless';
    /** Description of the target, secrets redacted. */
    target?: Record<string, unknown>;
    startedAt?: string;
    /** Missing parts of the trace; absent where everything was recorded. */
    recorded?: Recorded;
    [more: string]: unknown;
}

/** The RunReport: the one result of a check, from which every format is rendered. Shapes only. */

interface ReportVerdict {
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
    disabled?: {
        reason: string;
        until?: string;
        from: string;
    };
}
/** An entry of `disable` in a project file, and whether it still holds. */
interface DisabledOutcome {
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
interface EvidenceCase {
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
interface AttestedAnswer {
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
interface ReportFeature {
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
interface ReportDeprecation {
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
interface WireEntry {
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
interface AreaScore {
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
interface LevelScore {
    level: Level;
    pass: number;
    fail: number;
    notExercised: number;
    notApplicable: number;
    error: number;
}
/** The best grade that a target can have, and why: a sentence without its beginning capital and full stop. */
interface GradeLimit {
    grade: string;
    why: string;
}
/** Requests that were sent without a deliberate fault, and those of them that were answered by a breakdown. */
interface RequestTally {
    /** Each counted once, however often it was asked again. */
    sent: number;
    unanswered: number;
    /** An HTTP status such as `502`, or words such as `the connection was lost`; the most frequent first. */
    causes: {
        cause: string;
        count: number;
    }[];
    /** Number of server processes that ended by themselves without a wrong request. */
    ended: number;
    /** Seqs of the first of the requests without an answer. */
    events: number[];
}
/** A revision that the target showed to speak. */
interface SpokenRevision {
    revision: string;
    era: Era;
    /** Which answers showed it, the first of each sort: a result of `initialize` or `server/discover`, or an error that lists what is supported. */
    evidence: {
        by: 'initialize' | 'server/discover' | 'error';
        events: number[];
    }[];
}
/** A revision that the target was asked for and does not speak. */
interface UnspokenRevision {
    revision: string;
    era: Era;
    /** The observation instead: a sentence without its full stop. */
    why: string;
    events: number[];
}
/** The result of a run for one revision of the specification. */
interface ReportPart {
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
    baseline?: {
        file: string;
        known: string[];
        fresh: string[];
        stale: string[];
    };
    /** What the project file disables, and what became of each entry; absent where it disables nothing. */
    disabled?: DisabledOutcome[];
    /** Where a run has several parts: the numbers that the events of this one have in the wire log; in its own trace they begin with 1. */
    events?: {
        first: number;
        last: number;
    };
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
interface RunReport {
    format: 'mcpc-run-report';
    version: 2;
    tool: {
        name: 'mcpc';
        version: string;
    };
    /** Name of the target for a reader, how it is reached, and what it said of itself. */
    target: {
        name: string;
        /** Present where no server of MCP was checked. */
        kind?: 'client' | 'authorization-server';
        command?: string[];
        url?: string;
        serverInfo?: {
            name?: string;
            version?: string;
            title?: string;
        };
        capabilities?: string[];
        /** The answered revision, if it differs from the requested one: only rules about versions were judged. */
        speaks?: string;
        /** SDK that it is made with, where it was recognised, and by what. */
        sdk?: {
            id: string;
            name: string;
            by: string;
            version?: string;
        };
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
    ruleSet: {
        digest: string;
        rules: number;
        set?: string;
        profile?: 'quick';
    };
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

/** Coverage of a server by suites. Shapes only. The first members are those that scripts around mcp-assert read. */
/** Things of one kind that a server lists. */
interface KindCoverage {
    total: number;
    covered: number;
    /** Rounded down; 100 when there is nothing to cover. */
    percentage: number;
    /** Names, sorted, with the number of requests. */
    uses: {
        name: string;
        count: number;
    }[];
    missing: string[];
}
interface ToolCoverage {
    name: string;
    /** Optional arguments that were given, and that never were. */
    arguments: {
        covered: string[];
        missing: string[];
    };
    /** Values of enumerations, as `unit=celsius`. */
    values: {
        covered: string[];
        missing: string[];
    };
    /** Called with arguments that do not fit its schema; null when no such arguments are known. */
    refusal: boolean | null;
    /** Answered with an error although the arguments fit, or expected to. */
    error: boolean;
}
interface CoverageReport {
    format: 'mcpc-coverage-report';
    version: 1;
    /** Tools. */
    total: number;
    covered: number;
    percentage: number;
    covered_tools: {
        name: string;
        assertions: number;
    }[];
    uncovered_tools: string[];
    /** `files`: what the cases say; `run`: what was sent. */
    counted: 'files' | 'run';
    prompts: KindCoverage;
    resources: KindCoverage;
    templates: KindCoverage;
    completions: KindCoverage;
    tools: ToolCoverage[];
    /** Features of the client that came into play. */
    client: Record<'sampling' | 'elicitation' | 'roots' | 'logging' | 'progress', boolean>;
    /** Suggested cases, the most important first. */
    next: string[];
}

/** The SuiteReport: the one result of a run of suites, from which every format is rendered. Shapes only. */

/**
 * `undecided`: for kept runs, and for the expectation `rule`, if the judged value was redacted. For calls of a
 * coprocess it is an error of the server, which only the calling test can judge. `empty`: the case asserts nothing.
 */
type CaseStatus = 'pass' | 'fail' | 'skip' | 'undecided' | 'empty';
interface SuiteFailure {
    /** The step, as `assert` or `setup[0]`; empty when the server could not be started. */
    step: string;
    /** The action, as `tools/call read_file`. */
    title: string;
    /** Name of the expectation; null when the step itself went wrong. */
    expectation: string | null;
    /** The fault, in the words that scripts match. */
    detail: string;
    expected: string | null;
    actual: string | null;
    /** Its place in the file. */
    line: number;
    column: number;
    /** The exchange that shows it; numbers count from the begin of the case. */
    evidence: WireEntry[];
}
/** A rule of the specification that the traffic of a case breaks. */
interface SuiteViolation {
    rule: string;
    level: string;
    /** `error` counts against compliance, `warning` and `info` never do. */
    severity: string;
    message: string;
    /** Address of the clause. */
    link: string | null;
}
interface SuiteTrial {
    trial: number;
    /** It failed and was run again (`--retries`): the next entry counts in its place. */
    repeated?: true;
    status: CaseStatus;
    durationMs: number;
    detail: string;
    failures: SuiteFailure[];
    /** Last lines of the server's stderr; only of trials that did not pass. */
    stderr: string[];
    /** Violations in the traffic; absent when it was not judged. */
    violations?: SuiteViolation[];
}
interface SuiteCaseReport {
    /** File and number in it. */
    id: string;
    name: string;
    file: string;
    line: number;
    form: 'assert' | 'native';
    /** Key of the block, as `assert_prompts`; of the native form `cases`. */
    block: string;
    /** The tool, prompt or resource under test. */
    about: string | null;
    tags: string[];
    /** Of all trials: failed when one failed. */
    status: CaseStatus;
    /** Of all trials together. */
    durationMs: number;
    /** Of the first trial that did not pass; why it was skipped. */
    detail: string;
    /** It both passed and failed. */
    flaky: boolean;
    trials: SuiteTrial[];
    /** Of its trials, where there are several. */
    times?: SuiteTimes;
    /** The command that runs it alone. */
    rerun: string;
    language?: string;
}
/** Times of several trials, in milliseconds. */
interface SuiteTimes {
    medianMs: number;
    p95Ms: number;
}
interface SuiteCounts {
    total: number;
    passed: number;
    failed: number;
    skipped: number;
    undecided: number;
    flaky: number;
    /** Cases that assert nothing; absent in older reports. */
    empty?: number;
}
interface SuiteReport {
    format: 'mcpc-suite-report';
    version: 1;
    tool: {
        name: 'mcpc';
        version: string;
    };
    /** Paths of the suites as they were named. */
    suites: string[];
    startedAt: string;
    durationMs: number;
    counts: SuiteCounts;
    /**
     * With several trials: cases that passed at least once and every time, names of those with both results, and the
     * times of all trials.
     */
    reliability: {
        trials: number;
        cases: number;
        capable: number;
        reliable: number;
        flaky?: string[];
        times?: SuiteTimes;
    } | null;
    cases: SuiteCaseReport[];
    /** Of cases that passed in the baseline and do not any more; entries that are gone or pass now. */
    baseline: {
        file: string;
        regressions: {
            name: string;
            was: string;
            is: string;
        }[];
        gone: string[];
        mended: string[];
    } | null;
    /** Coverage of the server by the run; absent when it was not counted. */
    coverage?: CoverageReport;
    /** Notes for the user that are not verdicts. */
    notices: string[];
    /** Why the run ended early; null when it did not. */
    incomplete: string | null;
}

type Json = Record<string, unknown>;
interface LockedEntry {
    hash: string;
    definition: Json;
}
type LockedList = Readonly<Record<string, LockedEntry>>;
interface ServerLock {
    revision: string;
    serverInfo: Json;
    capabilities: Json;
    /** Hash of the text; absent where the server sends none. */
    instructions?: string;
    instructionsText?: string;
    tools: LockedList;
    prompts: LockedList;
    resources: LockedList;
    resourceTemplates: LockedList;
    /** Hash over all of the above, by which a lock edited by hand is found. */
    hash: string;
}
interface LockFile {
    format: 'mcpc-lock';
    version: 1;
    servers: Readonly<Record<string, ServerLock>>;
}

/** Something that a client does when it is told to. */
interface ClientAct {
    act: 'connect' | 'list' | 'call' | 'read' | 'get' | 'complete' | 'subscribe' | 'set-level' | 'cancel' | 'end';
    /** list: tools, prompts, resources or templates, all pages of it. */
    of?: 'tools' | 'prompts' | 'resources' | 'templates';
    /** call: each tool that the client lists, where it is absent. */
    tool?: string;
    arguments?: Record<string, unknown>;
    name?: string;
    uri?: string;
    level?: string;
}

/**
 * The judge: takes trace events in order, gives a verdict for each rule. It reads the trace and nothing else,
 * holds what verdicts need and no more, and does not know who made the events.
 */

type Evaluator = 'fast' | 'engine';

/**
 * Information from a user about a target that cannot be discovered. Shapes only; the file is
 * rules/language/hints.schema.json.
 */
interface ToolHint {
    /** Arguments for every call that is meant to succeed. */
    arguments?: Record<string, unknown>;
    /** `never`: the tool is left alone; `allowed`: it may be called although it looks as if it did damage. */
    call?: 'never' | 'allowed';
    slow?: boolean;
    /** Resource that shows how far a slow call is. */
    seenIn?: string;
    progress?: boolean;
    logs?: boolean;
    fails?: boolean;
    /** Questions that a call makes the server ask its client. */
    asks?: ('sampling' | 'elicitation' | 'roots')[];
    /** Contents that forms are accepted with which a call asks for, by input key (2026-07-28). */
    answers?: Record<string, Record<string, unknown>>;
    /** Lists that a call changes. */
    changesLists?: ('tools' | 'prompts' | 'resources')[];
    /** Resource that a call changes. */
    changesResource?: string;
}
interface PromptHint {
    arguments?: Record<string, string>;
    call?: 'never';
}
interface CompletionHint {
    prompt?: string;
    template?: string;
    argument: string;
    value: string;
}
interface Hints {
    /** Where they come from, for messages. */
    file: string;
    tools: Record<string, ToolHint>;
    prompts: Record<string, PromptHint>;
    resources: {
        read: string[];
        never: string[];
    };
    /** Values of the variables, by template. */
    templates: Record<string, Record<string, string>>;
    completions: CompletionHint[];
    /** Contents that forms are accepted with, by input key, whatever asks for them. */
    answers?: Record<string, Record<string, unknown>>;
}

/** Options of a check. Shapes only; commands fill them in from flags. */

/** Which rules take part. */
interface RuleSelection {
    /** Areas, rule ids or globs over ids; empty means all. */
    only: string[];
    skip: string[];
    /** Weakest level that takes part. */
    level?: 'must' | 'should' | 'may';
    /** Name of a frozen requirement set in rules/sets. */
    set?: string;
    /** Paths or globs of a user's own rule files, and paths of requirement files. */
    houseRules: string[];
    houseRequirements: string[];
    /** Paths of a user's own files of derived facts. */
    houseFacts?: string[];
    /** Runs the code that the user's rules bring. */
    rulesCode?: boolean;
}
interface CheckProgress {
    stage: 'connecting' | 'probing' | 'judging';
    done: number;
    total: number;
}

/** The end of a linked pair that a server is connected to. It has the shape of `Transport` of SDK 1.x and 2.x. */
interface LinkedTransport {
    onmessage?: (message: never, extra?: never) => void;
    onclose?: () => void;
    onerror?: (error: Error) => void;
    sessionId?: string;
    start(): Promise<void>;
    send(message: unknown, options?: unknown): Promise<void>;
    close(): Promise<void>;
}
/** `McpServer` and `Server` of SDK 1.x and 2.x, and whatever else can be connected to a transport of theirs. */
interface ServerObject {
    connect(transport: never): Promise<unknown>;
    close?(): Promise<unknown>;
}
/**
 * Makes a server for one connection. It gets the transport, for functions such as `serveStdio` of SDK 2.x that connect by
 * themselves; a server object that it returns is connected to it.
 */
type ServerFactory = (transport: LinkedTransport) => unknown;

/** A server that mcpc starts and talks to on stdio. */
interface CommandTarget {
    /** A command line with the quoting of a POSIX shell, or its words; no shell is started. */
    command: string | readonly string[];
    cwd?: string;
    /** Added to the environment of this process. */
    env?: Readonly<Record<string, string>>;
}
/** A server that is reached over HTTP. */
interface UrlTarget {
    url: string;
    /** Streamable HTTP, then HTTP+SSE, when absent. */
    transport?: 'http' | 'sse';
    headers?: Readonly<Record<string, string>>;
    /** Access token, sent as a bearer token. */
    token?: string;
    /** Command that starts the server; `{{port}}` in it, in `env` and in `url` becomes a free port. */
    serve?: string;
    cwd?: string;
    env?: Readonly<Record<string, string>>;
}
/** A server of a configuration of an MCP client, such as .mcp.json. */
interface ConfiguredTarget {
    config: string;
    /** Name of the server there; the only one when absent. */
    server?: string;
}
/** A target: an address, a command line, its words, an object that says more, or a server in this process. */
type TargetOption = string | readonly string[] | CommandTarget | UrlTarget | ConfiguredTarget | ServerObject | ServerFactory;

/** Which rules a program chooses. */

/** As the flags of the same names of `mcpc check` and `mcpc judge`. */
interface RuleOptions {
    /** Areas, ids of rules, globs over them, or ids of requirements; all when absent. */
    only?: readonly string[];
    skip?: readonly string[];
    /** Lowest level of the requirements that are judged. */
    level?: 'must' | 'should' | 'may';
    /** A frozen set of requirements. */
    set?: string;
    /** Paths or globs of rule files of your own, of requirements, and of derived facts. */
    rules?: readonly string[];
    requirements?: readonly string[];
    facts?: readonly string[];
    /** Runs the code that your own rules bring (`<rule>.facts.mjs`), in this process; false when absent. */
    rulesCode?: boolean;
}

interface CheckOptions extends RuleOptions {
    /** Name of the server in the report. */
    name?: string;
    /** The revision, several of them, or `each` that the server speaks; the newest that it speaks when absent. */
    spec?: Revision | 'auto' | 'each' | readonly Revision[];
    /** `quick` asks only what one connection decides without waiting. */
    profile?: 'full' | 'quick';
    /** Path of a hints file (docs/hints.md), or what would stand in one. */
    hints?: string | Hints;
    /** Connections at a time. */
    jobs?: number;
    /** Most requests a second. */
    maxRate?: number;
    /** Milliseconds until the first response, and until each later one. */
    startTimeoutMs?: number;
    timeoutMs?: number;
    /** Milliseconds for the whole check, after which the report is incomplete; 600,000 when absent. */
    checkTimeoutMs?: number;
    /** Call also tools that may change something. */
    allowDestructive?: boolean;
    /** Tools that may always be called, and those that never are: names, or globs over them. */
    allowTools?: readonly string[];
    denyTools?: readonly string[];
    /** Where to write the trace. A file that is there is replaced. */
    traceFile?: string;
    /** Ends the check, which then rejects. */
    signal?: AbortSignal;
    onProgress?(progress: CheckProgress): void;
    /** Called with each line that the server writes to stderr, without secrets. */
    onStderr?(line: string): void;
    /** Called with what a reader should know and is no verdict. */
    onNotice?(line: string): void;
}

type ErrorStage = 'usage' | 'target' | 'internal' | 'interrupted';
declare class McpcError extends Error {
    readonly stage: ErrorStage;
    /** Remedy for the reader, one sentence. */
    readonly remedy: string | undefined;
    constructor(stage: ErrorStage, message: string, options?: {
        remedy?: string;
        cause?: unknown;
    });
    get exitCode(): number;
}

/** Formats that can be named on the command line. */
declare const captureFormats: readonly ["inspector", "jsonrpc", "streamable-http", "http-sse", "har", "claude-log", "vscode-log", "rows", "cassette"];
type CaptureFormat = (typeof captureFormats)[number];

interface WireChoice {
    format?: CaptureFormat | undefined;
    transport?: TransportKind | undefined;
    /** Revision of the conversation, given by the user. */
    revision?: string | undefined;
    strict?: boolean | undefined;
    keepSecrets?: boolean | undefined;
    /** Key of the stand-ins for session ids, so that two readings agree. */
    key?: Buffer;
}

/** `lock`: what a server offers, read live or from a recording. */

/** A recorded conversation in place of a server: a trace, or a capture of another tool. */
interface RecordedTarget {
    recording: string;
    /** Format of a capture, as `--from` of `mcpc judge`; found out when absent. */
    from?: WireChoice['format'];
}
interface LockOptions {
    spec?: Revision | 'auto';
    /** Milliseconds until the first response, and until each later one. */
    startTimeoutMs?: number;
    timeoutMs?: number;
    /** Names of other clients under which the lists are asked for as well. */
    as?: readonly string[];
    /** Ends the reading, which then rejects. */
    signal?: AbortSignal;
    /** Called with each line that the server writes to stderr, without secrets. */
    onStderr?(line: string): void;
    /** Called with what a lock cannot hold: lists that differed within the run, and what a recording lacks. */
    onNotice?(line: string): void;
}

interface JudgeTraceOptions {
    selection: RuleSelection;
    /** Whose behaviour is judged; by default the server's, and the client's in a trace of `mcpc client`. */
    role?: 'server' | 'client' | 'both';
    /** Evaluator of conditions; the fast path when absent. */
    evaluator?: Evaluator;
    toolVersion: string;
    /** Called with warnings for readers of the report, and with the progress of a long judgement. */
    note?: (text: string) => void;
    /** Revision to judge a trace by that shows none. */
    revision?: string;
}
interface JudgeFileOptions extends JudgeTraceOptions {
    /** Format of a file that is not a trace of mcpc. */
    capture: Pick<WireChoice, 'format' | 'transport' | 'revision' | 'strict' | 'keepSecrets'>;
    note: (text: string) => void;
}

/** `judge`: verdicts from a saved trace or a capture of another tool, without the target. */

interface JudgeOptions extends RuleOptions {
    /** Whose behaviour is judged; the server's when absent. */
    role?: 'server' | 'client' | 'both';
    /** Format of a capture, as `--from` of `mcpc judge`; found out when absent. */
    from?: JudgeFileOptions['capture']['format'];
    /** Transport and revision of a capture that does not name them. */
    transport?: JudgeFileOptions['capture']['transport'];
    spec?: string;
    /** Called with what a reader should know and is no verdict. */
    onNotice?(line: string): void;
}

interface ReplayReport {
    format: 'mcpc-replay-report';
    version: 1;
    recording: string;
    clients: number;
    requests: number;
    /** Requests that got what was recorded. */
    served: number;
    /** Requests that were not recorded, each with how often it came. */
    missed: {
        words: string;
        times: number;
    }[];
    /** Questions of the server whose answers were others than recorded. */
    otherAnswers: {
        method: string;
        times: number;
    }[];
    /** Recorded requests that no client asked for. */
    unused: string[];
    faults: Record<string, number>;
}

/** `replay`: a recording that serves as the server, in this process. */

interface ReplayOptions {
    /** Format of a capture, as `--from` of `mcpc judge`; found out when absent. */
    from?: WireChoice['format'];
    /** Streams of a client on stdio; without them the recording is served over HTTP. */
    streams?: {
        input: Readable;
        output: Writable;
    };
    /** Of HTTP: Streamable HTTP when absent, at a free port of 127.0.0.1. */
    transport?: 'http' | 'sse';
    host?: string;
    port?: number;
    /** Parts of a request that must be equal; `params` when absent. */
    match?: 'params' | 'method' | 'order';
    /** JSONPath within params whose value does not count. */
    ignore?: readonly string[];
    /** Serve equal requests no more often than recorded, and hold the client's answers to the recorded ones. */
    strict?: boolean;
    /** 0 without waiting, 1 as recorded, 2 twice as fast; 0 when absent. */
    speed?: number;
    /** Unrecorded requests get an error, or the response of an empty server; `error` when absent. */
    onMiss?: 'error' | 'plain';
    /** As `--fault`: `latency=300ms,rate=0.1,tool=search`. */
    faults?: readonly string[];
    seed?: number;
    /** Ends the replay. */
    signal?: AbortSignal;
}
/** A recording that is served. */
interface Replaying {
    /** Address of the endpoint; absent with `streams`. */
    readonly url?: string;
    /** Missing parts of the recording, in a line. */
    readonly lacks?: string;
    /** Requests so far, and unrecorded ones among them. */
    report(): ReplayReport;
    /** Resolves when it has ended: by `close`, the signal, or the end of `streams.input`. */
    readonly ended: Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

/** Description of a case before it runs. */
interface SuiteCaseInfo {
    id: string;
    name: string;
    file: string;
    line: number;
    tags: readonly string[];
}
interface SuiteOptions {
    /** Takes the place of the servers of the files. A server object has to be given as a function that makes one. */
    target?: TargetOption;
    /** Go deeper than one folder. */
    recursive?: boolean;
    /** Unknown properties in the files are errors. */
    strict?: boolean;
    /** Refuse steps that run programs. */
    noCommands?: boolean;
    /** Globs, or patterns as /regex/, over names; or ids. */
    filter?: readonly string[];
    tags?: readonly string[];
    skipTags?: readonly string[];
    /** As `2/4`. */
    shard?: string;
    /** Folder of files to copy for each case. */
    fixture?: string;
    /** Number of runs of each case, and of repetitions of a failed trial. */
    trials?: number;
    retries?: number;
    /** Cases at a time. */
    jobs?: number;
    /** End after so many failed cases. */
    bail?: number;
    /** Milliseconds for a case that names no limit; 30,000 when absent. */
    timeoutMs?: number;
    /** Which cases share a server; `fresh` (none) when absent. */
    session?: 'fresh' | 'auto' | 'file' | 'suite';
    /** Judge the traffic of the cases by the specification, too. */
    conformance?: 'off' | 'warn' | 'fail';
    /** Report every unmet expectation, not only the first of a case. */
    allExpectations?: boolean;
    spec?: Revision | 'auto';
    /** Where to write the trace of the run. */
    traceFile?: string;
    /** Environment of the servers; that of this process when absent. */
    env?: NodeJS.ProcessEnv;
    /** Ends the run: cases that were not begun are left out, and the report is incomplete. */
    signal?: AbortSignal;
    onBegin?(one: SuiteCaseInfo): void;
    /** Called with each case as it ends, in the order of the files. */
    onCase?(report: SuiteCaseReport): void;
    /** Called with what is doubtful in the files, with file, line and column. */
    onNotice?(line: string): void;
}

/** The server of one start, for a client to connect to. */
interface ClientServer {
    transport: TransportKind;
    /** http and sse: the address. Empty over stdio. */
    url: string;
    /** stdio: the command of the server and its arguments. Empty over HTTP. */
    command: readonly string[];
    /** The revision to ask for, where one is pinned. */
    protocolVersion?: string;
    /** Name of the start, as the trace and the report have it. */
    start: string;
    /** Everything that is to be done, in order; the other functions are called for it. */
    acts: readonly ClientAct[];
    /** The value of MCP_CONFORMANCE_CONTEXT of the official conformance suite: the scenario as `name`, credentials. */
    context: Readonly<Record<string, unknown>> & {
        readonly name: string;
    };
    /** Aborted when the start is over. */
    signal: AbortSignal;
}
/** The abilities of a client. Acts without a function are left out, and the report lists them. */
interface ClientFunctions<C = unknown> {
    /** Connects a client of its own for each start. A client may be anything; it is handed to the other functions. */
    connect(server: ClientServer): C | Promise<C>;
    /** Each list with all its pages. Of the tools that it returns, each may be called. */
    listTools?(client: C): unknown;
    listPrompts?(client: C): unknown;
    listResources?(client: C): unknown;
    listResourceTemplates?(client: C): unknown;
    callTool?(client: C, call: {
        name: string;
        arguments: Record<string, unknown>;
    }): unknown;
    /** Calls the tool and cancels the call while it is under way. */
    cancelTool?(client: C, call: {
        name: string;
        arguments: Record<string, unknown>;
    }): unknown;
    readResource?(client: C, resource: {
        uri: string;
    }): unknown;
    subscribeResource?(client: C, resource: {
        uri: string;
    }): unknown;
    getPrompt?(client: C, prompt: {
        name: string;
        arguments: Record<string, string>;
    }): unknown;
    complete?(client: C, params: Record<string, unknown>): unknown;
    setLevel?(client: C, level: string): unknown;
    /** Called at the end of each start, whatever came before. */
    close?(client: C): unknown;
}

interface CheckClientOptions extends RuleOptions {
    /** Name of the client in the report. */
    name?: string;
    transport?: 'http' | 'stdio' | 'sse';
    /**
     * The revision to judge by. `auto`, when absent: the revision of the client's own request, and each older revision that it accepts,
     * as further parts of the report. `newest`: without older revisions.
     */
    spec?: Revision | 'auto' | 'newest';
    /** Of a command: its working directory, and what is added to the environment of this process. */
    cwd?: string;
    env?: Readonly<Record<string, string>>;
    /** Longest time of each start of the client, in milliseconds; 30,000 when absent. */
    startTimeoutMs?: number;
    /** Longest time of the whole check, in milliseconds, after which the report is incomplete; unlimited when absent. */
    timeoutMs?: number;
    /** Of a command: starts at the same time; as many as there are processors, at most 4, when absent. */
    jobs?: number;
    /** `quick`: only the first start, by the newest revision. */
    profile?: 'quick' | 'full';
    /**
     * Where to write the trace. A file that is there is replaced. Each older revision gets a file of its own, with the
     * revision in its name.
     */
    traceFile?: string;
    /** Ends the check, which then rejects. */
    signal?: AbortSignal;
    /** Called before each start. The number of all starts (`of`) is absent before the revision is known; `revision` is an older revision that is tried. */
    onStart?(start: {
        number: number;
        of?: number;
        title: string;
        revision?: string;
    }): void;
    /** Called with what the client prints, and with errors of its functions. */
    onPrint?(line: string): void;
}

/** A session with a server, for a program. Shapes only. */

type JsonObject = Record<string, unknown>;
/** The error object of a JSON-RPC response. */
interface ReplyError {
    code: unknown;
    message: string;
    data?: unknown;
}
/** Outcome of a request. A response with an error is a reply as well: nothing is thrown for it. */
interface Reply {
    readonly method: string;
    readonly params: JsonObject | undefined;
    /** The result; undefined where the response is an error. */
    readonly result: JsonObject | undefined;
    readonly error: ReplyError | undefined;
    /** Milliseconds from the request to its response. */
    readonly durationMs: number;
}
/** A list with all its pages. */
interface ListReply extends Reply {
    /** The entries; none where the response is an error. */
    readonly items: readonly JsonObject[];
}
interface Notification {
    readonly method: string;
    readonly params: JsonObject | undefined;
}
interface AskOptions {
    /** Milliseconds until the request counts as unanswered; that of the session when absent. */
    timeoutMs?: number;
    /** Gives the request up, and cancels it at the server. */
    signal?: AbortSignal;
    /** Ask for notifications of progress. */
    progress?: boolean;
}
type ListKind = 'tools' | 'resources' | 'templates' | 'prompts';
/** A conversation so far, as a trace file would hold it; secrets are taken out. */
interface SessionTrace {
    header: TraceHeader;
    events: TraceEvent[];
}
/**
 * An open connection. A request without any response (the server ended, no response within the time limit) rejects with
 * McpcError of stage `target`.
 */
interface Session extends AsyncDisposable {
    /** Name of the server, for messages. */
    readonly name: string;
    readonly revision: Revision;
    /** The result of the handshake: `initialize`, or `server/discover`. */
    readonly handshake: JsonObject;
    /** Why the connection is over; undefined while it is open. */
    readonly over: string | undefined;
    /** Sends any request unchanged, even if the revision lacks the method. */
    request(method: string, params?: JsonObject, options?: AskOptions): Promise<Reply>;
    /** Calls a tool. */
    call(tool: string, args?: JsonObject, options?: AskOptions): Promise<Reply>;
    list(kind: ListKind, options?: AskOptions): Promise<ListReply>;
    /** Reads a resource. */
    read(uri: string, options?: AskOptions): Promise<Reply>;
    /** Gets a prompt. */
    get(prompt: string, args?: Readonly<Record<string, string>>, options?: AskOptions): Promise<Reply>;
    /** Asks for completions of an argument of a prompt or a resource template. */
    complete(ref: {
        prompt: string;
    } | {
        template: string;
    }, argument: {
        name: string;
        value: string;
    }, options?: AskOptions & {
        context?: Readonly<Record<string, string>>;
    }): Promise<Reply>;
    notify(method: string, params?: JsonObject): void;
    /**
     * Notifications of the server so far.
     * @param method only these
     */
    notifications(method?: string): Notification[];
    trace(): SessionTrace;
    /** Results of the rules of the specification for the conversation so far; the session continues. */
    verdicts(rules?: RuleOptions): Promise<ReportVerdict[]>;
    /** The same as the report of a check. Much of it is not exercised: nothing was sent but what the program asked for. */
    report(rules?: RuleOptions): Promise<RunReport>;
    /** Ends the connection, and what was started for it; calling it again waits for the same end. */
    close(): Promise<void>;
}

interface ConnectOptions {
    /** Name of the server in messages and traces. */
    name?: string;
    /** The revision to speak; the newest that the server takes in a handshake when absent. */
    spec?: Revision | 'auto';
    /** Milliseconds until the handshake is done; 30,000 when absent. */
    startTimeoutMs?: number;
    /** Milliseconds until a request counts as unanswered; 10,000 when absent. */
    timeoutMs?: number;
    /** Capabilities and answers of the client, as in `client_capabilities` of a suite (docs/suites.md). */
    client?: JsonObject;
    /** After an error, list what the server offers, so that a failed expectation can name it. */
    listOnError?: boolean;
    /** Where to write the trace. */
    traceFile?: string;
    /** Ends the session. */
    signal?: AbortSignal;
    /** Called with each line that the server writes to stderr, without secrets. */
    onStderr?(line: string): void;
    onNotification?(notification: Notification): void;
}

/** `mcpc/client`: a client to talk to a server with, and the check of clients, to which mcpc is the server. */

/**
 * Starts or reaches a server and does the handshake. The server may be an object of SDK 1.x or 2.x in this process.
 * @throws McpcError of stage `usage` for invalid options, `target` for a server that cannot be reached or does not
 * speak MCP, `interrupted` once the signal was given
 */
declare function connect(target: TargetOption, options?: ConnectOptions): Promise<Session>;
/**
 * Checks a client against the specification, as `mcpc client` does: mcpc is the server, and hands its address to
 * `connect` in each of several starts. Errors of the functions are left to the client; its messages decide.
 * @throws McpcError of stage `usage` for invalid options, `target` for a client that never connects, `interrupted` once
 * the signal was given
 */
declare function checkClient<C>(client: ClientFunctions<C> | readonly string[], options?: CheckClientOptions): Promise<RunReport>;

/**
 * From the gravest on. `security`: a text that a model reads, or a promise to a client, changed. `breaking`: a working
 * caller may fail, or that is unknown. `additive`: callers keep working. `cosmetic`: only words for people.
 */
declare const changeClasses: readonly ["security", "breaking", "additive", "cosmetic"];
type ChangeClass = (typeof changeClasses)[number];
interface Change {
    class: ChangeClass;
    /** `tool`, `prompt`, `resource`, `resource template` or `server`. */
    what: string;
    /** Name of the entry; of the server itself the member. */
    name: string;
    /** Place within the definition, a JSON Pointer; empty for the whole. */
    at: string;
    /** A sentence without a full stop. */
    says: string;
    /** Texts to compare word by word. */
    before?: string;
    after?: string;
}
/** @returns the changes from the gravest on; empty for equal locks */
declare function compareLocks(before: ServerLock, after: ServerLock): Change[];

/** `mcpc`: check, judge and lock servers, run suites, serve recordings and talk to a server, from a program. Each part is loaded when it is used. */

/**
 * Checks a server against the specification, as `mcpc check` does. It writes nothing to stdout or stderr.
 * @throws McpcError of stage `usage` for invalid options, `target` for a server that cannot be reached or sends
 * nothing, `interrupted` once the signal was given
 */
declare function check(target: TargetOption, options?: CheckOptions): Promise<RunReport>;
/**
 * Judges a saved trace, or a capture of another tool, as `mcpc judge` does.
 * @throws McpcError of stage `usage` for an unreadable file, or invalid options
 */
declare function judge(file: string, options?: JudgeOptions): Promise<RunReport>;
/**
 * Runs suites, as `mcpc run` does. It writes nothing to stdout or stderr.
 * @param paths a file or folder, or several
 * @throws McpcError of stage `usage` naming file, line and column of faults in the files
 */
declare function runSuite(paths: string | readonly string[], options?: SuiteOptions): Promise<SuiteReport>;
/** The cases that a run with these options would have; starts nothing. @throws McpcError usage as runSuite */
declare function listCases(paths: string | readonly string[], options?: SuiteOptions): Promise<SuiteCaseInfo[]>;
/**
 * Reads what a server offers, or offered in a recording, as `mcpc drift lock` does. It calls no tool and writes
 * nothing. `compareLocks` returns the changes between two.
 * @throws McpcError of stage `usage` for invalid options or an unusable recording, `target` for a server that cannot be
 * reached or returns no lists, `interrupted` once the signal was given
 */
declare function lock(target: TargetOption | RecordedTarget, options?: LockOptions): Promise<ServerLock>;
/**
 * Serves a recording, as `mcpc replay` does: a trace, or a capture of another tool. It writes nothing to stdout or
 * stderr.
 * @throws McpcError of stage `usage` for an unreadable file or invalid options, `interrupted` for an earlier signal
 */
declare function replay(file: string, options?: ReplayOptions): Promise<Replaying>;

export { McpcError, check, checkClient, compareLocks, connect, judge, listCases, lock, replay, runSuite };
export type { AskOptions, Change, ChangeClass, CheckClientOptions, CheckOptions, CheckProgress, ClientAct, ClientFunctions, ClientServer, CommandTarget, ConfiguredTarget, ConnectOptions, Hints, JsonObject, JudgeOptions, LinkedTransport, ListKind, ListReply, LockFile, LockOptions, LockedEntry, LockedList, Notification, RecordedTarget, ReplayOptions, ReplayReport, Replaying, Reply, ReplyError, ReportVerdict, Revision, RuleOptions, RunReport, ServerFactory, ServerLock, ServerObject, Session, SessionTrace, SuiteCaseInfo, SuiteCaseReport, SuiteOptions, SuiteReport, TargetOption, TraceEvent, TraceHeader, UrlTarget };
