/** Which files belong to suites and their servers, and which cases a change concerns. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve, sep } from 'node:path';
import type { SuiteCase } from '../../../run/run-suite.ts';

export interface WatchedPaths {
  /** Absolute paths of files and folders. */
  paths: string[];
  /** True if a changed file is relevant. */
  counts(path: string): boolean;
  /** The suite file whose cases a change concerns, as an absolute path; undefined for every case. */
  concerns(path: string): string | undefined;
}

/** Ends of names of programs that load each other. */
const families: readonly (readonly string[])[] = [['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx']];

/**
 * @param suites as they were named
 * @param words of a command that replaces the servers of the suites
 */
export function watchedPaths(
  suites: readonly string[],
  cases: readonly SuiteCase[],
  fixture: string | undefined,
  words: readonly string[],
): WatchedPaths {
  const files = new Set(cases.map(({ file }) => resolve(file)));
  const suiteRoots = suites.map((path) => real(resolve(path)));
  const sources = [
    ...new Set(
      [
        words,
        ...cases.map(({ server }) =>
          words.length > 0 || server === undefined
            ? []
            : [server.command ?? '', ...server.args].map((word) =>
                server.cwd === undefined ? word : resolve(server.cwd, word),
              ),
        ),
      ].flatMap(sourcesIn),
    ),
  ];
  const folders = sources.map((file) => ({ folder: dirname(file), ends: endsLike(file) }));
  const fixtures = fixture === undefined ? [] : [real(resolve(fixture))];
  return {
    paths: [...new Set([...suiteRoots, ...fixtures, ...folders.map(({ folder }) => folder)])],
    // Of the folder of a server only its program counts: it may also write there.
    counts: (path) =>
      [...suiteRoots, ...fixtures].some((root) => within(path, root)) ||
      folders.some(({ folder, ends }) => within(path, folder) && ends.includes(extname(path))),
    concerns(path) {
      if (fixtures.some((root) => within(path, root))) return undefined;
      const suite = path.replace(/\.snap$/, '');
      if (files.has(suite)) return suite;
      const known = [...files].find((file) => real(file) === suite);
      return known ?? (suiteRoots.some((root) => within(path, root)) && /\.ya?ml$/.test(suite) ? suite : undefined);
    },
  };
}

function within(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : join(root, sep));
}

/** Words of a command that are files of this machine, and belong to no package. */
function sourcesIn(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const path = resolve(word);
    return extname(word) !== '' &&
      !path.split(sep).includes('node_modules') &&
      existsSync(path) &&
      statSync(path).isFile()
      ? [real(path)]
      : [];
  });
}

function endsLike(file: string): readonly string[] {
  const end = extname(file);
  return families.find((family) => family.includes(end)) ?? [end];
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
