/**
 * What changes from commit to commit in the tests: which transport an example is played on, and which mutations
 * share a server. The seed of a run is its commit, or what MCPC_SEED says.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** The seed of this run: MCPC_SEED, or the commit that is checked out; a fixed one where there is no repository. */
export function seedOfRun(): string {
  const given = process.env.MCPC_SEED;
  if (given !== undefined && given !== '') return given;
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'no-commit';
  }
}

/** Ids of the rules whose files this commit or the work tree changes or adds, or those of MCPC_CHANGED; none where git does not tell. */
export function changedRules(): string[] {
  const given = process.env['MCPC_CHANGED'];
  if (given !== undefined && given !== '') return given.split(',');
  const git = (...words: string[]): string =>
    execFileSync('git', [...words, '--', 'rules'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return rulesAmong(
      `${git('diff', '--name-only', '--relative', 'HEAD~1')}\n${git('ls-files', '--others', '--exclude-standard')}`.split(
        '\n',
      ),
    );
  } catch {
    return [];
  }
}

/** The ids of the rules among paths from the root of the project; schemas and texts are none. */
export function rulesAmong(paths: readonly string[]): string[] {
  const ids = paths.flatMap((file) => /^rules\/((?!language\/|spec\/)[^/]+\/[^/]+)\.json$/.exec(file)?.[1] ?? []);
  return [...new Set(ids)];
}

/** A number from 0 to below 2^32 that the seed and the words give, always the same. */
export function drawn(seed: string, ...words: string[]): number {
  return createHash('sha256')
    .update(JSON.stringify([seed, ...words]))
    .digest()
    .readUInt32BE();
}

/** The list in an order that the seed gives. */
export function shuffled<T>(list: readonly T[], seed: string, nameOf: (one: T) => string): T[] {
  return list
    .map((one) => ({ one, at: drawn(seed, nameOf(one)) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
