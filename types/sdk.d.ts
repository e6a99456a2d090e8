/// <reference lib="esnext.disposable" />
/** Result of a call. */
interface Verdict {
    /** The tool reported no error. */
    success: boolean;
    /** Structured content. */
    data: unknown;
    /** The text blocks, joined by newlines; null where there are none. */
    text: string | null;
    /** The error that the tool reported; null without one. */
    error: unknown;
    duration_ms: number;
}
interface CallResult extends Verdict {
    /** The result of tools/call as the server sent it; null where the binary sent a verdict instead. */
    result: Readonly<Record<string, unknown>> | null;
}

interface CoprocessOptions {
    /** Command of the server under test: words, or a command line with the quoting of a POSIX shell. */
    server?: string | readonly string[];
    /** Address of the server under test, in place of `server`. Of mcpc alone, not of every binary that speaks v2. */
    url?: string;
    /** Path of the binary; else MCPC_BIN, MCPTEST_BIN, that of this package, or mcpc or mcptest on PATH. */
    binary?: string;
    /** Further flags of `mcpc exec`, such as `--trace FILE`. */
    args?: readonly string[];
    cwd?: string;
    /** Whole environment of the coprocess and the server; that of this process when absent. */
    env?: Record<string, string | undefined>;
    /** Milliseconds until a request that names no deadline of its own is given up; none when absent. */
    timeoutMs?: number;
    /** Milliseconds for the handshake of a binary; 30,000 when absent. */
    startTimeoutMs?: number;
    /** Ends the coprocess when it is given. */
    signal?: AbortSignal;
    /** Called with what the coprocess and the server write to stderr. */
    onStderr?(text: string): void;
}
interface RequestOptions {
    /** Milliseconds until a missing response is an error for the caller; the coprocess may still be at work. */
    timeoutMs?: number;
    /** Gives the request up. */
    signal?: AbortSignal;
}
/** Result of the handshake. */
interface BinaryInfo {
    protocol_version: number;
    binary_version: string;
}
type ListToolsResult = {
    tools: Record<string, unknown>[];
} & Record<string, unknown>;
type ListResourcesResult = {
    resources: Record<string, unknown>[];
} & Record<string, unknown>;
type ReadResourceResult = {
    contents: Record<string, unknown>[];
} & Record<string, unknown>;
type PromptResult = {
    messages: Record<string, unknown>[];
} & Record<string, unknown>;
type CacheMode = 'off' | 'read' | 'write' | 'readwrite';
type CassetteMode = 'off' | 'record' | 'replay' | 'auto';
/**
 * One coprocess, and with it one server under test. `start` makes one; `close`, or the end of an `await using` block, ends
 * it and the server.
 */
declare class Coprocess {
    #private;
    /** The binary's description of itself. */
    readonly binary: BinaryInfo;
    private constructor();
    /**
     * Starts the binary and shakes hands; the server starts with the first request for it.
     * @throws CoprocessDied when there is no binary or it ends, VersionMismatch when it speaks another version
     */
    static start(options: CoprocessOptions): Promise<Coprocess>;
    /** The result of the server's initialize, or of its server/discover. */
    initialize(options?: RequestOptions): Promise<Record<string, unknown>>;
    /**
     * Calls a tool. An error that the tool reports is a result with `success: false`.
     * @throws UpstreamError for a JSON-RPC error and for no response, UpstreamGone when the server is gone
     */
    call(tool: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<CallResult>;
    /** All pages of tools/list. */
    listTools(options?: RequestOptions): Promise<ListToolsResult>;
    /** All pages of resources/list. */
    listResources(options?: RequestOptions): Promise<ListResourcesResult>;
    readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
    callPrompt(prompt: string, args?: Record<string, string>, options?: RequestOptions): Promise<PromptResult>;
    /** Kept by the binary; mcpc uploads nothing. */
    setUpload(upload: {
        enabled: boolean;
        url?: string;
    }): Promise<void>;
    /** Writes the reports that `args` asked for, about the requests so far. */
    flushReports(): Promise<void>;
    setCacheMode(mode: CacheMode): Promise<void>;
    /** @param path of the trace file; needed unless the mode is off */
    setCassetteMode(mode: CassetteMode, path?: string): Promise<void>;
    /** Ends the server and the coprocess. Never rejects; calling it again waits for the same end. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

/** The SDK's part of the coprocess protocol. It imports nothing of mcpc: any binary that speaks v2 will do. */
/** The version that this SDK speaks; mcpc has the same number, and a test holds them equal. */
declare const COPROCESS_PROTOCOL_VERSION = 2;
/** One line of the protocol, as it was received. */
type Frame = Readonly<Record<string, unknown>>;

/** Errors of the SDK. Each has the frame that caused it, where one did. */

/** Base class of all of them; also an error of the protocol without its own class, such as invalid params. */
declare class CoprocessError extends Error {
    name: string;
    /** The response, or undefined where none came. */
    readonly frame: Frame | undefined;
    constructor(message: string, frame?: Frame, options?: ErrorOptions);
    /** Code of the error in the frame. */
    get code(): number | undefined;
    /** Data of the error in the frame. */
    get data(): unknown;
}
/** The binary speaks another version of the protocol; the message says which side to upgrade. */
declare class VersionMismatch extends CoprocessError {
    name: string;
}
/** The binary sent what the protocol does not have: an unknown property, a line that is no response. */
declare class ContractDrift extends CoprocessError {
    name: string;
}
/** The server under test answered with an error, or not in time (-32000). */
declare class UpstreamError extends CoprocessError {
    name: string;
}
/** The connection to the server under test is over (-32001); every further call fails in the same way. */
declare class UpstreamGone extends CoprocessError {
    name: string;
}
/** The coprocess could not be started, or ended before it answered. */
declare class CoprocessDied extends CoprocessError {
    name: string;
}
/** A request was not answered within the deadline of its caller. */
declare class DeadlineExceeded extends CoprocessError {
    name: string;
}

/**
 * The lanes of suites that no SDK runs, and the commands that do. One list: mcpc prints the same words for the lanes that
 * `mcpc run` leaves out.
 */
/** Keys of a suite that have no request in the coprocess protocol. Report each that a suite declares as skipped, with `laneSkipReason`. */
declare const UNSUPPORTED_SDK_LANES: readonly ["agents", "compliance", "security", "evals"];
type UnsupportedLane = (typeof UNSUPPORTED_SDK_LANES)[number];
/** The command that runs a lane. @param suite path of the suite; a placeholder when absent */
declare function laneCliHint(lane: UnsupportedLane, suite?: string): string;
/** One line for a report: why a lane is skipped, and what runs it. */
declare function laneSkipReason(lane: UnsupportedLane, suite?: string): string;
/** The lanes among the keys of a suite that have to be reported as skipped. @param suite a parsed suite */
declare function unsupportedLanes(suite: Readonly<Record<string, unknown>>): UnsupportedLane[];

export { COPROCESS_PROTOCOL_VERSION, ContractDrift, Coprocess, CoprocessDied, CoprocessError, DeadlineExceeded, UNSUPPORTED_SDK_LANES, UpstreamError, UpstreamGone, VersionMismatch, laneCliHint, laneSkipReason, unsupportedLanes };
export type { BinaryInfo, CacheMode, CallResult, CassetteMode, CoprocessOptions, Frame, ListResourcesResult, ListToolsResult, PromptResult, ReadResourceResult, RequestOptions, UnsupportedLane, Verdict };
