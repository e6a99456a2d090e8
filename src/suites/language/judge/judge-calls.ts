/** Holds recorded tool calls against the assertions of a `trajectory`. Pure. */
import type { SeenFile } from '../subject.ts';
import type { Place } from '../yaml-source.ts';
import type { JudgeCalls } from '../model.ts';
import { checkTrajectory, trajectoryTypes } from '../../../check/trajectory/trajectory.ts';
import type { ToolCall, TrajectoryAssertion } from '../../../check/trajectory/trajectory.ts';
import { asText } from '../../../core/model/json.ts';

const types: ReadonlySet<string> = new Set(trajectoryTypes);

/**
 * The failed assertion, beginning with its type, and its place.
 * @param log the file of calls, if the calls are not in the suite itself
 * @param recorded the calls of a recording
 */
export function judgeCalls(
  { calls, assertions, places }: JudgeCalls,
  log: SeenFile | undefined,
  recorded?: readonly ToolCall[],
): { words: string; place?: Place }[] {
  const found = recorded !== undefined ? { calls: recorded } : calls === undefined ? readLog(log) : { calls };
  if ('words' in found) return [found];
  const wrong = (assertion: Record<string, unknown>): string | undefined => {
    if (!types.has(asText(assertion['type'])))
      return `unknown trajectory assertion type: ${JSON.stringify(assertion['type'])}; use ${[...types].join(', ')}`;
    const lack = lackOf(assertion);
    if (lack !== undefined) return `${asText(assertion['type'])}: ${lack}`;
    const [result] = checkTrajectory(found.calls, [assertion as unknown as TrajectoryAssertion]);
    return result!.holds ? undefined : result!.words;
  };
  return assertions.flatMap((assertion, index) => {
    const words = wrong(assertion);
    return words === undefined ? [] : [{ words, place: places[index]! }];
  });
}

/** Missing members of an assertion without a default. */
function lackOf({ type, tools, count, tool }: Record<string, unknown>): string | undefined {
  if (type === 'never_before' && (tools as unknown[]).length !== 2)
    return 'it needs two tools: the one that may not come before the other';
  return type === 'at_most' && (count === undefined || tool === '') ? 'it needs a tool and a count' : undefined;
}

function readLog(file: SeenFile | undefined): { calls: ToolCall[] } | { words: string } {
  if (file?.content === undefined)
    return { words: `cannot read audit log ${file?.path ?? ''}: ${file?.problem ?? 'no such file'}` };
  const calls: ToolCall[] = [];
  for (const [index, line] of file.content.split('\n').entries()) {
    if (line.trim() === '') continue;
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {
      return { words: `audit log line ${index + 1}: invalid JSON` };
    }
    const { tool, args } = (typeof entry === 'object' && entry !== null ? entry : {}) as {
      tool?: unknown;
      args?: unknown;
    };
    if (typeof tool !== 'string') continue;
    calls.push({
      tool,
      args: typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Record<string, unknown>) : {},
    });
  }
  return { calls };
}
