/**
 * `npm run demo`: the built command line checks the bundled example server, first with one fault, so that a failure and its
 * proof can be seen, then without it.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = 'demo/report.html';
const fault = 'tools/list.result.tools[].inputSchema:absent';
const quick = ['--spec', '2025-11-25', '--profile', 'quick'];

/** @returns whether it ended with the code that it has to end with */
function check(title: string, args: string[], due: number): boolean {
  console.log(`\n${title}\n$ mcpc check ${args.join(' ')}\n`);
  const { status, error } = spawnSync(process.execPath, [join(root, 'bin/mcpc.js'), 'check', ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error) throw error;
  return status === due;
}

const found = check(
  'The example server, with one fault put into it: its last tool has no inputSchema. So this check has to fail.',
  [...quick, '-f', 'html', '-o', page, '--overwrite', '--', 'node', 'bin/mcpc.js', 'faults', 'serve', fault],
  1,
);
const passed = check(
  'The fault is fixed as the line "Fix" says: each tool has an inputSchema. This check has to pass.',
  [...quick, '--', 'node', 'dist/example-server.js', 'stdio'],
  0,
);
console.log(`\nThe page of the first check, with the messages behind each verdict, is ${page}`);
console.log('Next: npx mcpc check -- node your-server.js (without --profile quick for all that can be asked)');
if (!found || !passed) {
  console.error('The demonstration did not end as it has to: please report this, with the output above.');
  process.exitCode = 1;
}
