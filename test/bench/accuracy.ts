/**
 * Prints how accurate the rules are against the reference server and the reference client: which mutations are caught, by the rule that
 * they name or at all, which unrelated rules fail beside it, and which legal variants are failed.
 *
 *   npm run accuracy            one revision of each transport
 *   npm run accuracy -- --all   every revision
 *   npm run accuracy -- TEXT    only the mutations and variants whose id and transport contain the text
 *   npm run accuracy -- --spec 2026-07-28   only those of one revision, on each transport that they know
 *
 *   npm run accuracy -- --clients   clients alone: faults of the reference client, and its liberties; with --generated as well
 *
 *   npm run accuracy -- --generated [--sample N] [--seed S] [--spec REVISION] [TEXT]   faults and variants made by machine instead
 */
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import type { MutationCase, VariantCase } from '../support/accuracy.ts';
import {
  lineOf,
  mutationCases,
  resolveRule,
  runMutation,
  runVariant,
  settings,
  variantCases,
} from '../support/accuracy.ts';
import { printClientAccuracy } from './client-accuracy.ts';
import { printGeneratedClientAccuracy } from './generated-client-accuracy.ts';
import { printGeneratedAccuracy } from './generated-accuracy.ts';
import type { Timing } from '../../src/client/target/timing.ts';
import { openReferenceLab, patient } from '../support/reference-server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    clients: { type: 'boolean', default: false },
    generated: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string' },
    spec: { type: 'string' },
  },
});
const text = positionals[0] ?? '';
const { spec } = values;
if (spec !== undefined && !settings.some(({ revision }) => revision === spec))
  throw new Error(`--spec takes one of ${[...new Set(settings.map(({ revision }) => revision))].join(', ')}.`);
if (values.generated) {
  const sample = values.sample === undefined ? undefined : Number(values.sample);
  if (sample !== undefined && !(Number.isInteger(sample) && sample > 0))
    throw new Error('--sample takes a number from 1.');
  const asked = {
    ...(sample === undefined ? {} : { sample }),
    ...(spec === undefined ? {} : { spec }),
    seed: values.seed ?? 'mcpc',
    text,
  };
  const areServersGood = values.clients || (await printGeneratedAccuracy(asked));
  process.exit((await printGeneratedClientAccuracy(asked)) && areServersGood ? 0 : 1);
}
const ofClients = { all: values.all, text, ...(spec === undefined ? {} : { spec }) };
if (values.clients) process.exit((await printClientAccuracy(ofClients)) ? 0 : 1);
const lab = await openReferenceLab();
const limit = pLimit(7);
const began = performance.now();

async function attempt<T>(work: () => Promise<T>): Promise<T | { thrown: string }> {
  try {
    return await limit(work);
  } catch (error) {
    return { thrown: error instanceof Error ? error.message : String(error) };
  } finally {
    count();
  }
}

const tally = {
  due: 0,
  byName: 0,
  atAll: 0,
  withoutRule: 0,
  advisory: 0,
  unrelated: 0,
  variants: 0,
  variantsFailed: 0,
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What a busy machine may have spoilt: looked at again at the end, one at a time, with longer deadlines. */
const again: (() => Promise<void>)[] = [];

async function tryMutation(one: MutationCase, timing?: Partial<Timing>): Promise<void> {
  const where = `${one.id} (${one.transport}, ${one.revision})`;
  if (resolveRule(one.mutation.rule) === undefined) {
    tally.withoutRule += 1;
    return say(`no rule yet     ${where}`);
  }
  const outcome = await attempt(() => runMutation(lab, one, timing));
  const isAsWanted =
    !('thrown' in outcome) &&
    (outcome.byName || one.mutation.advisory === true) &&
    outcome.unrelated.length + outcome.errors.length === 0;
  if (!isAsWanted && timing === undefined) return void again.push(() => tryMutation(one, patient));
  tally.due += 1;
  if ('thrown' in outcome) return say(`CHECK FAILED    ${where}: ${outcome.thrown}`);
  const { byName, named, failed, unrelated, errors } = outcome;
  if (byName) tally.byName += 1;
  else if (one.mutation.advisory === true) {
    tally.due -= 1;
    tally.advisory += 1;
    say(`let pass        ${where}: advisory, ${named}`);
  } else
    say(`NOT BY NAME     ${where}: ${named}; failed: ${failed.map((verdict) => verdict.rule).join(', ') || 'nothing'}`);
  if (failed.length > 0 && (byName || one.mutation.advisory !== true)) tally.atAll += 1;
  tally.unrelated += unrelated.length;
  for (const verdict of unrelated) say(`UNRELATED       ${where}: ${lineOf(verdict)}`);
  for (const verdict of errors) say(`ERROR           ${where}: ${lineOf(verdict)}`);
}

async function tryVariant(one: VariantCase, timing?: Partial<Timing>): Promise<void> {
  const outcome = await attempt(() => runVariant(lab, one, timing));
  if (timing === undefined && ('thrown' in outcome || outcome.length > 0))
    return void again.push(() => tryVariant(one, patient));
  const found = 'thrown' in outcome ? [outcome.thrown] : outcome.map(lineOf);
  tally.variants += 1;
  if (found.length > 0) tally.variantsFailed += 1;
  for (const line of found) say(`VARIANT FAILED  ${one.id} (${one.transport}, ${one.revision}): ${line}`);
}

/** The checks that have ended, on stderr: all of them take half an hour. */
let ended = 0;
function count(): void {
  ended += 1;
  if (ended % 50 === 0) process.stderr.write(`${ended} checks, ${Math.round((performance.now() - began) / 1000)} s\n`);
}

const wanted = ({ id, transport, revision }: { id: string; transport: string; revision: string }): boolean =>
  `${id} ${transport}`.includes(text) && (spec === undefined || revision === spec);
await Promise.all(
  mutationCases(values.all, spec)
    .filter(wanted)
    .map((one) => tryMutation(one)),
);
await Promise.all(
  variantCases(values.all || spec !== undefined)
    .filter(wanted)
    .map((one) => tryVariant(one)),
);
const lookedAtAgain = again.length;
for (const look of again) await look();
await lab.close();

const share = (part: number): string =>
  `${part} of ${tally.due} (${((100 * part) / Math.max(1, tally.due)).toFixed(1)}%)`;
process.stdout.write(
  [
    '',
    `mutations caught by the rule they name  ${share(tally.byName)}`,
    `mutations caught at all                 ${share(tally.atAll)}`,
    `advisory mutations let pass             ${tally.advisory}`,
    `mutations whose rule is not written     ${tally.withoutRule}`,
    `unrelated rules that failed             ${tally.unrelated}`,
    `legal variants failed                   ${tally.variantsFailed} of ${tally.variants}`,
    `looked at again, alone                  ${lookedAtAgain}`,
    `took                                    ${((performance.now() - began) / 1000).toFixed(1)} s`,
    '',
  ].join('\n'),
);
const areClientsGood = await printClientAccuracy(ofClients);
process.exitCode =
  areClientsGood && tally.byName === tally.due && tally.unrelated === 0 && tally.variantsFailed === 0 ? 0 : 1;
