/**
 * Trajectory assertions: what an agent called, in which order, with which arguments. Judges a list of tool calls,
 * independent of its source.
 */

export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
}

export type TrajectoryAssertion =
  /** The tools were called in this order, others in between allowed. */
  | { type: 'order'; tools: string[] }
  | { type: 'presence'; tools: string[] }
  | { type: 'absence'; tools: string[] }
  /** These calls and no others were made, in this order. */
  | { type: 'exactly'; tools: string[] }
  /** The tools were called one directly after the other, somewhere. */
  | { type: 'adjacent'; tools: string[] }
  /** The first tool was not called before the second one had been. */
  | { type: 'never_before'; tools: string[] }
  /** The tool was called at most so often. */
  | { type: 'at_most'; tool: string; count: number }
  /** A call of the tool had all of these arguments; `occurrence` (from 1) says which call, otherwise any. */
  | { type: 'args_contain'; tool: string; args: Record<string, unknown>; occurrence?: number };

/** All types, in the order of the documentation. */
export const trajectoryTypes = [
  'order',
  'presence',
  'absence',
  'args_contain',
  'exactly',
  'at_most',
  'adjacent',
  'never_before',
] as const satisfies readonly TrajectoryAssertion['type'][];

export interface TrajectoryResult {
  assertion: TrajectoryAssertion;
  holds: boolean;
  /** One sentence: what was missing, or what was there and should not be. */
  detail: string;
  /** The same in the words of suites, which begin with the type; empty where it holds. */
  words: string;
}

interface Problem {
  detail: string;
  words: string;
}

/** Judges every assertion, in their order. */
export function checkTrajectory(
  calls: readonly ToolCall[],
  assertions: readonly TrajectoryAssertion[],
): TrajectoryResult[] {
  return assertions.map((assertion) => {
    const problem = problemOf(calls, assertion);
    return { assertion, holds: problem === undefined, detail: problem?.detail ?? 'holds', words: problem?.words ?? '' };
  });
}

function problemOf(calls: readonly ToolCall[], assertion: TrajectoryAssertion): Problem | undefined {
  const called = new Set(calls.map(({ tool }) => tool));
  switch (assertion.type) {
    case 'order':
      return orderProblem(calls, assertion.tools);
    case 'presence': {
      const missing = assertion.tools.filter((tool) => !called.has(tool));
      if (missing.length === 0) return undefined;
      return {
        detail: `${missing.join(', ')} ${missing.length === 1 ? 'was' : 'were'} never called`,
        words: `presence: ${JSON.stringify(missing[0])} not found in trace`,
      };
    }
    case 'absence': {
      const present = assertion.tools.filter((tool) => called.has(tool));
      if (present.length === 0) return undefined;
      return {
        detail: `${present.join(', ')} ${present.length === 1 ? 'was' : 'were'} called`,
        words: `absence: ${JSON.stringify(present[0])} appeared in trace`,
      };
    }
    case 'args_contain':
      return argsProblem(calls, assertion);
    case 'exactly':
      return exactlyProblem(calls, assertion.tools);
    case 'adjacent':
      return adjacentProblem(calls, assertion.tools);
    case 'never_before':
      return neverBeforeProblem(calls, assertion.tools);
    case 'at_most': {
      const { tool, count } = assertion;
      const times = calls.filter((call) => call.tool === tool).length;
      return times <= count
        ? undefined
        : {
            detail: `${tool} was called ${times} times, more than ${count}`,
            words: `at_most: ${JSON.stringify(tool)} was called ${times} times, want at most ${count}`,
          };
    }
  }
}

function exactlyProblem(calls: readonly ToolCall[], tools: readonly string[]): Problem | undefined {
  const length = Math.max(calls.length, tools.length);
  for (let index = 0; index < length; index += 1) {
    const [is, due] = [calls[index]?.tool, tools[index]];
    if (is === due) continue;
    const name = (tool: string | undefined): string => (tool === undefined ? 'none' : JSON.stringify(tool));
    return {
      detail: `call ${index + 1} was ${is ?? 'none'}, not ${due ?? 'none'}`,
      words: `exactly: call ${index + 1}: want ${name(due)}, got ${name(is)}`,
    };
  }
  return undefined;
}

function adjacentProblem(calls: readonly ToolCall[], tools: readonly string[]): Problem | undefined {
  const begins = calls.findIndex((_call, index) => tools.every((tool, offset) => calls[index + offset]?.tool === tool));
  if (tools.length === 0 || begins !== -1) return undefined;
  return {
    detail: `${tools.join(', ')} were never called one directly after the other`,
    words: `adjacent: ${JSON.stringify(tools)} not found one directly after the other`,
  };
}

function neverBeforeProblem(
  calls: readonly ToolCall[],
  [early = '', due = '']: readonly string[],
): Problem | undefined {
  const at = calls.findIndex(({ tool }) => tool === early || tool === due);
  if (at === -1 || calls[at]!.tool === due || early === due) return undefined;
  return {
    detail: `${early} was called before ${due}`,
    words: `never_before: ${JSON.stringify(early)} was called before ${JSON.stringify(due)}`,
  };
}

function orderProblem(calls: readonly ToolCall[], tools: readonly string[]): Problem | undefined {
  let from = 0;
  for (const [index, tool] of tools.entries()) {
    const at = calls.findIndex((call, position) => position >= from && call.tool === tool);
    if (at === -1) {
      const name = JSON.stringify(tool);
      return index === 0
        ? { detail: `${tool} was never called`, words: `order: ${name} not found in trace` }
        : {
            detail: `${tool} was not called after ${tools[index - 1]}`,
            words: `order: ${name} not found after ${JSON.stringify(tools[index - 1])}`,
          };
    }
    from = at + 1;
  }
  return undefined;
}

function argsProblem(
  calls: readonly ToolCall[],
  assertion: Extract<TrajectoryAssertion, { type: 'args_contain' }>,
): Problem | undefined {
  const { tool, args, occurrence } = assertion;
  const all = calls.filter((call) => call.tool === tool);
  const quoted = JSON.stringify(tool);
  if (all.length === 0)
    return { detail: `${tool} was never called`, words: `args_contain: ${quoted} not found in trace` };
  const candidates = occurrence === undefined ? all : all.slice(occurrence - 1, occurrence);
  if (candidates.length === 0)
    return {
      detail: `${tool} was called ${all.length} times, not ${occurrence}`,
      words: `args_contain: ${quoted} was called ${all.length} times, not ${occurrence}`,
    };
  const differing = (call: ToolCall): string[] =>
    Object.entries(args)
      .filter(([name, value]) => printed(call.args[name]) !== printed(value))
      .map(([name]) => name);
  if (candidates.some((call) => differing(call).length === 0)) return undefined;
  const names = differing(candidates[0]!);
  const had = candidates[0]!.args;
  const [name = ''] = names;
  return {
    detail: `no call of ${tool} had the wanted ${names.join(', ')}; the first had ${names.map((one) => `${one} = ${printed(had[one])}`).join(', ')}`,
    words: Object.hasOwn(had, name)
      ? `args_contain: ${quoted} arg ${JSON.stringify(name)}: want ${printed(args[name])}, got ${printed(had[name])}`
      : `args_contain: ${quoted} called without arg ${JSON.stringify(name)}`,
  };
}

/** Values are compared as they print: a number in YAML and its text in a call are the same. */
function printed(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
}
