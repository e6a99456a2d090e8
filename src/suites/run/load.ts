/** Finds the files of suites and reads their cases; all faults are reported at once. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import { append } from '../../core/model/lists.ts';
import type { ServerBlock, Step, SuiteCase } from '../language/model.ts';
import type { RuleOption } from '../language/expectations/rule.ts';
import type { Place, Problem } from '../language/yaml-source.ts';
import { demandsOfCase } from '../language/judge/prepare.ts';
import { joinMatrices } from '../language/file/matrix-part.ts';
import type { MatrixBlock } from '../language/file/matrix-part.ts';
import { largestFile, readSuiteText } from '../language/file/read-suite.ts';
import { readSchemaFiles } from './schema-files.ts';

export interface LoadOptions {
  /** Go deeper than one folder. */
  recursive: boolean;
  /** Unknown members are errors. */
  strict: boolean;
  /** Cases that assert nothing fail. */
  emptyFails?: boolean;
  /** Suites of strangers: steps that run programs are refused. */
  noCommands: boolean;
}

export interface LoadedSuite {
  cases: SuiteCase[];
  /** With file, line and column. */
  warnings: string[];
  /** Of all files together. */
  matrix: MatrixBlock;
  /** Servers that the files name. */
  servers: ReadonlyMap<string, ServerBlock>;
}

const mostCases = 10_000;
const mostProblems = 20;

/**
 * @param paths files and folders, in running order; a file named twice is read once
 * @throws McpcError usage naming file, line and column of every fault
 */
export async function loadSuites(paths: readonly string[], options: LoadOptions): Promise<LoadedSuite> {
  const cases: SuiteCase[] = [];
  const warnings: string[] = [];
  const matrices: MatrixBlock[] = [];
  const servers = new Map<string, ServerBlock>();
  const errors: string[] = [];
  const met = new Set<string>();
  for (const path of paths) {
    const files = filesOf(path, options.recursive);
    if (files.length === 0)
      throw usageError(`no assertion files found in ${path}`, 'Name a folder with .yaml or .yml files.');
    for (const file of files) {
      if (met.has(resolve(file))) continue;
      met.add(resolve(file));
      const text = textOf(file);
      if (text === undefined) {
        errors.push(tooLarge(file));
        continue;
      }
      const reported = ({ file: own = file, line, column, text }: Place & { text: string }): string =>
        `${own}:${line}:${column}: ${text}`;
      const read = readSuiteText(
        text,
        { path: file, base: basename(file) },
        {
          strict: options.strict,
          imported: (path, from = file) => importedFile(isAbsolute(path) ? path : join(dirname(from), path)),
          emptyFails: options.emptyFails,
        },
      );
      if (options.noCommands) append(errors, commandsIn(read.cases).map(reported));
      append(errors, [...(await ruleProblems(read.cases)), ...readSchemaFiles(read.cases)].map(reported));
      append(cases, read.cases);
      append(matrices, read.matrices);
      for (const [name, server] of read.servers) servers.set(name, server);
      for (const problem of read.problems) (problem.severity === 'error' ? errors : warnings).push(reported(problem));
    }
  }
  if (errors.length > 0) {
    // Imports of several files, and the steps around all cases, would be reported each time they are read.
    const unique = [...new Set(errors)];
    const more = unique.length > mostProblems ? `\nand ${unique.length - mostProblems} more` : '';
    throw usageError(
      `${unique.slice(0, mostProblems).join('\n')}${more}`,
      'See docs/suites.md for what a file may hold.',
    );
  }
  if (cases.length > mostCases)
    throw usageError(
      `There are ${cases.length} cases, more than the ${mostCases} that a run may have.`,
      'Run folders of them one after another.',
    );
  return { cases, warnings, servers, matrix: joinMatrices(matrices) };
}

/** @returns undefined for a file that is too large */
function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > largestFile ? undefined : readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${(error as Error).message}`, 'Check the path and its permissions.', error);
  }
}

function tooLarge(file: string): string {
  return `${file}:1:1: the file is larger than ${largestFile} bytes`;
}

function importedFile(path: string): { path: string; text: string } | undefined {
  try {
    const text = textOf(path);
    return text === undefined ? undefined : { path, text };
  } catch {
    return undefined;
  }
}

/** Faults in conditions of cases; the language of rules is only loaded if there are any. */
async function ruleProblems(cases: readonly SuiteCase[]): Promise<Problem[]> {
  const demands = cases.flatMap(demandsOfCase);
  if (demands.length === 0) return [];
  const { caseRule } = await import('./traffic/case-rules.ts');
  const found = [...new Set(demands.map(({ option }) => option as RuleOption))].flatMap(
    (option) => caseRule(option).problems ?? [],
  );
  // The steps of cases with several entries, and those before and after all cases, are there more than once.
  return [...new Map(found.map((one) => [`${one.line}:${one.column}:${one.text}`, one])).values()];
}

/** Forbidden parts of untrusted suites: steps that run programs, and steps around all cases. */
function commandsIn(cases: readonly SuiteCase[]): (Place & { text: string })[] {
  const within = (steps: readonly Step[]): (Place & { text: string })[] =>
    steps.flatMap(({ id, act, place, unchanged = [] }) => {
      const around = ['before', 'after'].find((part) => id.startsWith(`${part}.`));
      const refused = act.kind === 'run' ? 'the step run' : around;
      return [
        ...(refused === undefined ? [] : [{ ...place, text: `${refused} is refused (--no-commands)` }]),
        ...within(act.kind === 'parallel' ? act.steps : []),
        ...within(unchanged),
      ];
    });
  return cases.flatMap(({ steps }) => within(steps));
}

/** The files in byte order; those of a folder stand in its place. */
function filesOf(path: string, recursive: boolean): string[] {
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw usageError(`There is no suite ${path}.`, 'Name a file or a folder that exists.', error);
  }
  if (!isFolder) {
    if (!isYaml(path))
      throw usageError(
        `${path} is no suite: its name ends neither in .yaml nor in .yml.`,
        'Name a YAML file, or a folder of them.',
      );
    return [path];
  }
  return inFolder(path, recursive ? Number.POSITIVE_INFINITY : 1);
}

function inFolder(folder: string, deeper: number): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((one, other) =>
    Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)),
  );
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    // Links are followed, as in mcp-assert; a dangling one is not a file.
    const found = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
    if (found?.isDirectory())
      return deeper > 0 && !(entry.isSymbolicLink() && deeper > 1) ? inFolder(path, deeper - 1) : [];
    return found?.isFile() && isYaml(entry.name) ? [path] : [];
  });
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name);
}
