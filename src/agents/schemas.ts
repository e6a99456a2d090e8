/** Shapes of arguments and results that several tools share. */
import { z } from 'zod';
import { revisions } from '../core/spec/revisions.ts';

const serverName = z.string().describe('Name of a configured server; list_servers has them.');

const anyTarget = {
  server: serverName.optional(),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('In place of server: program and arguments of a server on stdio.'),
  url: z.string().optional().describe('In place of server: address of an endpoint.'),
};

/** How an agent names a server: by its name alone, unless the user allowed any command. */
export function targetShape(commands: boolean): typeof anyTarget {
  // The other two are then no arguments at all; whoever reads them finds them absent.
  return commands ? anyTarget : ({ server: serverName } as unknown as typeof anyTarget);
}

export const spec = z
  .enum(['auto', ...revisions])
  .optional()
  .describe('Revision of the specification; auto, the default, is the newest that the server supports.');

export const runId = z.string().describe('Id of a run, such as run-1, from check_server or judge_capture.');

/** A failed or warned rule of a report. */
export const finding = z.object({
  rule: z.string(),
  level: z.string(),
  /** Whether it counts against compliance. */
  counts: z.boolean(),
  revision: z.string(),
  /** Quotes the tested server. */
  message: z.string(),
  fix: z.string().nullable(),
});

export type Finding = z.infer<typeof finding>;
