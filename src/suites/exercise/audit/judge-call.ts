/** Faults of a tool in one call of an audit. Pure. */
import type { SchemaFinding } from '../../../core/json-schema/explain-errors.ts';
import type { JsonSchemas } from '../../../core/json-schema/json-schemas.ts';
import { isObject } from '../../../core/model/json.ts';
import type { AuditFinding } from '../../../core/model/reports/audit-report.ts';
import { leakIn } from '../leaks.ts';
import { internalErrorWords, isInternalError, type CallOutcome } from '../tool-call.ts';

type Json = Record<string, unknown>;

export interface JudgedCall {
  tool: Json;
  outcome: CallOutcome;
  given: unknown;
  /** The deliberate fault of the arguments. */
  miss?: string;
}

const invalidParams = -32602;
/** Answers that no request for a listed tool may get: it was valid JSON, a request, and of a declared method. */
const wrongCodes = new Map([
  [-32700, 'parse error'],
  [-32600, 'invalid request'],
  [-32601, 'method not found'],
]);

/** @param clean takes secrets out */
export function findingsOf(call: JudgedCall, schemas: JsonSchemas, clean: (text: string) => string): AuditFinding[] {
  const { outcome, given, miss, tool } = call;
  const sent = JSON.stringify(given);
  const found = (kind: AuditFinding['class'], detail: string): AuditFinding => ({
    class: kind,
    call: miss === undefined ? 'valid' : 'near-miss',
    detail: clean(detail),
    arguments: clean(sent),
  });
  const leak = leakIn(outcome, sent);
  const leaks = leak === undefined ? [] : [found('leak', `${leak}.`)];
  switch (outcome.kind) {
    case 'ended':
      return [found('crash', `During the call ${outcome.why}.`)];
    case 'timeout':
      return [found('timeout', 'No answer in time.')];
    case 'malformed':
      return [found('protocol-error', `The answer is no valid response: ${outcome.why}.`)];
    case 'unusable':
      return [found('refused', `Not decided: ${outcome.why}.`)];
    case 'error':
      return [
        ...leaks,
        ...(miss === undefined
          ? [
              refusal(
                outcome,
                isObject(tool['inputSchema']) ? schemas.conformance(tool['inputSchema'], given) : [],
                found,
              ),
            ]
          : []),
      ];
    case 'result':
      if (miss !== undefined && !outcome.isError)
        return [
          ...leaks,
          found(
            'invalid-accepted',
            `Arguments that do not fit the inputSchema (${miss}) were answered with a result that is no error.`,
          ),
        ];
      return [...leaks, ...(miss === undefined ? misfit(tool, outcome, schemas, found) : [])];
  }
}

/**
 * For a JSON-RPC error to valid arguments.
 * @param misfits their faults; undefined if uncertain
 */
function refusal(
  { code, message }: { code: number; message: string },
  misfits: readonly SchemaFinding[] | undefined,
  found: (kind: AuditFinding['class'], detail: string) => AuditFinding,
): AuditFinding {
  if (isInternalError({ code, message })) return found('crash', internalErrorWords(message));
  const wrong = wrongCodes.get(code);
  if (wrong !== undefined)
    return found(
      'protocol-error',
      `A valid call of a listed tool was answered with the error ${code} (${wrong}): ${message}`,
    );
  const reported =
    misfits === undefined
      ? 'The call was refused'
      : misfits.length > 0
        ? 'No arguments that fit the inputSchema were found; the call was refused'
        : code === invalidParams
          ? 'Arguments that fit the inputSchema were refused'
          : 'The call was refused';
  return found('refused', `${reported} with the error ${code}: ${message}`);
}

/** Of a result against the outputSchema of the tool. */
function misfit(
  { outputSchema }: Json,
  { result, isError }: { result: Json; isError: boolean },
  schemas: JsonSchemas,
  found: (kind: AuditFinding['class'], detail: string) => AuditFinding,
): AuditFinding[] {
  if (
    !isObject(outputSchema) ||
    isError ||
    result['task'] !== undefined ||
    (result['resultType'] ?? 'complete') !== 'complete'
  )
    return [];
  const { structuredContent } = result;
  if (structuredContent === undefined)
    return [found('output-mismatch', 'The tool has an outputSchema, and the result has no structuredContent.')];
  const [first] = schemas.conformance(outputSchema, structuredContent) ?? [];
  return first === undefined
    ? []
    : [
        found(
          'output-mismatch',
          `The structuredContent does not fit the outputSchema: ${first.path === '' ? '' : `${first.path} `}${first.message}.`,
        ),
      ];
}
