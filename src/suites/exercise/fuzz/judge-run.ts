/** General properties of every fuzz run, and the ways of failing. */
import type { Connection } from '../../run/connect/connection.ts';
import type { JsonSchemas } from '../../../core/json-schema/json-schemas.ts';
import { asText, isObject } from '../../../core/model/json.ts';
import type { FuzzClass } from '../../../core/model/reports/fuzz-report.ts';
import { leakIn } from '../leaks.ts';
import { asLenient } from './lenient.ts';
import { callTool, deathAfter, internalErrorWords, isInternalError, type ToolCall } from '../tool-call.ts';

type Json = Record<string, unknown>;

export interface RunFailure {
  status: FuzzClass;
  detail: string;
  /** Nothing but silence was seen. */
  silent?: true;
}

export interface JudgedRun {
  call: ToolCall;
  failure?: RunFailure;
  /** The connection cannot be used any more. */
  lost: boolean;
  /** Nothing about the tool could be seen, such as a session that the server ended. */
  undecided: boolean;
}

export interface TimeLimit {
  /** The answer deadline of the connection when absent. */
  deadlineMs?: number;
  /** Milliseconds after its answer in which the server may still die; a ping tests it in any case. */
  lingerMs?: number;
}

/**
 * Calls the tool, and tests that the server copes: it answers in time, validly, without internals, refuses invalid
 * arguments, and stays alive.
 */
export async function judgedRun(
  connection: Connection,
  { name, inputSchema }: Json,
  given: unknown,
  schemas: JsonSchemas,
  { deadlineMs, lingerMs }: TimeLimit = {},
): Promise<JudgedRun> {
  const call = await callTool(connection, asText(name), given, deadlineMs);
  const { outcome } = call;
  const lost = (failure: RunFailure): JudgedRun => ({ call, failure, lost: true, undecided: false });
  if (outcome.kind === 'ended') return lost({ status: 'crash', detail: `During the call ${outcome.why}.` });
  if (outcome.kind === 'timeout') return lost({ status: 'timeout', detail: 'No answer in time.', silent: true });
  if (outcome.kind === 'unusable') return { call, lost: true, undecided: true };
  const death = await deathAfter(connection, lingerMs);
  if (death !== undefined)
    return lost({ status: 'crash', detail: death.words, ...(death.silent ? { silent: true } : {}) });
  const failure = failureOf(call, inputSchema, given, schemas);
  return { call, failure, lost: false, undecided: false };
}

function failureOf(
  { outcome }: ToolCall,
  schema: unknown,
  given: unknown,
  schemas: JsonSchemas,
): RunFailure | undefined {
  const misfitOf = (of: object, value: unknown): string | undefined =>
    schemas.conformance(of, value)?.map(({ path, message }) => (path === '' ? message : `${path} ${message}`))[0];
  if (outcome.kind === 'malformed')
    return { status: 'protocol', detail: `The answer is no valid response: ${outcome.why}.` };
  const leak = leakIn(outcome, JSON.stringify(given));
  if (leak !== undefined) return { status: 'leak', detail: `${leak}.` };
  // To arguments that do not fit it is a refusal, if an odd one: some SDKs answer so before a tool is asked.
  if (
    outcome.kind === 'error' &&
    isInternalError(outcome) &&
    misfitOf({ type: 'object', ...(isObject(schema) ? schema : {}) }, given) === undefined
  )
    return { status: 'internal-error', detail: internalErrorWords(outcome.message) };
  if (outcome.kind !== 'result' || outcome.isError || !isObject(schema)) return undefined;
  // Some take null for no arguments at all.
  const misfit = misfitOf(schema, asLenient(given ?? {}, schema));
  return misfit === undefined
    ? undefined
    : {
        status: 'invalid-accepted',
        detail: `Arguments that do not fit the inputSchema (${misfit}) were answered with a result that is no error.`,
      };
}
