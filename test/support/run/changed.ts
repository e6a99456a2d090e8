/** The files that differ from another state of the project, for `npm run test:changed`. */
import { execFileSync } from 'node:child_process';

/** Paths from the root of the project that the commits since `base` and the work tree change or add. @throws where git does not know `base` */
export function changedFiles(base: string): string[] {
  const git = (...words: string[]): string[] =>
    execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .split('\n')
      .filter(Boolean);
  return [
    ...new Set([
      ...git('diff', '--name-only', '--relative', base, '--'),
      ...git('ls-files', '--others', '--exclude-standard'),
    ]),
  ];
}

/** The ids of the rules among paths from the root of the project; schemas and texts are none. */
export function rulesAmong(paths: readonly string[]): string[] {
  const ids = paths.flatMap(
    (file) => /^rules\/((?!language\/|spec\/)[^/]+\/[^/]+?)(?:\.json|\.facts\.ts)$/.exec(file)?.[1] ?? [],
  );
  return [...new Set(ids)];
}
