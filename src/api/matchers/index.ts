/** `mcpc/matchers`: what a test expects of a reply, a server or a conversation, for any test framework. */
import { AssertionError } from 'node:assert';
import type { MatcherResult } from './outcome.ts';
import {
  toBeToolError,
  toContainText,
  toFailWith,
  toHaveContent,
  toMatchStructured,
  toRespondWithin,
  toSucceed,
} from './replies.ts';
import { toBeCompliant, toFitOutputSchema, toHaveTool, toObey } from './sessions.ts';
import { toMatchMcpSnapshot, type SnapshotOptions } from './snapshots.ts';

export type { MatcherResult } from './outcome.ts';
export type { SnapshotOptions, TestState } from './snapshots.ts';

/** For `expect.extend(matchers)` of vitest and Jest. */
export const matchers = {
  toSucceed,
  toBeToolError,
  toFailWith,
  toContainText,
  toMatchStructured,
  toFitOutputSchema,
  toHaveTool,
  toHaveContent,
  toRespondWithin,
  toMatchMcpSnapshot,
  toObey,
  toBeCompliant,
};

/** The matchers as `expect(received)` has them. @typeParam R what those give that are decided at once */
export interface McpcMatchers<R = void> {
  /** The response is a result, and of a tool no error of the tool. */
  toSucceed(): R;
  /** The tool reports an error of its own: a result with `isError`. */
  toBeToolError(text?: string | RegExp): R;
  /** The response is an error. */
  toFailWith(expected?: { code?: number; message?: string | RegExp; data?: unknown }): R;
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
  [Name in keyof typeof matchers]: (typeof matchers)[Name] extends (
    this: never,
    ...given: infer Given
  ) => Promise<MatcherResult>
    ? (...given: Given) => Promise<void>
    : (typeof matchers)[Name] extends (this: never, ...given: infer Given) => MatcherResult
      ? (...given: Given) => void
      : never;
};

/** The same for `node:test` and everything else: each throws an AssertionError where its matcher does not hold. */
export const assertions = Object.fromEntries(
  Object.entries(matchers).map(([name, matcher]) => [
    name,
    (...given: unknown[]): unknown => {
      const made = Reflect.apply(matcher, undefined, given) as MatcherResult | Promise<MatcherResult>;
      return made instanceof Promise ? made.then(assertHolds) : assertHolds(made);
    },
  ]),
) as Assertions;

function assertHolds({ pass, message, actual, expected }: MatcherResult): void {
  if (!pass) throw new AssertionError({ message: message(), actual, expected, operator: 'mcpc' });
}
