/** The common part of the commands that judge a client: flags, where reports go, and the exit code. */
import { Flags } from '@oclif/core';
import { gateFlags, outputFlags, selectionFlags } from '../../../check/commands/support/flags/run-flags.ts';
import { specsOf } from '../../../check/commands/support/flags/spec-flag.ts';
import type { GateValues, Printer } from '../../../check/commands/support/conclude.ts';
import type { FlagToken } from '../../../check/commands/support/flags/pair-outputs.ts';
import { usageError } from '../../../core/model/errors.ts';
import type { RunReport } from '../../../core/model/reports/run-report.ts';
import type { Revision } from '../../../core/model/rules/requirement.ts';
import { revisions } from '../../../core/spec/revisions.ts';

export const clientGroup = 'CLIENT';

/** @param judged the judged party, in words */
export function clientFlags(judged: 'client' | 'application') {
  return {
    transport: Flags.option({
      summary: 'Transport: http (Streamable HTTP), stdio, or sse (HTTP+SSE of 2024-11-05).',
      helpGroup: clientGroup,
      options: ['http', 'stdio', 'sse'] as const,
      default: 'http' as const,
    })(),
    spec: Flags.string({
      summary: `Revision of the specification to judge by: auto (the one that the ${judged} asks for), or one of ${revisions.join(', ')}.`,
      helpGroup: clientGroup,
      helpValue: 'REVISION',
      default: 'auto',
    }),
    trace: Flags.string({
      summary: 'Write a trace to this file: every message exchanged, for "mcpc judge" and "mcpc trace".',
      helpGroup: clientGroup,
      helpValue: 'FILE',
    }),
    'keep-secrets': Flags.boolean({
      summary: 'Do not redact secrets in the trace and reports.',
      helpGroup: clientGroup,
    }),
    ...selectionFlags,
    ...gateFlags,
    ...outputFlags,
  };
}

/** @throws McpcError usage for several revisions, and for what is none */
export function oneRevision(value: string): Revision | 'auto' {
  const { spec, specs } = specsOf(value);
  if (specs !== undefined)
    throw usageError('--spec takes auto or one revision here.', 'Run it once for each revision.');
  return spec;
}

interface EndFlags extends GateValues {
  json: boolean;
  templates?: string | undefined;
  overwrite: boolean;
  trace?: string | undefined;
  quiet?: boolean | undefined;
  verbose?: boolean | undefined;
  'no-color'?: boolean | undefined;
}

/**
 * Checks everything that is written at the end, so that a wrong flag is reported before the run.
 * @returns what writes the reports and gives the exit code
 * @throws McpcError usage
 */
export async function openEnd(
  flags: EndFlags,
  raw: readonly FlagToken[],
): Promise<(report: RunReport, printer: Printer) => number> {
  const [{ planSinks }, { conclude, openGate }, { checkOutput, traceOutput }] = await Promise.all([
    import('../../../check/commands/support/report-sinks.ts'),
    import('../../../check/commands/support/conclude.ts'),
    import('../../../files/output/output.ts'),
  ]);
  const sinks = planSinks(raw, {
    json: flags.json,
    alone: 'terminal',
    besideFiles: 'terminal',
    templatesDir: flags.templates,
    overwrite: flags.overwrite,
  });
  const gate = openGate(flags);
  if (flags.trace !== undefined) checkOutput(traceOutput(flags.trace, flags.overwrite));
  const choice = {
    templatesDir: flags.templates,
    quiet: flags.quiet,
    verbose: flags.verbose,
    ...(flags['no-color'] ? { color: false } : {}),
  };
  return (report, printer) => conclude(report, gate, sinks, choice, printer);
}
