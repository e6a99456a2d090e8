/**
 * `npm run official`: runs every server scenario of the official conformance suite against the reference server
 * over Streamable HTTP, prints a table, and ends with 1 when any of them fails. With `-- --revision 2026-07-28` it is the
 * suite of that revision; scenarios that it does not score are shown and not counted. The suites need a newer Node than
 * mcpc does; both are installed into a temporary folder (or the one given with --prefix, which is kept).
 */
import { execFile, spawn } from 'node:child_process';
import type { ExecFileException } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { startReferenceServer } from '../reference/start.ts';

const packageName = '@modelcontextprotocol/conformance';
const node = 'node@24';

interface Suite {
  version: string;
  /** Which scenarios are run. */
  choice: string[];
  /** So many of them count; fewer results mean that it did not run to its end. */
  scenarios: number;
}

const statefulSuite: Suite = { version: '0.1.16', choice: ['--suite', 'all'], scenarios: 32 };
const suites: Readonly<Record<string, Suite>> = { '2026-07-28': { version: '0.2.0-alpha.12', choice: ['--requirements', '2026-07-28'], scenarios: 37 } };

interface Check {
  id: string;
  status: string;
  description?: string;
  errorMessage?: string;
}

interface Scenario {
  name: string;
  /** Extensions, and what the suite is not sure of yet, are run and do not count. */
  scored: boolean;
  checks: Check[];
}

const { values } = parseArgs({ options: { prefix: { type: 'string' }, revision: { type: 'string' } } });
const suite = values.revision === undefined ? statefulSuite : suites[values.revision];
if (!suite) throw new Error(`There is a suite of its own for ${Object.keys(suites).join(', ')}; the others are run without --revision.`);
const work = mkdtempSync(join(tmpdir(), 'mcpc-official-'));
try {
  const prefix = values.prefix ?? work;
  if (installedVersion(prefix) !== suite.version) await install(prefix, suite);
  const scenarios = await runSuite(prefix, join(work, 'results'), suite);
  process.stdout.write(`${tableOf(scenarios)}\n`);
  const scored = scenarios.filter((one) => one.scored);
  const passed = scored.filter(({ checks }) => passes(checks)).length;
  const unscored = scenarios.filter((one) => !one.scored);
  const skipped = unscored.filter(({ checks }) => isSkipped(checks)).length;
  const beside = unscored.length === 0 ? '' : `; of ${unscored.length} that do not count, ${unscored.filter(({ checks }) => passes(checks)).length}${skipped === 0 ? '' : `; the suite itself leaves out ${skipped}`}`;
  process.stdout.write(`${passed} of ${suite.scenarios} scenarios of ${packageName} ${suite.version} passed${beside}\n`);
  process.exitCode = passed === suite.scenarios && scored.length === suite.scenarios ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function installedVersion(prefix: string): string | undefined {
  const path = join(prefix, 'node_modules', packageName, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version : undefined;
}

async function install(prefix: string, { version }: Suite): Promise<void> {
  process.stderr.write(`installing ${node} and ${packageName}@${version} into ${prefix}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['install', '--no-audit', '--no-fund', '--prefix', prefix, node, `${packageName}@${version}`]);
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

/** Runs all scenarios against a server of this process, and reads what the suite wrote about each. */
async function runSuite(prefix: string, results: string, { choice }: Suite): Promise<Scenario[]> {
  const server = await startReferenceServer({ transport: 'http', host: 'localhost', fixtures: true });
  const program = join(prefix, 'node_modules', packageName, 'dist', 'index.js');
  const newer = join(prefix, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const args = [program, 'server', '--url', server.url, ...choice, '--output-dir', results];
  let unscored: string[] = [];
  try {
    // A failed scenario ends the suite with 1; what it found stands in its files.
    const { output, error } = await new Promise<{ output: string; error: ExecFileException | null }>((resolve) => {
      execFile(newer, args, { maxBuffer: 64 * 1024 * 1024, timeout: 300_000 }, (problem, stdout, stderr) => resolve({ error: problem, output: stdout + stderr }));
    });
    unscored = [...output.matchAll(/^\s+[✓✗] (\S+) \((?:extension|pending)\)$/gm)].map(([, name]) => name!);
    if (!existsSync(results)) throw new Error(`the suite left no results${error === null ? '' : ` (${error.message.split('\n')[0]})`}\n${output}`);
  } finally {
    await server.close();
  }
  return readdirSync(results)
    .map((folder) => ({ name: folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''), checks: JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as Check[] }))
    .map((one) => ({ ...one, scored: !unscored.includes(one.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Warnings count as well: the suite itself lets a server pass with them. */
function passes(checks: readonly Check[]): boolean {
  return checks.some(({ status }) => status === 'SUCCESS') && checks.every(({ status }) => status === 'SUCCESS' || status === 'INFO');
}

/** The suite knows the scenario and cannot decide it yet. */
function isSkipped(checks: readonly Check[]): boolean {
  return checks.length > 0 && checks.every(({ status }) => status === 'SKIPPED');
}

function tableOf(scenarios: readonly Scenario[]): string {
  const table = new Table({ head: ['scenario', 'result', 'checks', 'what failed'], style: { head: [], border: [] }, colWidths: [34, 10, 8, 60], wordWrap: true });
  for (const { name, scored, checks } of scenarios) {
    const told = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO').map(({ id, status, errorMessage }) => `${id} ${status}${errorMessage === undefined ? '' : `: ${errorMessage}`}`);
    table.push([scored ? name : `${name} (not counted)`, passes(checks) ? 'pass' : isSkipped(checks) ? 'left out' : 'FAIL', String(checks.filter(({ status }) => status !== 'INFO').length), told.join('\n')]);
  }
  return table.toString();
}
