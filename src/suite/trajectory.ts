/**
 * Trajectory assertions: what an agent called, in which order, with which arguments. Judges a list of tool
 * calls; it must not know where the list comes from.
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
  /** A call of the tool had all of these arguments; `occurrence` (from 1) says which call, otherwise any. */
  | { type: 'args_contain'; tool: string; args: Record<string, unknown>; occurrence?: number };

export interface TrajectoryResult {
  assertion: TrajectoryAssertion;
  holds: boolean;
  /** One sentence: what was missing, or what was there and should not be. */
  detail: string;
}

/** Judges every assertion, in their order. */
export function checkTrajectory(calls: readonly ToolCall[], assertions: readonly TrajectoryAssertion[]): TrajectoryResult[] {
  return assertions.map((assertion) => {
    const problem = problemOf(calls, assertion);
    return { assertion, holds: problem === undefined, detail: problem ?? 'holds' };
  });
}

function problemOf(calls: readonly ToolCall[], assertion: TrajectoryAssertion): string | undefined {
  const called = new Set(calls.map(({ tool }) => tool));
  switch (assertion.type) {
    case 'order':
      return orderProblem(calls, assertion.tools);
    case 'presence': {
      const missing = assertion.tools.filter((tool) => !called.has(tool));
      return missing.length === 0 ? undefined : `${missing.join(', ')} ${missing.length === 1 ? 'was' : 'were'} never called`;
    }
    case 'absence': {
      const present = assertion.tools.filter((tool) => called.has(tool));
      return present.length === 0 ? undefined : `${present.join(', ')} ${present.length === 1 ? 'was' : 'were'} called`;
    }
    case 'args_contain':
      return argsProblem(calls, assertion);
  }
}

function orderProblem(calls: readonly ToolCall[], tools: readonly string[]): string | undefined {
  let from = 0;
  for (const [index, tool] of tools.entries()) {
    const at = calls.findIndex((call, position) => position >= from && call.tool === tool);
    if (at === -1) return index === 0 ? `${tool} was never called` : `${tool} was not called after ${tools[index - 1]}`;
    from = at + 1;
  }
  return undefined;
}

function argsProblem(calls: readonly ToolCall[], assertion: Extract<TrajectoryAssertion, { type: 'args_contain' }>): string | undefined {
  const { tool, args, occurrence } = assertion;
  const all = calls.filter((call) => call.tool === tool);
  if (all.length === 0) return `${tool} was never called`;
  const candidates = occurrence === undefined ? all : all.slice(occurrence - 1, occurrence);
  if (candidates.length === 0) return `${tool} was called ${all.length} times, not ${occurrence}`;
  const differing = (call: ToolCall): string[] => Object.entries(args).filter(([name, value]) => printed(call.args[name]) !== printed(value)).map(([name]) => name);
  if (candidates.some((call) => differing(call).length === 0)) return undefined;
  const names = differing(candidates[0]!);
  return `no call of ${tool} had the wanted ${names.join(', ')}; the first had ${names.map((name) => `${name} = ${printed(candidates[0]!.args[name])}`).join(', ')}`;
}

/** Values are compared as they print: a number in YAML and its text in a call are the same. */
function printed(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
}
