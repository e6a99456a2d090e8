/** Tools that list what there is: servers that may be started, and rules. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { listedRule } from '../../check/authoring/listed-rule.ts';
import { readGeneratedPlan } from '../../check/plan.ts';
import { answer } from '../answer.ts';
import { tool, type Context } from '../context.ts';

/** @returns their names */
export function registerListTools(server: McpServer, context: Context): string[] {
  server.registerTool(
    'list_servers',
    {
      title: 'List the configured servers',
      description: 'The servers that check_server and the other tools may start or reach.',
      inputSchema: {},
      outputSchema: { servers: z.array(z.string()), omitted: z.number(), anyCommand: z.boolean() },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    tool(() =>
      answer(
        {
          head: [context.access.choice()],
          items: context.access.servers().map(({ name }) => name),
          textOf: () => [],
          next: context.access.allowed.commands ? ['Any command or address may be named as well.'] : [],
          structured: (servers, omitted) => ({ servers, omitted, anyCommand: context.access.allowed.commands }),
        },
        context.maxBytes,
      ),
    ),
  );

  server.registerTool(
    'list_rules',
    {
      title: 'List rules',
      description: 'Rules that mcpc judges by: id, title and level in each revision.',
      inputSchema: {
        area: z.string().optional().describe('First part of the id, such as tools or lifecycle.'),
        text: z.string().optional().describe('Words that the id or the title contains.'),
        revision: z.string().optional().describe('Only rules of this revision.'),
      },
      outputSchema: {
        rules: z.array(z.object({ id: z.string(), title: z.string(), levels: z.record(z.string(), z.string()) })),
        omitted: z.number(),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    tool(({ area, text, revision }) => {
      const rules = readGeneratedPlan().rules.map(listedRule);
      const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = rules.filter(
        ({ id, title, levels }) =>
          (area === undefined || id.startsWith(`${area}/`)) &&
          (revision === undefined || levels[revision] !== undefined) &&
          words.every((word) => `${id} ${title}`.toLowerCase().includes(word)),
      );
      return answer(
        {
          head: [`${chosen.length} rules`],
          items: chosen.map(({ id, title, levels }) => ({ id, title, levels })),
          textOf: ({ id, title }) => [`${id}: ${title}`],
          next: ['The resource mcpc://rules/AREA/RULE has one rule whole.'],
          structured: (shown, omitted) => ({ rules: shown, omitted }),
        },
        context.maxBytes,
      );
    }),
  );
  return ['list_servers', 'list_rules'];
}
