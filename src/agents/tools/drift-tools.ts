/** The tool that compares a server with its lock. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { answer, cut, quoted } from '../answer.ts';
import { command, jsonOf, tool, type Context } from '../context.ts';
import { targetShape } from '../schemas.ts';

interface DriftReport {
  changes: { class: string; what: string; name: string; at: string; says: string; before?: string; after?: string }[];
  /** Lists that were not the same when they were asked for again. */
  unsteady: string[];
}

/** @returns their names */
export function registerDriftTools(server: McpServer, context: Context): string[] {
  const { access, maxBytes } = context;
  server.registerTool(
    'drift_check',
    {
      title: 'Compare a server with its lock',
      description:
        'Reads what a server offers and names what differs from a lock file of the project: descriptions, schemas, new and missing tools. Calls no tool.',
      inputSchema: {
        ...targetShape(access.allowed.commands),
        lock: z.string().optional().describe('Path of the lock below the project; mcpc.lock.json by default.'),
      },
      outputSchema: {
        failed: z.boolean(),
        changes: z.array(z.object({ class: z.string(), subject: z.string(), at: z.string(), says: z.string() })),
        unsteady: z.array(z.string()).describe('Lists that differed within the run.'),
        omitted: z.number(),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    tool(async ({ lock = 'mcpc.lock.json', ...named }, extra) => {
      const { flags, after } = access.target(named);
      const words = ['drift', 'check', '--format', 'json', '--lock', access.readable(lock), ...flags, ...after];
      const finished = await command(context, words, extra);
      const { changes, unsteady } = jsonOf<DriftReport>(finished);
      const failed = finished.code === 1;
      return answer(
        {
          head: [
            failed ? 'CHANGED' : changes.length === 0 ? 'UNCHANGED' : 'CHANGED, by nothing that fails',
            ...unsteady.map((list) => quoted(`differs within the run: ${list}`)),
          ],
          items: changes.map(({ class: kind, what, name, at, says }) => ({
            class: kind,
            subject: cut(`${what} ${name}`),
            at: cut(at),
            says: cut(says),
          })),
          textOf: (one) => [quoted(`${one.class}: ${one.subject} ${one.at}: ${one.says}`)],
          next: changes.length === 0 ? [] : ['The user takes changes in with mcpc drift approve.'],
          structured: (shown, omitted) => ({
            failed,
            changes: shown,
            unsteady: unsteady.map((list) => cut(list)),
            omitted,
          }),
        },
        maxBytes,
      );
    }),
  );
  return ['drift_check'];
}
