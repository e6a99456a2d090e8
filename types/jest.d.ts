/// <reference lib="esnext.disposable" />
interface SnapshotOptions {
    /** Distinguishes the snapshots of one test; the request when absent. */
    name?: string;
    /** JSON paths of what may differ at any time, as `$.items[*].id`. */
    volatile?: readonly string[];
    /** The file of snapshots, and the test, where no runner says so. */
    file?: string;
    test?: string;
}

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

declare global {
    namespace jest {
        interface Matchers<R, T = {}> extends McpcMatchers<R> {
        }
    }
}

export type { McpcMatchers };
