/** Converts files of mcp-assert and mcp-jest to suites in the form of mcpc. It writes nothing itself. */
import { basename, extname } from 'node:path';
import { loadSuites } from '../../run/load.ts';
import { usageError } from '../../../core/model/errors.ts';
import { append } from '../../../core/model/lists.ts';
import type { SuiteCase } from '../../language/model.ts';
import { suiteFileText } from '../suite-text.ts';
import { nativeCases } from './from-assert.ts';
import { casesOfJest } from './from-jest.ts';

export interface ConvertOptions {
  /** Go deeper than one folder. */
  recursive: boolean;
  /** All cases of mcp-assert in one file. */
  together: boolean;
  /** The value of a JSON file. */
  readConfig(file: string): unknown;
}

export interface Converted {
  /** Texts with the file that each comes from. */
  files: { source: string; text: string; cases: number }[];
  /** What was left out, a line each. */
  left: string[];
}

/** @throws McpcError usage for files that cannot be read */
export async function convertSuites(
  paths: readonly string[],
  { recursive, together, readConfig }: ConvertOptions,
): Promise<Converted> {
  const files: Converted['files'] = [];
  const left: string[] = [];
  for (const path of paths.filter(isConfig)) {
    const { members, cases, left: lost } = jestCases(path, readConfig(path));
    files.push({
      source: path,
      cases: cases.length,
      text: suiteFileText({ comments: [`Converted from ${path} of mcp-jest.`], members, cases }),
    });
    append(
      left,
      lost.map((line) => `${path}: ${line}`),
    );
  }
  const others = paths.filter((path) => !isConfig(path));
  const loaded =
    others.length === 0 ? [] : (await loadSuites(others, { recursive, strict: false, noCommands: false })).cases;
  append(
    left,
    [...new Set(loaded.filter(({ form }) => form === 'native').map(({ file }) => file))].map(
      (file) => `${file}: it is in the form of mcpc already.`,
    ),
  );
  for (const [source, cases] of grouped(
    loaded.filter(({ form }) => form === 'assert'),
    together,
  )) {
    const converted = nativeCases(cases);
    append(
      left,
      converted.left.map(({ file, name, why }) => `${file}: ${name === basename(file) ? '' : `${name}: `}${why}.`),
    );
    if (converted.cases.length === 0) continue;
    files.push({
      source,
      cases: converted.cases.length,
      text: suiteFileText({
        comments: [`Converted from ${together ? others.join(', ') : source} of mcp-assert.`],
        members: { servers: Object.fromEntries(converted.servers) },
        cases: converted.cases,
      }),
    });
  }
  if (together && files.length > 1)
    throw usageError(
      'Files of mcp-assert and of mcp-jest cannot become one file.',
      'Convert each by itself, or give --output a folder.',
    );
  return { files, left };
}

function isConfig(path: string): boolean {
  return extname(path).toLowerCase() === '.json';
}

/** @throws McpcError usage for what is no such configuration */
function jestCases(path: string, config: unknown): ReturnType<typeof casesOfJest> {
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

function grouped(cases: readonly SuiteCase[], together: boolean): Map<string, SuiteCase[]> {
  const byFile = new Map<string, SuiteCase[]>();
  for (const one of cases) {
    const key = together ? 'suite' : one.file;
    byFile.set(key, [...(byFile.get(key) ?? []), one]);
  }
  return byFile;
}
