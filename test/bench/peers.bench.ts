/**
 * Gives the reference server faults made by machine, one at a time, and lets mcpc and the official conformance suite
 * look at each, over Streamable HTTP. Prints how many each reports and how many of the legal variants each fails.
 *
 *   npx tsx test/bench/peers.bench.ts [--sample 40] [--seed mcpc] [--revision 2025-11-25] [--prefix DIR]
 *
 * The suite's scenarios need tools and resources of its own, which the server has for both. A fault is reported when
 * something fails that does not fail on the server without it; for mcpc it is told beside that how many were reported
 * by a rule that names their requirement (the scenarios name none). Faults that befell nothing in a run are told apart:
 * whoever does not exercise a message cannot see that it is wrong. The suite is installed into a temporary folder, or
 * into --prefix, which is kept.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isKnownRevision } from '../../src/core/spec/revisions.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import { openSetting, type FaultCase } from '../support/generated/cases.ts';
import { watched } from '../support/generated/watched-fault.ts';
import {
  installOfficialSuite,
  isSound,
  laterSuites,
  officialPackage,
  passesScenario,
  runOfficialSuite,
  statefulSuite,
  type OfficialRun,
} from '../support/official-suite.ts';
import { openReferenceLab, patient } from '../support/reference-server.ts';

/** What a checker made of one fault or variant. */
interface Seen {
  /** What failed that does not fail without it. */
  failed: string[];
  /** The fault befell something while the checker looked. */
  met: boolean;
  byName?: boolean;
}

/** A scenario waits a minute for an answer that a fault keeps back; there may be many of them. */
const mostMs = 120_000;

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: 'mcpc' },
    revision: { type: 'string', default: '2025-11-25' },
    prefix: { type: 'string' },
  },
});
const { seed, revision } = values;
const sample = Number(values.sample);
if (!Number.isInteger(sample) || sample < 1) throw new Error('--sample takes a number from 1.');
if (!isKnownRevision(revision)) throw new Error(`There is no revision ${revision}.`);
const suite = laterSuites[revision] ?? statefulSuite;
const work = mkdtempSync(join(tmpdir(), 'mcpc-peers-'));
const prefix = values.prefix ?? work;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const lab = await openReferenceLab();
let runs = 0;

try {
  await installOfficialSuite(prefix, suite);
  const setting = { transport: 'http' as const, revision };
  const { faults, variants } = await (await openSetting(lab, setting)).draw(
    { faults: sample, variants: Math.ceil(sample / 3) },
    seed,
  );
  const sound = troubles(await official());
  const tallies = { faults: await lookAt(faults, sound), variants: await lookAt(variants, sound) };
  print(tallies.faults, tallies.variants);
} finally {
  await lab.close();
  rmSync(work, { recursive: true, force: true });
}

async function official(one?: FaultCase): Promise<OfficialRun & { met: boolean }> {
  const fault = one === undefined ? undefined : watched(one.generated, one.validators);
  const server = await startReferenceServer({
    transport: 'http',
    host: 'localhost',
    fixtures: true,
    ...(fault === undefined ? {} : { change: fault.change }),
  });
  runs += 1;
  try {
    const run = await runOfficialSuite(prefix, server.url, join(work, `results-${runs}`), suite, mostMs);
    return { ...run, met: fault?.took() ?? false };
  } finally {
    await server.close();
  }
}

/** Scenarios that fail, and checks of those that count. */
function troubles({ scenarios, endedEarly }: OfficialRun): Set<string> {
  const failing = scenarios.filter((one) => one.scored && !passesScenario(one));
  return new Set([
    ...failing.flatMap(({ name, checks }) => [
      name,
      ...checks.filter((check) => !isSound(check)).map(({ id }) => `${name} ${id}`),
    ]),
    ...(endedEarly ? [`did not end within ${mostMs / 1000} s`] : []),
  ]);
}

async function lookAt(cases: readonly FaultCase[], sound: ReadonlySet<string>): Promise<{ mcpc: Seen; suite: Seen }[]> {
  const seen: { mcpc: Seen; suite: Seen }[] = [];
  for (const one of cases) {
    const theirs = await official(one);
    const found = [...troubles(theirs)].filter((trouble) => !sound.has(trouble));
    const ours = await byMcpc(one);
    seen.push({ mcpc: ours, suite: { failed: found, met: theirs.met } });
    say(`${(one.rules === undefined ? 'variant' : 'fault').padEnd(8)} ${one.id}`);
    say(`         mcpc: ${wordsOf(ours)}`);
    say(`         suite: ${wordsOf({ failed: found, met: theirs.met })}`);
  }
  return seen;
}

async function byMcpc(one: FaultCase): Promise<Seen> {
  const fault = watched(one.generated, one.validators);
  const { report, gaveUp } = await lab.check({
    transport: 'http',
    revision: one.revision,
    fixtures: true,
    change: fault.change,
    timing: patient,
  });
  const failed = report.parts[0]!.verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule);
  return {
    failed: [...failed, ...(gaveUp === undefined ? [] : [`gave up: ${gaveUp}`])],
    met: fault.took(),
    byName: failed.some((rule) => one.rules?.has(rule) === true),
  };
}

function wordsOf({ failed, met }: Seen): string {
  return failed.length > 0
    ? failed.slice(0, 4).join(', ') + (failed.length > 4 ? `, and ${failed.length - 4} more` : '')
    : met
      ? 'nothing'
      : 'nothing, and the fault did not show';
}

function print(faults: readonly { mcpc: Seen; suite: Seen }[], legal: readonly { mcpc: Seen; suite: Seen }[]): void {
  say('');
  for (const [name, key] of [
    ['mcpc', 'mcpc'],
    [`${officialPackage} ${suite.version}`, 'suite'],
  ] as const) {
    const all = faults.map((one) => one[key]);
    const reported = all.filter(({ failed }) => failed.length > 0).length;
    const byName =
      key === 'mcpc' ? `, ${all.filter((one) => one.byName).length} by a rule that names their requirement` : '';
    say(
      `${name}: ${reported} of ${all.length} faults reported (${((100 * reported) / all.length).toFixed(0)}%)${byName}; the fault showed in ${all.filter(({ met }) => met).length}; legal variants failed: ${legal.filter((one) => one[key].failed.length > 0).length} of ${legal.length}`,
    );
  }
  say(`over Streamable HTTP at ${revision}, seed ${seed}`);
}
