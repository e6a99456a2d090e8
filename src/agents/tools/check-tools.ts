/** Tools that check a server or judge a capture, and explain what came of it. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { ReportPart, ReportVerdict, RunReport } from '../../core/model/reports/run-report.ts';
import { formatScore } from '../../report/text.ts';
import { Refused } from '../access.ts';
import { answer, cut, cutOrNull, quoted } from '../answer.ts';
import { command, jsonOf, tool, type Context } from '../context.ts';
import { finding, runId, spec, targetShape, type Finding } from '../schemas.ts';

const resultShape = {
  run: z.string(),
  verdict: z.enum(['compliant', 'not compliant', 'incomplete']),
  incomplete: z.string().nullable(),
  parts: z.array(
    z.object({
      revision: z.string(),
      compliant: z.boolean(),
      score: z.number().nullable(),
      grade: z.string().nullable(),
      decided: z.number(),
      applicable: z.number(),
    }),
  ),
  findings: z.array(finding),
  omitted: z.number().describe('Findings that did not fit into the result.'),
};

/** @returns their names */
export function registerCheckTools(server: McpServer, context: Context): string[] {
  const { access, runs } = context;

  server.registerTool(
    'check_server',
    {
      title: 'Check a server',
      description:
        'Checks an MCP server against the specification and returns the verdict with the requirements that it violates. Calls only tools that certainly change nothing. Takes seconds, or minutes for a slow server.',
      inputSchema: {
        ...targetShape(access.allowed.commands),
        spec,
        quick: z.boolean().optional().describe('Only what one connection decides without waiting.'),
        only: z.array(z.string()).optional().describe('Rules or areas, such as ping or tools/*.'),
      },
      outputSchema: resultShape,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    tool(async ({ spec: revision, quick, only = [], ...named }, extra) => {
      const { flags, after } = access.target(named);
      const id = runs.nextId();
      const words = ['check', '--json', '--trace', runs.traceOf(id), ...flags];
      if (revision !== undefined) words.push('--spec', revision);
      if (quick === true) words.push('--profile', 'quick');
      for (const one of only) words.push('--only', one);
      return verdictOf(context, id, jsonOf<RunReport>(await command(context, [...words, ...after], extra)));
    }),
  );

  server.registerTool(
    'judge_capture',
    {
      title: 'Judge a capture',
      description:
        'Judges a recorded conversation of the project (a trace of mcpc, a HAR file, JSON-RPC lines, a client log) against the specification, without any server.',
      inputSchema: {
        file: z.string().describe('Path below the project folder.'),
        role: z.enum(['server', 'client', 'both']).optional().describe('Whom to judge; the server by default.'),
        spec,
      },
      outputSchema: resultShape,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    tool(async ({ file, role, spec: revision }, extra) => {
      const words = ['judge', '--json', access.readable(file)];
      if (role !== undefined) words.push('--role', role);
      if (revision !== undefined && revision !== 'auto') words.push('--spec', revision);
      return verdictOf(context, runs.nextId(), jsonOf<RunReport>(await command(context, words, extra)));
    }),
  );

  server.registerTool(
    'explain_verdict',
    {
      title: 'Explain a verdict',
      description:
        'The requirement behind a verdict of a run, what was expected and seen, how to fix it, and the clause of the specification.',
      inputSchema: { run: runId, rule: z.string().describe('Id of the rule, such as ping/answer-empty-result.') },
      outputSchema: {
        rule: z.string(),
        revision: z.string(),
        status: z.string(),
        level: z.string(),
        requirement: z.string(),
        message: z.string(),
        expected: z.string().nullable(),
        actual: z.string().nullable(),
        fix: z.string().nullable(),
        clause: z.string().nullable(),
        remedy: z.string().nullable().describe('What would decide an undecided rule.'),
        events: z.array(z.number()).describe('Numbers of the messages that show it, for show_exchange.'),
        omitted: z.number(),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    tool(({ run, rule }) => {
      const { part, verdict } = found(runs.report(run), rule);
      const events = [...new Set(verdict.evidence.flatMap((one) => one.events))];
      return answer(
        {
          head: [
            `${verdict.status}: ${verdict.rule}, ${verdict.level}, at ${part.revision}`,
            `Requirement: ${verdict.statement}`,
            ...(verdict.link === null ? [] : [`Clause: ${verdict.link}`]),
            ...(verdict.sdkFix === undefined && verdict.fix === null ? [] : [`Fix: ${verdict.sdkFix ?? verdict.fix}`]),
            ...(verdict.remedy === undefined ? [] : [`To decide it: ${verdict.remedy}`]),
          ],
          items: [
            ['Seen', verdict.message],
            ['Expected', verdict.expected],
            ['Actual', verdict.actual],
          ].flatMap(([name, text]) => (text === null ? [] : [`${name}: ${text}`])),
          textOf: (text) => [quoted(text)],
          next: events.length === 0 ? [] : [`show_exchange with run ${run} and rule ${rule} shows the messages.`],
          structured: (_, omitted) => ({
            rule: verdict.rule,
            revision: part.revision,
            status: verdict.status,
            level: verdict.level,
            requirement: verdict.statement,
            message: cut(verdict.message),
            expected: cutOrNull(verdict.expected),
            actual: cutOrNull(verdict.actual),
            fix: verdict.sdkFix ?? verdict.fix,
            clause: verdict.link,
            remedy: verdict.remedy ?? null,
            events: events.slice(0, 50),
            omitted,
          }),
        },
        context.maxBytes,
      );
    }),
  );

  server.registerTool(
    'show_exchange',
    {
      title: 'Show the messages behind a verdict',
      description: 'The messages that prove a verdict of a run, as they were sent, without secrets.',
      inputSchema: {
        run: runId,
        rule: z.string().optional().describe('Id of the rule whose evidence to show.'),
        events: z.array(z.number().int()).optional().describe('Numbers of messages in place of a rule.'),
      },
      outputSchema: {
        messages: z.array(z.object({ seq: z.number(), from: z.string(), label: z.string(), body: z.string() })),
        omitted: z.number(),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    tool(({ run, rule, events = [] }) => {
      const report = runs.report(run);
      const wanted = new Set(
        rule === undefined ? events : found(report, rule).verdict.evidence.flatMap((one) => one.events),
      );
      const entries = report.wire.filter(({ seq }) => wanted.has(seq));
      if (entries.length === 0)
        throw new Refused(
          rule === undefined
            ? 'The report has no such messages; name a rule, or events of explain_verdict.'
            : `No message shows ${rule}.`,
        );
      return answer(
        {
          head: [`${entries.length} messages of ${run}:`],
          items: entries.map(({ seq, from, label, body }) => ({
            seq,
            from,
            label: cut(label),
            body: cut(body, 2_000),
          })),
          textOf: ({ seq, from, label, body }) => [
            `> ${seq} ${from}: ${label}`,
            ...(body === '' ? [] : [`>   ${body}`]),
          ],
          next: [],
          structured: (messages, omitted) => ({ messages, omitted }),
        },
        context.maxBytes,
      );
    }),
  );
  return ['check_server', 'judge_capture', 'explain_verdict', 'show_exchange'];
}

function found(report: RunReport, rule: string): { part: ReportPart; verdict: ReportVerdict } {
  const all = report.parts.flatMap((part) =>
    part.verdicts.filter((one) => one.rule === rule).map((verdict) => ({ part, verdict })),
  );
  const first = all.find(({ verdict }) => verdict.status === 'fail') ?? all[0];
  if (first === undefined)
    throw new Refused(`The run has no verdict of ${JSON.stringify(rule)}; list_rules has the ids.`);
  return first;
}

const sentences = { compliant: 'COMPLIANT', 'not compliant': 'NOT COMPLIANT', incomplete: 'INCOMPLETE' } as const;

function verdictOf(context: Context, id: string, report: RunReport): ReturnType<typeof answer> {
  context.runs.keep(id, report);
  const verdict = report.incomplete !== null ? 'incomplete' : report.compliant ? 'compliant' : 'not compliant';
  const findings = report.parts.flatMap((part) =>
    part.verdicts
      .filter(({ status, cause }) => (status === 'fail' || status === 'error') && cause === undefined)
      .map((one) => ({ counts: one.severity === 'error', one, part })),
  );
  findings.sort((a, b) => Number(b.counts) - Number(a.counts));
  const first = findings[0]?.one.rule;
  return answer<Finding>(
    {
      head: [
        `${sentences[verdict]} (${id})`,
        ...(report.incomplete === null ? [] : [`Why incomplete: ${cut(report.incomplete)}`]),
        ...report.parts.map(
          ({ revision, score, grade, decided, applicable }) =>
            `${revision}: score ${formatScore(score)}, grade ${grade ?? 'none'}, decided ${decided} of ${applicable} rules`,
        ),
        `${findings.filter(({ counts }) => counts).length} violations, ${findings.filter(({ counts }) => !counts).length} warnings`,
      ],
      items: findings.map(({ one, part, counts }) => ({
        rule: one.rule,
        level: one.level,
        counts,
        revision: part.revision,
        message: cut(one.message),
        fix: one.sdkFix ?? one.fix,
      })),
      textOf: ({ rule, level, counts, message, fix }) => [
        '',
        `${counts ? 'violates' : 'warning'} ${rule} (${level})`,
        quoted(message),
        ...(fix === null ? [] : [`Fix: ${fix}`]),
      ],
      next: first === undefined ? [] : [`explain_verdict with run ${id} and rule ${first} has the details.`],
      structured: (shown, omitted) => ({
        run: id,
        verdict,
        incomplete: report.incomplete === null ? null : cut(report.incomplete),
        parts: report.parts.map(({ revision, compliant, score, grade, decided, applicable }) => ({
          revision,
          compliant,
          score,
          grade,
          decided,
          applicable,
        })),
        findings: shown,
        omitted,
      }),
    },
    context.maxBytes,
  );
}
