/** Pairs of --format and --output in the order of the command line. Shared by reports of one server and of fleets. */
import { existsSync, statSync } from 'node:fs';
import { usageError } from '../../../../core/model/errors.ts';

/** A token of oclif's parser, in the order of the command line. */
export interface FlagToken {
  type: string;
  flag?: string;
  input?: string;
}

export interface OutputRules<Format> {
  /** @throws McpcError usage for a name that is no format */
  byName(name: string): Format;
  /** The format that belongs to the extension of a path. */
  byPath(path: string): Format | undefined;
  /** Formats that may be written to a folder. */
  folders?: readonly Format[];
}

export interface PairedOutputs<Format> {
  /** The one format that asked for stdout. */
  stdout: Format | undefined;
  files: { format: Format; path: string }[];
}

/** @throws McpcError usage for unknown formats, outputs without a format, and two formats on stdout or at one path */
export function pairOutputs<Format extends string>(
  tokens: readonly FlagToken[],
  json: Format | undefined,
  rules: OutputRules<Format>,
): PairedOutputs<Format> {
  const pairs: { format?: Format; path?: string }[] = [];
  for (const { type, flag, input = '' } of tokens) {
    if (type !== 'flag') continue;
    const last = pairs.at(-1);
    if (flag === 'format') {
      // `--output a.html --format html`: one pair in reverse order.
      if (last?.path !== undefined && last.format === undefined && rules.byPath(last.path) === undefined)
        last.format = rules.byName(input);
      else pairs.push({ format: rules.byName(input) });
    } else if (flag === 'output') {
      if (last !== undefined && last.path === undefined) last.path = input;
      else pairs.push({ path: input });
    }
  }
  const files: PairedOutputs<Format>['files'] = [];
  const onStdout: Format[] = json === undefined ? [] : [json];
  for (const { format, path } of pairs) {
    if (path === undefined || path === '-') {
      if (format !== undefined) onStdout.push(format);
      continue;
    }
    const chosen = format ?? rules.byPath(path);
    if (chosen === undefined)
      throw usageError(
        `--output ${path} has no --format.`,
        `Write --format F --output ${path}; F is one of the formats in --help.`,
      );
    files.push({ format: chosen, path });
  }
  if (new Set(onStdout).size > 1)
    throw usageError(
      `Only one format can go to stdout, not ${onStdout.join(' and ')}.`,
      'Give the others a file: --format F --output FILE.',
    );
  const twice = files.find((one, index) => files.findIndex((other) => other.path === one.path) !== index);
  if (twice) throw usageError(`Two reports cannot go to the same file ${twice.path}.`);
  for (const { format, path } of files) if (rules.folders?.includes(format) !== true) checkWritable(path);
  return { stdout: onStdout[0], files };
}

/** Found out before a long run rather than after it. */
function checkWritable(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory())
    throw usageError(`Cannot write the report to ${path}: it is a folder.`, 'Name a file.');
}
