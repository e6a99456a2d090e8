/**
 * `npm run official:clients -- --repository DIR [--only TEXT]`: runs the example clients of the official conformance
 * repository, unchanged, through its own runner and through `mcpc client conformance`, and prints both results next to each
 * other. DIR is a checkout or a bare clone. Their dependencies and a Node that the runner needs go into a temporary folder.
 * Ends with 1 where an outcome differs, or a check does not fail that the test of a broken client names.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import Table from 'cli-table3';
import pLimit from 'p-limit';
import { readScenarios } from '../../src/stage/conformance/scenarios.ts';
import { singlePairs, type Pair } from './official-client-pairs.ts';

const run = promisify(execFile);
const bin = fileURLToPath(new URL('../../bin/mcpc.js', import.meta.url));
const examples = 'examples/clients/typescript';
/** Pairs that are played at a time. */
const atATime = 2;

interface Outcome {
  code: number;
  text: string;
  /** Checks that failed or warned. */
  bad: string[];
}

const { values } = parseArgs({ options: { repository: { type: 'string' }, only: { type: 'string', default: '' } } });
if (values.repository === undefined)
  throw new Error('Give the official repository: npm run official:clients -- --repository DIR');

const work = mkdtempSync(join(tmpdir(), 'mcpc-official-clients-'));
try {
  process.exitCode = (await compare(values.repository, values.only)) ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function compare(source: string, only: string): Promise<boolean> {
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
  const own = readScenarios()
    .filter(({ waits }) => waits === undefined)
    .map(({ scenario }): Pair => ({ client: 'everything-client', scenario }));
  const pairs = [...own, ...singlePairs].filter(({ client, scenario }) => `${client} ${scenario}`.includes(only));
  for (const { client } of pairs)
    if (!existsSync(join(repository, examples, `${client}.ts`)))
      throw new Error(`The repository has no client ${client}.`);
  const limit = pLimit(atATime);
  const rows = await Promise.all(
    pairs.map((pair, index) => limit(() => played(pair, repository, env, join(work, `pair-${index}`)))),
  );
  const table = new Table({ head: ['client', 'scenario', 'official', 'mcpc', 'failed checks', ''] });
  for (const { client, scenario, at, official, ours, problem } of rows)
    table.push([
      client,
      at === undefined ? scenario : `${scenario} at ${at}`,
      official.text,
      ours.text,
      ours.bad.join('\n'),
      problem,
    ]);
  const wrong = rows.filter(({ problem }) => problem !== '').length;
  process.stdout.write(
    `${table.toString()}\n${rows.length} runs, ${wrong} differ${wrong === 0 ? '' : '; test/e2e/client-findings.md has the reasons'}\n`,
  );
  return wrong === 0;
}

async function played(pair: Pair, repository: string, env: NodeJS.ProcessEnv, folder: string) {
  const { at, client, fails, force, scenario } = pair;
  const command = `node_modules/.bin/tsx ${examples}/${client}.ts`;
  const words = [
    ...['--command', command, '--scenario', scenario],
    ...(at === undefined ? [] : ['--spec-version', at]),
    ...(force === true ? ['--force'] : []),
  ];
  const [theirs, mine] = [join(folder, 'official'), join(folder, 'mcpc')];
  for (const one of [theirs, mine]) mkdirSync(one, { recursive: true });
  const official = await outcomeOf(
    'npx',
    ['tsx', 'src/index.ts', 'client', ...words, '-o', theirs],
    repository,
    env,
    theirs,
  );
  const ours = await outcomeOf(
    process.execPath,
    [bin, 'client', '--conformance', ...words, '-o', mine],
    repository,
    env,
    mine,
  );
  const missing = (fails ?? []).filter((id) => !ours.bad.includes(id));
  const surplus = fails?.length === 0 ? ours.bad : [];
  const problem =
    missing.length > 0
      ? `does not fail ${missing.join(', ')}`
      : surplus.length > 0
        ? `fails ${surplus.join(', ')}`
        : official.code === ours.code
          ? ''
          : 'differs';
  return { ...pair, official, ours, problem };
}

/** The exit code, 0 or 1, the counts that were printed, and the checks in the results. */
async function outcomeOf(
  command: string,
  words: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  results: string,
): Promise<Outcome> {
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
  return { code, text: `${code === 0 ? 'passed' : 'failed'}: ${counts}`, bad: badChecks(results) };
}

function badChecks(folder: string): string[] {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('checks.json'));
  if (file === undefined) return [];
  const checks = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { id: string; status: string }[];
  return [...new Set(checks.filter(({ status }) => /FAILURE|WARNING/.test(status)).map(({ id }) => id))];
}
