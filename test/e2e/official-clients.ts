/**
 * `npm run official:clients -- --repository DIR`: runs the example clients of the official conformance repository, unchanged,
 * through its own runner and through `mcpc client conformance`, and prints both results next to each other. DIR is a
 * checkout or a bare clone. Their dependencies and a Node that the runner needs go into a temporary folder. Ends with 1
 * where the results differ. The scenarios below auth/ are added once mcpc plays them.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import Table from 'cli-table3';
import { readScenarios } from '../../src/stage/conformance/scenarios.ts';

const run = promisify(execFile);
const bin = fileURLToPath(new URL('../../bin/mcpc.js', import.meta.url));
const examples = 'examples/clients/typescript';

/** Clients of the repository that are for one scenario; everything-client gets all of them. */
const single: [client: string, scenario: string][] = [
  ['test-broken', 'initialize'],
  ['test1', 'initialize'],
  ['elicitation-defaults-test', 'elicitation-sep1034-client-defaults'],
  ['sse-retry-test', 'sse-retry'],
];

const { values } = parseArgs({ options: { repository: { type: 'string' } } });
if (values.repository === undefined)
  throw new Error('Give the official repository: npm run official:clients -- --repository DIR');

const work = mkdtempSync(join(tmpdir(), 'mcpc-official-clients-'));
try {
  process.exitCode = (await compare(values.repository)) ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function compare(source: string): Promise<boolean> {
  const repository = join(work, 'conformance');
  await run('git', ['clone', '--quiet', source, repository]);
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: repository, maxBuffer: 1 << 26 });
  const newer = join(work, 'node');
  mkdirSync(newer);
  await run('npm', ['install', '--prefix', newer, '--no-audit', '--no-fund', 'node@24']);
  const env = {
    ...process.env,
    PATH: `${join(newer, 'node_modules', 'node', 'bin')}${delimiter}${process.env['PATH']}`,
  };
  const own = readScenarios().filter(({ waits }) => waits === undefined);
  const pairs = [...own.map(({ scenario }): [string, string] => ['everything-client', scenario]), ...single];
  const table = new Table({ head: ['client', 'scenario', 'official', 'mcpc', ''] });
  let same = true;
  for (const [client, scenario] of pairs) {
    if (!existsSync(join(repository, examples, `${client}.ts`)))
      throw new Error(`The repository has no client ${client}.`);
    const command = `npx tsx ${examples}/${client}.ts`;
    const words = ['--command', command, '--scenario', scenario];
    const official = await outcomeOf('npx', ['tsx', 'src/index.ts', 'client', ...words], repository, env);
    const ours = await outcomeOf(process.execPath, [bin, 'client', '--conformance', ...words], repository, env);
    const agrees = official.code === ours.code;
    same &&= agrees;
    table.push([client, scenario, official.text, ours.text, agrees ? '' : 'differs']);
  }
  process.stdout.write(
    `${table.toString()}\n${same ? 'All agree.' : 'Some differ; test/e2e/client-findings.md has the reasons.'}\n`,
  );
  return same;
}

/** The exit code, 0 or 1, and the counts that were printed. */
async function outcomeOf(
  command: string,
  words: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; text: string }> {
  const { code, out } = await run(command, words, { cwd, env, maxBuffer: 1 << 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: error.code ?? -1,
      out: `${error.stdout ?? ''}${error.stderr ?? ''}`,
    }),
  );
  const counts =
    /^Passed: (.*)$/m.exec(out)?.[1] ??
    /^[✓✗] \S+ (.*)$/m.exec(out)?.[1] ??
    /^- \S+ (.*)$/m.exec(out)?.[1] ??
    'no counts';
  return { code, text: `${code === 0 ? 'passed' : 'failed'}: ${counts}` };
}
