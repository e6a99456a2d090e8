/**
 * The official conformance suite, as published on npm: installed beside the Node that it needs, and run against a
 * server over Streamable HTTP. What it finds is read from the files that it writes.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const officialPackage = '@modelcontextprotocol/conformance';
const node = 'node@24';

export interface OfficialSuite {
  version: string;
  /** Which scenarios are run. */
  choice: string[];
  /** So many of them count; fewer results mean that it did not run to its end. */
  scenarios: number;
}

export const statefulSuite: OfficialSuite = { version: '0.1.16', choice: ['--suite', 'all'], scenarios: 32 };
/** Of the revisions that have a suite of their own. */
export const laterSuites: Readonly<Record<string, OfficialSuite>> = {
  '2026-07-28': { version: '0.2.0-alpha.12', choice: ['--requirements', '2026-07-28'], scenarios: 37 },
};

export interface OfficialCheck {
  id: string;
  status: string;
  description?: string;
  errorMessage?: string;
}

export interface OfficialScenario {
  name: string;
  /** Extensions, and what the suite is not sure of yet, are run and do not count. */
  scored: boolean;
  checks: OfficialCheck[];
}

export interface OfficialRun {
  /** In the order of their names; those that it came to when it was ended early. */
  scenarios: OfficialScenario[];
  /** It did not end within the time that it was given, and was ended. */
  endedEarly: boolean;
}

/** Installs the suite and a Node for it into a folder, unless they are there. */
export async function installOfficialSuite(prefix: string, { version }: OfficialSuite): Promise<void> {
  const manifest = join(prefix, 'node_modules', officialPackage, 'package.json');
  if (existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version === version)
    return;
  process.stderr.write(`installing ${node} and ${officialPackage}@${version} into ${prefix}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await new Promise<void>((resolve, reject) => {
    const child = spawn(
      npm,
      ['install', '--no-audit', '--no-fund', '--prefix', prefix, node, `${officialPackage}@${version}`],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${npm} ended with ${code}`))));
  });
}

/**
 * @param results a folder of its own, which need not exist
 * @throws Error when it ends without a result
 */
export async function runOfficialSuite(
  prefix: string,
  url: string,
  results: string,
  { choice }: OfficialSuite,
  timeoutMs = 300_000,
): Promise<OfficialRun> {
  const program = join(prefix, 'node_modules', officialPackage, 'dist', 'index.js');
  const newer = join(prefix, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // A failed scenario ends the suite with 1; what it found stands in its files.
  const { output, error } = await new Promise<{ output: string; error: (Error & { killed?: boolean }) | null }>(
    (resolve) => {
      execFile(
        newer,
        [program, 'server', '--url', url, ...choice, '--output-dir', results],
        { maxBuffer: 64 * 1024 * 1024, timeout: timeoutMs, killSignal: 'SIGKILL' },
        (problem, stdout, stderr) => resolve({ error: problem, output: stdout + stderr }),
      );
    },
  );
  const endedEarly = error?.killed === true;
  const unscored = [...output.matchAll(/^\s+[✓✗] (\S+) \((?:extension|pending)\)$/gm)].map(([, name]) => name!);
  if (!existsSync(results) && !endedEarly)
    throw new Error(
      `the suite left no results${error === null ? '' : ` (${error.message.split('\n')[0]})`}\n${output}`,
    );
  const folders = existsSync(results)
    ? readdirSync(results).filter((folder) => existsSync(join(results, folder, 'checks.json')))
    : [];
  const scenarios = folders
    .map((folder) => ({
      name: folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''),
      checks: JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as OfficialCheck[],
    }))
    .map((one) => ({ ...one, scored: !unscored.includes(one.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { scenarios, endedEarly };
}

/** Warnings count as well: the suite itself lets a server pass with them. */
export function passesScenario({ checks }: OfficialScenario): boolean {
  return checks.some(({ status }) => status === 'SUCCESS') && checks.every(isSound);
}

/** The suite knows the scenario and cannot decide it yet. */
export function isSkipped({ checks }: OfficialScenario): boolean {
  return checks.length > 0 && checks.every(({ status }) => status === 'SKIPPED');
}

export function isSound({ status }: OfficialCheck): boolean {
  return status === 'SUCCESS' || status === 'INFO';
}
