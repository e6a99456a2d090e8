/// <reference lib="esnext.disposable" />
interface MatcherResult {
    pass: boolean;
    message(): string;
    expected?: unknown;
    actual?: unknown;
}

/** The response is a result, and of a tool no error of the tool. */
declare function toSucceed(received: unknown): MatcherResult;
/** The tool reports an error of its own: a result with `isError`. @param text part of what it says, or a pattern */
declare function toBeToolError(received: unknown, text?: string | RegExp): MatcherResult;
/** The response is an error. @param expected its code, a part of its message or a pattern, and a part of its data */
declare function toFailWith(received: unknown, expected?: {
    code?: number;
    message?: string | RegExp;
    data?: unknown;
}): MatcherResult;
/** A text of the result contains this: content of a tool, contents of a resource, messages of a prompt. */
declare function toContainText(received: unknown, text: string | RegExp): MatcherResult;
/** The structured content has all of this; objects may have more properties. */
declare function toMatchStructured(received: unknown, expected: unknown): MatcherResult;
/** One of the blocks of content has all of this, as `{ type: 'image', mimeType: 'image/png' }`. */
declare function toHaveContent(received: unknown, expected: Readonly<Record<string, unknown>> | string): MatcherResult;
/** The response came within so many milliseconds. */
declare function toRespondWithin(received: unknown, ms: number): MatcherResult;

/** The server lists the tool. @param expected what its definition has, as `{ annotations: { readOnlyHint: true } }` */
declare function toHaveTool(received: unknown, name: string, expected?: Readonly<Record<string, unknown>>): Promise<MatcherResult>;
/**
 * The structured content of a reply fits a schema: the output schema of the tool, as the server lists it, or the one
 * given.
 */
declare function toFitOutputSchema(received: unknown, schema?: unknown): Promise<MatcherResult>;
/**
 * No matching rule is broken by the conversation so far.
 * @param patterns areas, ids of rules, or globs over them
 * @throws McpcError usage for a pattern without a matching rule, and if the conversation decides none of them
 */
declare function toObey(received: unknown, ...patterns: string[]): Promise<MatcherResult>;
/** No rule of severity `error` is broken: of a session so far, or in a report of `check` or `judge`. */
declare function toBeCompliant(received: unknown): Promise<MatcherResult>;

interface SnapshotOptions {
    /** Distinguishes the snapshots of one test; the request when absent. */
    name?: string;
    /** JSON paths of what may differ at any time, as `$.items[*].id`. */
    volatile?: readonly string[];
    /** The file of snapshots, and the test, where no runner says so. */
    file?: string;
    test?: string;
}
/** Data about the test that vitest and Jest pass to a matcher. */
interface TestState {
    testPath?: string;
    currentTestName?: string;
    snapshotState?: {
        _updateSnapshot?: unknown;
    };
}
/**
 * The reply is what is stored of it, without times, ids, ports, paths and the like. What is not stored yet is stored,
 * except in CI; `vitest -u`, `jest -u`, or MCPC_UPDATE_SNAPSHOTS=1 replaces what differs.
 */
declare function toMatchMcpSnapshot(this: TestState | void, received: unknown, given?: SnapshotOptions | string): MatcherResult;

/** For `expect.extend(matchers)` of vitest and Jest. */
declare const matchers: {
    toSucceed: typeof toSucceed;
    toBeToolError: typeof toBeToolError;
    toFailWith: typeof toFailWith;
    toContainText: typeof toContainText;
    toMatchStructured: typeof toMatchStructured;
    toFitOutputSchema: typeof toFitOutputSchema;
    toHaveTool: typeof toHaveTool;
    toHaveContent: typeof toHaveContent;
    toRespondWithin: typeof toRespondWithin;
    toMatchMcpSnapshot: typeof toMatchMcpSnapshot;
    toObey: typeof toObey;
    toBeCompliant: typeof toBeCompliant;
};
/** The matchers as `expect(received)` has them. @typeParam R what those give that are decided at once */
interface McpcMatchers<R = void> {
    /** The response is a result, and of a tool no error of the tool. */
    toSucceed(): R;
    /** The tool reports an error of its own: a result with `isError`. */
    toBeToolError(text?: string | RegExp): R;
    /** The response is an error. */
    toFailWith(expected?: {
        code?: number;
        message?: string | RegExp;
        data?: unknown;
    }): R;
    /** A text of the result contains this. */
    toContainText(text: string | RegExp): R;
    /** The structured content has all of this; objects may have more properties. */
    toMatchStructured(expected: unknown): R;
    /** One of the blocks of content has all of this, or is of this type. */
    toHaveContent(expected: Readonly<Record<string, unknown>> | string): R;
    /** The response came within so many milliseconds. */
    toRespondWithin(ms: number): R;
    /** The reply is what is stored of it, without times, ids, ports, paths and the like. */
    toMatchMcpSnapshot(options?: SnapshotOptions | string): R;
    /** The structured content fits the output schema of the tool, or the one given. */
    toFitOutputSchema(schema?: unknown): Promise<void>;
    /** The server lists the tool. */
    toHaveTool(name: string, expected?: Readonly<Record<string, unknown>>): Promise<void>;
    /** No rule that fits is broken by the conversation so far. */
    toObey(...patterns: string[]): Promise<void>;
    /** No requirement is broken: by the conversation so far, or in a report. */
    toBeCompliant(): Promise<void>;
}
type Assertions = {
    [Name in keyof typeof matchers]: (typeof matchers)[Name] extends (this: never, ...given: infer Given) => Promise<MatcherResult> ? (...given: Given) => Promise<void> : (typeof matchers)[Name] extends (this: never, ...given: infer Given) => MatcherResult ? (...given: Given) => void : never;
};
/** The same for `node:test` and everything else: each throws an AssertionError where its matcher does not hold. */
declare const assertions: Assertions;

export { assertions, matchers };
export type { MatcherResult, McpcMatchers, SnapshotOptions, TestState };
