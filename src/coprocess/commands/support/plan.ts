/** From the flags of `mcpc exec` to a coprocess and its reports. */
import { readFileSync } from 'node:fs';
import { split } from 'shlex';
import type { CoprocessOptions } from '../../options.ts';
import { checkOutput, traceOutput } from '../../../files/output/output.ts';
import { usageError } from '../../../core/model/errors.ts';
import type { SuiteReport } from '../../../core/model/reports/suite-report.ts';
import type { FlagToken } from '../../../check/commands/support/flags/pair-outputs.ts';
import { targetOptions, type TargetFlagValues } from '../../../check/commands/support/flags/target-flags.ts';
import type { SuiteSinks } from '../../../suites/commands/support/flag-types.ts';

export interface ExecFlagValues extends TargetFlagValues {
  'server-command'?: string | undefined;
  'client-capabilities'?: string | undefined;
  trace?: string | undefined;
  templates?: string | undefined;
  overwrite: boolean;
}

type Given = 'toolVersion' | 'stdin' | 'write' | 'signal' | 'talk' | 'onFault' | 'writeReports';

export interface CoprocessPlan {
  options: Omit<CoprocessOptions, Given>;
  writeReports(report: SuiteReport, talk: (line: string) => void): Promise<void>;
}

const defaultTimeoutMs = 30_000;

/** @param command what stood behind `--` @throws McpcError usage */
export async function coprocessPlan(
  flags: ExecFlagValues,
  command: string[],
  tokens: readonly FlagToken[],
): Promise<CoprocessPlan> {
  const words = commandWords(flags, command);
  const { timing, ...target } = await targetOptions({ ...flags, timeout: undefined }, words);
  const file = flags['client-capabilities'];
  if (flags.trace !== undefined) checkOutput(traceOutput(flags.trace, flags.overwrite));
  const sinks = await sinksOf(tokens, flags);
  return {
    options: {
      ...target,
      startMs: timing.startMs,
      timeoutMs: flags.timeout ?? defaultTimeoutMs,
      traceFile: flags.trace,
      features: file === undefined ? undefined : await featuresOf(file),
    },
    async writeReports(report, talk) {
      const { writeSuite } = await import('../../../suites/commands/support/output.ts');
      await writeSuite(report, sinks, { templates: flags.templates, overwrite: flags.overwrite }, talk);
    },
  };
}

/** @throws McpcError usage for a report that would go to stdout */
async function sinksOf(tokens: readonly FlagToken[], flags: ExecFlagValues): Promise<SuiteSinks> {
  if (!tokens.some(({ flag }) => flag === 'format' || flag === 'output')) return { stdout: undefined, files: [] };
  const { planSuiteSinks } = await import('../../../suites/commands/support/run.ts');
  const sinks = await planSuiteSinks(tokens, { ...flags, json: false, trace: undefined });
  if (sinks.files.length === 0)
    throw usageError('stdout carries responses only.', 'Give the report a file: --format F --output FILE.');
  return sinks;
}

async function featuresOf(file: string): Promise<CoprocessOptions['features']> {
  const { clientFeatures } = await import('../../client-features.ts');
  return clientFeatures(file, textOf(file));
}

function commandWords(flags: ExecFlagValues, command: string[]): string[] {
  const line = flags['server-command'];
  if (line === undefined) return command;
  if (command.length > 0 || flags.url !== undefined || flags.config !== undefined || flags.server !== undefined)
    throw usageError(
      'The server is named twice.',
      'Name it once: by --server-command, by --url, by --config or after "--".',
    );
  let words: string[];
  try {
    words = split(line);
  } catch (error) {
    throw usageError(
      `--server-command cannot be read: ${(error as Error).message}`,
      'Quote it as for a POSIX shell, or put the words after "--".',
      error,
    );
  }
  if (words.length === 0)
    throw usageError('--server-command names no command.', 'For example --server-command "node server.js".');
  return words;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${(error as Error).message}`, 'Check the path and its permissions.', error);
  }
}
