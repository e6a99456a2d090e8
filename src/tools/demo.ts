/** `npm run demo`: the built command line checks the bundled example server over stdio and over HTTP. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { largest } from '../core/model/lists.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const server = ['dist/example-server.js'];
const page = 'demo/report.html';

function check(title: string, args: string[]): number {
  console.log(`\n${title}\n$ mcpc check ${args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' ')}\n`);
  const { status, error } = spawnSync(process.execPath, [join(root, 'bin/mcpc.js'), 'check', ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (error) throw error;
  return status ?? 4;
}

const codes = [
  check('The example server on stdio', [
    '--spec',
    '2025-11-25',
    '--format',
    'html',
    '--output',
    page,
    '--',
    'node',
    ...server,
    'stdio',
  ]),
  check('The same server over Streamable HTTP, started and stopped by mcpc', [
    '--spec',
    '2025-11-25',
    '--serve',
    `node ${server.join(' ')} http --port {{port}}`,
    '--url',
    'http://127.0.0.1:{{port}}/mcp',
  ]),
];
console.log(`\nThe report of the first check, with the messages behind each verdict, is in ${page}`);
process.exitCode = largest(codes);
