/** What `npm test` needs before the tests: the built command line, and a browser for those of the HTML report. */
import { spawnSync } from 'node:child_process';
import { findBrowser } from './browser.ts';

function run(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

function browserMissing(): string | undefined {
  try {
    findBrowser();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Debian's browser, where this process may install it. */
function installBrowser(): void {
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return;
  console.error('No Chrome or Chromium found; installing chromium with apt-get.');
  // The lists may be there already; when they are old, they are fetched and it is tried once more.
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  if (!run('apt-get', install) && run('apt-get', ['update'])) run('apt-get', install);
}

if (browserMissing() !== undefined) installBrowser();
const problem = browserMissing();
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}
await import('../../src/tools/build.ts');
