/** Converts files of mcp-assert and mcp-jest to suites in the form of mcpc. It writes nothing itself. */
import { basename, extname } from 'node:path';
import { usageError } from '../../../core/model/errors.ts';
import { append } from '../../../core/model/lists.ts';
import { foreignForm } from '../../language/file/foreign-form.ts';
import type { SuiteCase } from '../../language/model.ts';
import { loadSuites } from '../../run/load.ts';
import { suiteFileText } from '../suite-text.ts';
import { nativeCases } from './from-assert.ts';
import { casesOfJest } from './from-jest.ts';
import { joinUnits, type ConvertedUnit } from './join-suites.ts';

export interface ConvertOptions {
  /** All cases in one file. */
  together: boolean;
  /** The value of a JSON file. */
  readConfig(file: string): unknown;
}

export interface Converted {
  /** Texts with the file that each comes from; one alone comes of all. */
  files: { source: string; text: string; cases: number }[];
  /** Omitted parts, a line each. */
  left: string[];
}

/**
 * @param paths files, and folders with all that is in them
 * @throws McpcError usage for files that cannot be read, and for those of tools that are not converted
 */
export async function convertSuites(
  paths: readonly string[],
  { together, readConfig }: ConvertOptions,
): Promise<Converted> {
  const left: string[] = [];
  const units: ConvertedUnit[] = [];
  for (const path of paths.filter(isConfig)) {
    const converted = jestCases(path, readConfig(path));
    units.push({ ...converted, source: path, of: 'mcp-jest' });
    append(
      left,
      converted.left.map((line) => `${path}: ${line}`),
    );
  }
  append(
    units,
    await assertUnits(
      paths.filter((path) => !isConfig(path)),
      left,
    ),
  );
  if (units.length === 0) return { files: [], left };
  const groups = together ? [units] : units.map((unit) => [unit]);
  return {
    left,
    files: groups.map((group) => {
      const { members, cases } = joinUnits(group);
      const sources = group.map(({ source }) => source).join(', ');
      const tools = [...new Set(group.map(({ of }) => of))].join(' and ');
      return {
        source: group[0]!.source,
        cases: cases.length,
        text: suiteFileText({ comments: [`Converted from ${sources} of ${tools}.`], members, cases }),
      };
    }),
  };
}

/** The files of mcp-assert, in the order of their names. */
async function assertUnits(paths: readonly string[], left: string[]): Promise<ConvertedUnit[]> {
  if (paths.length === 0) return [];
  const { cases: loaded } = await loadSuites(paths, { recursive: true, strict: false, noCommands: false });
  const own = loaded.filter(({ form }) => form === 'native').map(({ file }) => file);
  append(
    left,
    [...new Set(own)].map((file) => `${file}: it is in the form of mcpc already.`),
  );
  return [...byFile(loaded.filter(({ form }) => form === 'assert'))].flatMap(([source, cases]): ConvertedUnit[] => {
    const converted = nativeCases(cases);
    append(
      left,
      converted.left.map(({ file, name, why }) => `${file}: ${name === basename(file) ? '' : `${name}: `}${why}.`),
    );
    if (converted.cases.length === 0) return [];
    return [{ source, of: 'mcp-assert', servers: Object.fromEntries(converted.servers), cases: converted.cases }];
  });
}

function isConfig(path: string): boolean {
  return extname(path).toLowerCase() === '.json';
}

/** @throws McpcError usage for what is no such configuration */
function jestCases(path: string, config: unknown): ReturnType<typeof casesOfJest> {
  const foreign = foreignForm(config);
  if (foreign !== undefined)
    throw usageError(`${path}: this is ${foreign.what}, which is not converted.`, foreign.remedy);
  try {
    return casesOfJest(config);
  } catch (error) {
    throw usageError(
      `${path} is no configuration of mcp-jest: ${(error as Error).message}.`,
      'Name a JSON file with "server" and "tests".',
      error,
    );
  }
}

function byFile(cases: readonly SuiteCase[]): Map<string, SuiteCase[]> {
  const found = new Map<string, SuiteCase[]>();
  for (const one of cases) found.set(one.file, [...(found.get(one.file) ?? []), one]);
  return found;
}
