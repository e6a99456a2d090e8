/**
 * `npm run official`: runs every server scenario of the official conformance suite against the reference server
 * over Streamable HTTP, prints a table, and ends with 1 when any of them fails. The suite needs a newer Node than
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

const suite = { name: '@modelcontextprotocol/conformance', version: '0.1.16' };
const node = 'node@24';
/** So many the suite has for servers; fewer results mean that it did not run to its end. */
const scenarioCount = 32;

interface Check {
  id: string;
  status: string;
  description?: string;
  errorMessage?: string;
}

interface Scenario {
  name: string;
  checks: Check[];
}

const { values } = parseArgs({ options: { prefix: { type: 'string' } } });
const work = mkdtempSync(join(tmpdir(), 'mcpc-official-'));
try {
  const prefix = values.prefix ?? work;
  if (!existsSync(join(prefix, 'node_modules', suite.name))) await install(prefix);
  const scenarios = await runSuite(prefix, join(work, 'results'));
  process.stdout.write(`${tableOf(scenarios)}\n`);
  const bad = scenarios.filter(({ checks }) => !passes(checks));
  const complete = scenarios.length === scenarioCount;
  process.stdout.write(`${scenarios.length - bad.length} of ${scenarioCount} scenarios of ${suite.name} ${suite.version} passed\n`);
  process.exitCode = bad.length > 0 || !complete ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function install(prefix: string): Promise<void> {
  process.stderr.write(`installing ${node} and ${suite.name}@${suite.version} into ${prefix}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['install', '--no-audit', '--no-fund', '--prefix', prefix, node, `${suite.name}@${suite.version}`]);
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

/** Runs all scenarios against a server of this process, and reads what the suite wrote about each. */
async function runSuite(prefix: string, results: string): Promise<Scenario[]> {
  const server = await startReferenceServer({ transport: 'http', host: 'localhost', fixtures: true });
  const program = join(prefix, 'node_modules', suite.name, 'dist', 'index.js');
  const newer = join(prefix, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const args = [program, 'server', '--url', server.url, '--suite', 'all', '--output-dir', results];
  try {
    // A failed scenario ends the suite with 1; what it found stands in its files.
    const { output, error } = await new Promise<{ output: string; error: ExecFileException | null }>((resolve) => {
      execFile(newer, args, { maxBuffer: 64 * 1024 * 1024, timeout: 300_000 }, (problem, stdout, stderr) => resolve({ error: problem, output: stdout + stderr }));
    });
    if (!existsSync(results)) throw new Error(`the suite left no results${error === null ? '' : ` (${error.message.split('\n')[0]})`}\n${output}`);
  } finally {
    await server.close();
  }
  return readdirSync(results)
    .map((folder) => ({ name: folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''), checks: JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as Check[] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Warnings count as well: the suite itself lets a server pass with them. */
function passes(checks: readonly Check[]): boolean {
  return checks.some(({ status }) => status === 'SUCCESS') && checks.every(({ status }) => status === 'SUCCESS' || status === 'INFO');
}

function tableOf(scenarios: readonly Scenario[]): string {
  const table = new Table({ head: ['scenario', 'result', 'checks', 'what failed'], style: { head: [], border: [] }, colWidths: [34, 8, 8, 60], wordWrap: true });
  for (const { name, checks } of scenarios) {
    const told = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO').map(({ id, status, errorMessage }) => `${id} ${status}${errorMessage === undefined ? '' : `: ${errorMessage}`}`);
    table.push([name, passes(checks) ? 'pass' : 'FAIL', String(checks.filter(({ status }) => status !== 'INFO').length), told.join('\n')]);
  }
  return table.toString();
}
