/** The calls that a check would make, for a terminal. All text of servers is made fit to show. */
import pc from 'picocolors';
import { withoutCommands } from '../../core/model/ci-logs.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { oneLine } from '../text.ts';
import { leftOutView, toolsView } from '../tools-view.ts';

/** The text, ending with a line feed. @param color by default as the environment asks */
export function renderCallPlan(
  plan: Required<Pick<RunReport, 'calls' | 'skipped'>> & {
    target: { name: string };
    transport: string;
    revision: string;
  },
  { color }: { color?: boolean } = {},
): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  const tools = toolsView(plan)!;
  const left = leftOutView(plan.skipped);
  const lines = [
    `${c.bold(oneLine(plan.target.name))}  ${oneLine(plan.transport)}, MCP ${oneLine(plan.revision)}. No tool was called.`,
    '',
    c.bold(`A check would call, at most (${tools.called.length})`),
    ...tools.called.flatMap(({ tool, times, arguments: kinds }) => [
      `  ${tool}, ${times}`,
      ...kinds.map((kind) => `    ${kind}`),
    ]),
    ...(tools.unused.length === 0 ? [] : ['', c.bold('No use for')]),
    ...tools.unused.map((one) => `  ${one.tools}: ${one.why}`),
    ...(left.length === 0 ? [] : ['', c.bold(`Left out (${plan.skipped.length})`)]),
    ...left.flatMap(({ what, why, allow }) => [
      `  ${what}: ${why}`,
      ...(allow === null ? [] : [c.dim(`    Called with ${allow}.`)]),
    ]),
  ];
  return withoutCommands(`${lines.join('\n')}\n`);
}
