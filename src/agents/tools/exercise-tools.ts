/** Tools that call the tools of a server: each once, or one with many odd arguments. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { AuditReport } from '../../core/model/reports/audit-report.ts';
import type { FuzzReport } from '../../core/model/reports/fuzz-report.ts';
import { answer, cut, quoted } from '../answer.ts';
import { command, jsonOf, tool, type Context } from '../context.ts';
import { spec, targetShape } from '../schemas.ts';

/** @returns their names */
export function registerExerciseTools(server: McpServer, context: Context): string[] {
  const { access } = context;
  const target = targetShape(access.allowed.commands);

  server.registerTool(
    'audit_server',
    {
      title: 'Call each tool once',
      description:
        'Calls each tool that only reads with arguments that fit its schema and with some that do not, and names those that crash, hang, leak, or accept what they should refuse.',
      inputSchema: { ...target, spec },
      outputSchema: {
        score: z.number(),
        tested: z.number(),
        incomplete: z.string().nullable(),
        tools: z.array(z.object({ tool: z.string(), status: z.string(), detail: z.string() })),
        omitted: z.number(),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    tool(async ({ spec: revision, ...named }, extra) => {
      const { flags, after } = access.target(named);
      const words = ['audit', '--json', ...flags, ...(revision === undefined ? [] : ['--spec', revision])];
      const report = jsonOf<AuditReport>(await command(context, [...words, ...after], extra));
      const rank = ({ status }: { status: string }): number =>
        Number(status === 'healthy') + Number(status === 'skipped') * 2;
      const tools = report.results
        .map((one) => ({ tool: cut(one.tool), status: one.status, detail: cut(one.detail) }))
        .sort((a, b) => rank(a) - rank(b));
      return answer(
        {
          head: [
            `${report.score} % of ${report.tested} tested tools are healthy`,
            ...(report.incomplete === null ? [] : [`Incomplete: ${cut(report.incomplete)}`]),
          ],
          items: tools,
          textOf: ({ tool: name, status, detail }) => [
            quoted(`${status}: ${name}${detail === '' ? '' : `: ${detail}`}`),
          ],
          next: [],
          structured: (shown, omitted) => ({
            score: report.score,
            tested: report.tested,
            incomplete: report.incomplete === null ? null : cut(report.incomplete),
            tools: shown,
            omitted,
          }),
        },
        context.maxBytes,
      );
    }),
  );

  server.registerTool(
    'fuzz_tool',
    {
      title: 'Call a tool with odd arguments',
      description:
        'Calls one tool that only reads with many generated arguments, and shrinks what crashes, hangs or leaks to the smallest ones.',
      inputSchema: {
        ...target,
        tool: z.string().describe('Name of the tool.'),
        runs: z.number().int().min(1).max(1000).optional().describe('Number of calls, 50 by default.'),
        seed: z.number().int().min(0).optional().describe('Repeats the arguments of an earlier run.'),
      },
      outputSchema: {
        seed: z.number(),
        runs: z.number(),
        passed: z.number(),
        skipped: z.string().nullable(),
        failures: z.array(
          z.object({ class: z.string(), detail: z.string(), arguments: z.string(), times: z.number() }),
        ),
        omitted: z.number(),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    tool(async ({ tool: name, runs = 50, seed, ...named }, extra) => {
      const { flags, after } = access.target(named);
      const words = ['fuzz', '--json', '--tool', name, '--runs', String(runs), ...flags];
      if (seed !== undefined) words.push('--seed', String(seed));
      const report = jsonOf<FuzzReport>(await command(context, [...words, ...after], extra));
      const fuzzed = report.tools[0];
      const failures = (fuzzed?.failures ?? []).map((one) => ({
        class: one.status,
        detail: cut(one.detail),
        arguments: cut(JSON.stringify(one.arguments)),
        times: one.times,
      }));
      return answer(
        {
          head: [
            fuzzed?.skipped !== undefined
              ? `${name} was not called: ${cut(fuzzed.skipped)}`
              : failures.length === 0
                ? `Nothing failed in ${fuzzed?.runs ?? 0} calls of ${name}`
                : `${failures.length} kinds of failure in ${fuzzed!.runs} calls of ${name}`,
            `Seed ${report.seed}`,
          ],
          items: failures,
          textOf: (one) => [
            '',
            quoted(`${one.class}, ${one.times} times: ${one.detail}`),
            `Arguments: ${one.arguments}`,
          ],
          next: [],
          structured: (shown, omitted) => ({
            seed: report.seed,
            runs: fuzzed?.runs ?? 0,
            passed: fuzzed?.passed ?? 0,
            skipped: fuzzed?.skipped ?? null,
            failures: shown,
            omitted,
          }),
        },
        context.maxBytes,
      );
    }),
  );
  return ['audit_server', 'fuzz_tool'];
}
