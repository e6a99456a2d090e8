/** What `npm test` needs before the tests: the built command line, a browser for the HTML reports, redis-server for the queue. */
import { spawnSync } from 'node:child_process';
import { findBrowser } from './browser.ts';
import { findRedis } from './redis.ts';

function run(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

function missing(find: () => unknown): string | undefined {
  try {
    find();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A package of Debian, where this process may install it. */
function install(name: string): void {
  const mayInstall =
    process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return;
  console.error(`Installing ${name} with apt-get.`);
  // The lists may be there already; when they are old, they are fetched and it is tried once more.
  const words = ['install', '-y', '--no-install-recommends', name];
  if (!run('apt-get', words) && run('apt-get', ['update'])) run('apt-get', words);
}

for (const [name, find] of [
  ['chromium', findBrowser],
  ['redis-server', findRedis],
] as const) {
  if (missing(find) !== undefined) install(name);
  const problem = missing(find);
  if (problem !== undefined) {
    console.error(problem);
    process.exit(1);
  }
}
await import('../../src/tools/build.ts');
