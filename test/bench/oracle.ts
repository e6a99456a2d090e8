/**
 * Shows whether a change of the code changes any verdict. `record` keeps what `judge` says of a corpus of traces (the
 * examples of all rules on each transport, conversations of published servers on each transport, long ones, and
 * captures made of them) and the statuses of checks of the reference server, its legal variants and published servers,
 * in every revision and transport. `compare` judges the same traces, runs the same checks, prints what differs, and
 * exits 1 where something does. Each check is recorded twice, and run up to three times when it is compared: a status
 * that was seen in both is no difference, since some hang on how busy the machine is.
 *
 *   npm run oracle -- record DIR                 about an hour on two cores
 *   npm run oracle -- record DIR --sample 20     one case in twenty; --checks N for those of checks
 *   npm run oracle -- compare DIR                as much of it as was recorded
 *   npm run oracle -- compare DIR --judge        traces alone; --check: checks alone
 *   npm run oracle -- compare DIR --judge --evaluator engine
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import pLimit from 'p-limit';
import { openReferenceLab } from '../support/reference-server.ts';
import {
  checkCases,
  statusesOf,
  tracesIn,
  writeCaptures,
  writeExampleTraces,
  type CheckCase,
} from '../support/oracle/cases.ts';
import { judged, type Judged } from '../support/oracle/judged.ts';

const usage = 'npm run oracle -- record|compare DIR [--sample N] [--judge] [--check] [--evaluator engine]';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    checks: { type: 'string' },
    judge: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    evaluator: { type: 'string', default: 'fast' },
  },
});
const [act, folder] = positionals;
if ((act !== 'record' && act !== 'compare') || folder === undefined) throw new Error(usage);
const { evaluator } = values;
if (evaluator !== 'fast' && evaluator !== 'engine') throw new Error('--evaluator takes fast or engine.');
const samples = { traces: Number(values.sample), checks: Number(values.checks ?? values.sample) };
if (!Object.values(samples).every((one) => Number.isInteger(one) && one > 0))
  throw new Error('--sample and --checks take a number from 1.');
const parts = values.judge === values.check ? { judge: true, check: true } : values;

const traces = path.join(folder, 'traces');
const settingsFile = path.join(folder, 'oracle.json');
const judgedFile = (batch: number): string => path.join(folder, `judged-${batch}.json.gz`);
const checksFile = path.join(folder, 'checks.json');
/** Differences that are printed. */
const mostShown = 100;
const began = performance.now();
const limit = pLimit(5);

/** Statuses by the names of rules. */
type Statuses = Record<string, string>;
/** All that were seen of each. */
type Seen = Record<string, string[]>;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function progress(text: string): void {
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
}

