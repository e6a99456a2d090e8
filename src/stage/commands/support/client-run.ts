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

/** The flag of a client that mcpc starts. */
export const startedSpec = Flags.string({
  summary: `Revision of the specification to judge by: auto (the revision that the client asks for, and each older revision that it accepts), newest (without older revisions), or one of ${revisions.join(', ')}.`,
  helpGroup: clientGroup,
  helpValue: 'REVISION',
  default: 'auto',
});

/** @throws McpcError usage for several revisions, and for what is none */
export function startedRevision(value: string): Revision | 'auto' | 'newest' {
  return value === 'newest' ? value : oneRevision(value);
}

interface EndFlags extends GateValues {
  json: boolean;
  templates?: string | undefined;
  overwrite: boolean;
  trace?: string | undefined;
  quiet?: boolean | undefined;
  verbose?: boolean | undefined;
  'no-color'?: boolean | undefined;
  'junit-skipped'?: boolean | undefined;
}

/** The end of a run. */
export interface RunEnd {
  /** Writes the reports and gives the exit code. */
  conclude(report: RunReport, printer: Printer): number;
  /** Keeps what there is of an interrupted run, where files were asked for. @returns what was kept, in words */
  keep(report: RunReport | undefined): string[];
  /** Files that are written. */
  written: string[];
}

/**
 * Checks everything that is written at the end, so that a wrong flag is reported before the run.
 * @param severalTraces each older revision has a trace of its own
 * @throws McpcError usage
 */
export async function openEnd(flags: EndFlags, raw: readonly FlagToken[], severalTraces = false): Promise<RunEnd> {
  const [{ planSinks, writeReport }, { conclude, openGate }, { checkOutput, traceOutput }, { tracesOf }] =
    await Promise.all([
      import('../../../check/commands/support/report-sinks.ts'),
      import('../../../check/commands/support/conclude.ts'),
      import('../../../files/output/output.ts'),
      import('../../../check/trace-files.ts'),
    ]);
  const sinks = planSinks(raw, {
    json: flags.json,
    alone: 'terminal',
    besideFiles: 'terminal',
    templatesDir: flags.templates,
    overwrite: flags.overwrite,
  });
  const gate = openGate(flags);
  const traces = flags.trace === undefined ? [] : tracesOf(flags.trace, severalTraces ? 'each' : undefined);
  for (const file of traces) checkOutput(traceOutput(file, flags.overwrite));
  const choice = {
    templatesDir: flags.templates,
    quiet: flags.quiet,
    verbose: flags.verbose,
    junitSkipped: flags['junit-skipped'],
    ...(flags['no-color'] ? { color: false } : {}),
  };
  return {
    conclude: (report, printer) => conclude(report, gate, sinks, choice, printer),
    keep(report) {
      const kept = flags.trace === undefined ? [] : [`the trace so far is in ${flags.trace}`];
      if (report === undefined || sinks.files.length === 0) return kept;
      writeReport(report, { ...sinks, stdout: undefined }, choice, () => {});
      return [...kept, ...sinks.files.map(({ format, path }) => `${format} of what was decided is in ${path}`)];
    },
    written: [
      ...traces,
      ...(flags.baseline === undefined ? [] : [flags.baseline]),
      ...sinks.files.map((one) => one.path),
    ],
  };
}
