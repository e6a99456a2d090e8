/** Reads answers of steps: errors, captured values, pages of lists, what repeated requests gave. Pure. */
import { compilePattern } from '../expectations/patterns.ts';
import type { Finding, Notice, Subject } from '../subject.ts';
import type { CapturePath, Step } from '../model.ts';
import { readPlainScalar } from '../scalars.ts';
import type { CaseRecord, SentRequest, StepRecord } from './case-record.ts';
import { jsonOf, lookUp, parseJson, pathSteps } from '../json-text.ts';
import { asText } from '../../../core/model/json.ts';

/** Names of members are paths, too. */
export function withPaths(option: unknown, put: (text: string) => string): unknown {
  if (Array.isArray(option)) return option.map((path: string) => put(path));
  return Object.fromEntries(Object.entries(option as Record<string, string>).map(([path, text]) => [put(path), text]));
}

export function errorWords(error: unknown): string {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    message?: unknown;
  };
  return code === undefined && message === undefined
    ? 'an answer with neither result nor error'
    : `JSON-RPC error ${asText(code)}: ${asText(message)}`;
}

/** @param result looked at first, where the file means members of the result */
export function captured(text: string, result: unknown, path: CapturePath): { value: unknown } | { problem: string } {
  if (typeof path !== 'string') return matched(text, path);
  if (pathSteps(path).length === 0) return { value: text };
  const own = result === undefined ? undefined : lookUp(result, path);
  if (own !== undefined && 'value' in own) return own;
  try {
    return lookUp(parseJson(text), path);
  } catch {
    return own ?? { problem: `the response is not JSON: ${JSON.stringify(text.slice(0, 200))}` };
  }
}

function matched(
  text: string,
  { matches, as }: Exclude<CapturePath, string>,
): { value: unknown } | { problem: string } {
  const pattern = compilePattern(matches);
  if ('problem' in pattern) return { problem: `invalid pattern: ${pattern.problem}` };
  const found = pattern.first(text);
  if (found === undefined) return { problem: `it does not match: ${JSON.stringify(text.slice(0, 200))}` };
  if (as !== 'number') return { value: found };
  const { value } = readPlainScalar(found.trim());
  return typeof value === 'number' || typeof value === 'bigint'
    ? { value }
    : { problem: `${JSON.stringify(found.slice(0, 200))} is no number` };
}

/** The requests of the last time that a list was asked for from its begin. */
export function lastRound(requests: readonly SentRequest[]): readonly SentRequest[] {
  const begins = requests.findLastIndex(
    ({ message }) => (message['params'] as { cursor?: unknown } | undefined)?.cursor === undefined,
  );
  return requests.slice(Math.max(0, begins));
}

export function errorOf(error: unknown): NonNullable<Subject['error']> {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    message?: unknown;
    data?: unknown;
  };
  return { code, message, data };
}

/** One result of all pages of a list. */
export function joined(results: readonly unknown[], member: string): unknown {
  if (results.length < 2) return results[0];
  const [first] = results as Record<string, unknown>[];
  const { nextCursor: _next, ...rest } = first!;
  return {
    ...rest,
    [member]: results.flatMap((result) => ((result as Record<string, unknown>)[member] as unknown[] | undefined) ?? []),
  };
}

export function seqsOf({ requests }: StepRecord): number[] {
  return requests.slice(-2).flatMap(({ seq, answer }) => [seq, ...(answer === undefined ? [] : [answer.seq])]);
}

export function otherMethods(notices: readonly Notice[]): string {
  const methods = [...new Set(notices.map(({ method }) => method))];
  return methods.length === 0 ? 'no notification' : `only ${methods.slice(0, 5).join(', ')}`;
}

/** Findings of `unchanged` and `idempotent` of a step. */
export function repeatFindings(step: Step, record: CaseRecord): Finding[] {
  const answerOf = (id: string): Record<string, unknown> | undefined =>
    record.steps.get(id)?.requests.at(-1)?.answer?.message;
  const textOf = (id: string): string | undefined => {
    const answer = answerOf(id);
    return answer === undefined ? undefined : jsonOf(answer['result'] ?? answer['error'] ?? null);
  };
  const found = (step.unchanged ?? []).flatMap((one, index): Finding[] => {
    // After a second call nothing may have changed since the first; without one, nothing at all.
    const [from, to] = step.again
      ? [`${step.id}:after[${index}]`, `${step.id}:again[${index}]`]
      : [`${step.id}:before[${index}]`, `${step.id}:after[${index}]`];
    const [was, is] = [textOf(from), textOf(to)];
    if (was !== undefined && was === is) return [];
    const reported =
      is === undefined || was === undefined
        ? 'gave no answer'
        : `is another after the ${step.again ? 'second call' : 'step'}`;
    return [
      {
        words: `${step.again ? 'idempotent' : 'unchanged'}: ${one.title} ${reported}`,
        expected: was ?? 'an answer',
        actual: is ?? 'none',
      },
    ];
  });
  if (step.again !== true) return found;
  const [first, second] = [kindOf(answerOf(step.id)), kindOf(answerOf(`${step.id}:again`))];
  return first === second
    ? found
    : [
        { words: `idempotent: the first call gave ${first}, the second ${second}`, expected: first, actual: second },
        ...found,
      ];
}

function kindOf(answer: Record<string, unknown> | undefined): string {
  if (answer === undefined) return 'no answer';
  if ('error' in answer) return 'an error of JSON-RPC';
  return (answer['result'] as { isError?: unknown } | null)?.isError === true
    ? 'a result with isError: true'
    : 'a result';
}