async function withCases<T>(chosen: number, work: (cases: CheckCase[]) => Promise<T>): Promise<T> {
  const lab = await openReferenceLab();
  const scratch = mkdtempSync(path.join(tmpdir(), 'mcpc-oracle-'));
  try {
    return await work(checkCases(lab, scratch, chosen));
  } finally {
    await lab.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runCase(one: CheckCase): Promise<{ statuses: Statuses; trace?: string }> {
  try {
    const found = await one.run();
    if (typeof found === 'string') return { statuses: { check: found } };
    return { statuses: statusesOf(found.report), trace: found.trace };
  } catch (error) {
    return { statuses: { check: `threw ${error instanceof Error ? error.message : String(error)}` } };
  }
}

function seenOf(...runs: Statuses[]): Seen {
  const names = new Set(runs.flatMap((one) => Object.keys(one)));
  return Object.fromEntries([...names].map((name) => [name, [...new Set(runs.map((one) => one[name] ?? 'absent'))]]));
}

/** Traces of these checks are judged too; the others are like them. */
const isKept = (name: string): boolean => name.startsWith('published/') || name.startsWith('reference/');

async function recordChecks(): Promise<void> {
  const found = await withCases(samples.checks, async (cases) => {
    const done = cases.map((one) =>
      limit(async () => {
        const { statuses, trace } = await runCase(one);
        if (trace !== undefined && isKept(one.name) && existsSync(trace)) {
          const kept = path.join(traces, `${one.name}.jsonl`);
          mkdirSync(path.dirname(kept), { recursive: true });
          copyFileSync(trace, kept);
        }
        return [one.name, seenOf(statuses, (await runCase(one)).statuses)] as const;
      }),
    );
    return Object.fromEntries(await Promise.all(done));
  });
  writeFileSync(checksFile, JSON.stringify(found, undefined, 1));
  progress(`${Object.keys(found).length} checks`);
}

const batchSize = 200;

/** Batches of traces with what is said of each. */
async function* judgeAll(): AsyncGenerator<{ batch: number; found: Record<string, Judged> }> {
  const names = tracesIn(traces);
  for (let batch = 0; batch * batchSize < names.length; batch += 1) {
    const found: Record<string, Judged> = {};
    for (const name of names.slice(batch * batchSize, (batch + 1) * batchSize))
      found[name] = await judged(path.join(traces, name), evaluator as 'fast' | 'engine');
    yield { batch, found };
  }
  progress(`${names.length} traces`);
}

async function record(): Promise<void> {
  rmSync(folder!, { recursive: true, force: true });
  mkdirSync(traces, { recursive: true });
  await recordChecks();
  await writeExampleTraces(traces, samples.traces);
  writeCaptures(traces);
  for await (const { batch, found } of judgeAll())
    writeFileSync(judgedFile(batch), gzipSync(JSON.stringify(found), { level: 1 }));
  writeFileSync(settingsFile, JSON.stringify(samples));
}

const differences: string[] = [];

function differ(where: string, name: string, before: string | undefined, now: string | undefined): void {
  differences.push(`${where}: ${name}\n  - ${before ?? 'absent'}\n  + ${now ?? 'absent'}`);
}

function compareMembers(where: string, before: Record<string, string>, now: Record<string, string>): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)]))
    if (before[name] !== now[name]) differ(where, name, before[name], now[name]);
}

async function compareJudged(): Promise<void> {
  for await (const { batch, found } of judgeAll()) {
    const text = gunzipSync(readFileSync(judgedFile(batch))).toString();
    if (text === JSON.stringify(found)) continue;
    const before = JSON.parse(text) as Record<string, Judged>;
    for (const [name, said] of Object.entries(found)) compareMembers(name, before[name] ?? {}, said);
  }
}

/** Again, as long as there is a status that was neither recorded nor seen by now. */
async function compareCheck(one: CheckCase, before: Seen): Promise<void> {
  const runs: Statuses[] = [];
  for (let attempt = 0; attempt < 3 && (attempt === 0 || different().length > 0); attempt += 1)
    runs.push((await runCase(one)).statuses);
  const now = seenOf(...runs);
  for (const name of different()) differ(one.name, name, before[name]?.join(' or '), now[name]?.join(' or '));

  function different(): string[] {
    const now = seenOf(...runs);
    const names = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...names].filter((name) => !now[name]?.some((status) => (before[name] ?? ['absent']).includes(status)));
  }
}

async function compareChecks(chosen: number): Promise<void> {
  const before = JSON.parse(readFileSync(checksFile, 'utf8')) as Record<string, Seen>;
  await withCases(chosen, async (cases) => {
    const names = new Set(cases.map(({ name }) => name));
    for (const name of Object.keys(before)) if (!names.has(name)) differ(name, 'check', 'recorded', undefined);
    await Promise.all(cases.map((one) => limit(() => compareCheck(one, before[one.name] ?? {}))));
    progress(`${cases.length} checks`);
  });
}

async function compare(): Promise<void> {
  const recorded = JSON.parse(readFileSync(settingsFile, 'utf8')) as typeof samples;
  if (parts.judge) await compareJudged();
  if (parts.check) await compareChecks(recorded.checks);
  for (const text of differences.slice(0, mostShown)) say(text);
  say(differences.length === 0 ? 'No difference.' : `${differences.length} differences.`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

await (act === 'record' ? record() : compare());
progress('done');
