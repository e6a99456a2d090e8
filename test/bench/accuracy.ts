/**
 * Prints how accurate the rules are against the reference server: which mutations are caught, by the rule that
 * they name or at all, which unrelated rules fail beside it, and which legal variants are failed.
 *
 *   npm run accuracy            one revision of each transport
 *   MCPC_ALL=1 npm run accuracy every revision
 *   npm run accuracy -- TEXT    only the mutations and variants whose id contains the text
 */
import pLimit from 'p-limit';
import { loadProject } from '../support/rules.ts';
import { lineOf, mutationCases, runMutation, runVariant, variantCases } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';

const text = process.argv[2] ?? '';
const { rule } = await loadProject();
const lab = await openReferenceLab();
const limit = pLimit(4);
const began = performance.now();

async function attempt<T>(work: () => Promise<T>): Promise<T | { thrown: string }> {
  try {
    return await limit(work);
  } catch (error) {
    return { thrown: error instanceof Error ? error.message : String(error) };
  }
}

const cases = mutationCases().filter(({ id }) => id.includes(text));
const mutants = await Promise.all(cases.map(async (one) => ({ ...one, outcome: await attempt(() => runMutation(lab, one)) })));
const legal = await Promise.all(
  variantCases().filter(({ id }) => id.includes(text)).map(async (one) => ({ ...one, outcome: await attempt(() => runVariant(lab, one)) })),
);
await lab.close();

const lines: string[] = [];
const tally = { due: 0, byName: 0, atAll: 0, withoutRule: 0, advisory: 0, unrelated: 0, variants: legal.length, variantsFailed: 0 };
for (const { id, transport, revision, mutation, outcome } of mutants) {
  const where = `${id} (${transport}, ${revision})`;
  if (rule(mutation.rule) === undefined) {
    tally.withoutRule += 1;
    lines.push(`no rule yet     ${where}`);
    continue;
  }
  if ('thrown' in outcome) {
    lines.push(`CHECK FAILED    ${where}: ${outcome.thrown}`);
    if (mutation.advisory !== true) tally.due += 1;
    continue;
  }
  if (mutation.advisory === true && !outcome.byName) {
    tally.advisory += 1;
    lines.push(`let pass        ${where}: advisory, ${outcome.named}`);
  } else {
    tally.due += 1;
    if (outcome.byName) tally.byName += 1;
    else lines.push(`NOT BY NAME     ${where}: ${outcome.named}; failed: ${outcome.failed.map((one) => one.rule).join(', ') || 'nothing'}`);
    if (outcome.failed.length > 0) tally.atAll += 1;
  }
  tally.unrelated += outcome.unrelated.length;
  for (const verdict of outcome.unrelated) lines.push(`UNRELATED       ${where}: ${lineOf(verdict)}`);
  for (const verdict of outcome.errors) lines.push(`ERROR           ${where}: ${lineOf(verdict)}`);
}
for (const { id, transport, revision, outcome } of legal) {
  const found = 'thrown' in outcome ? [outcome.thrown] : outcome.map(lineOf);
  if (found.length > 0) tally.variantsFailed += 1;
  for (const line of found) lines.push(`VARIANT FAILED  ${id} (${transport}, ${revision}): ${line}`);
}
lines.sort((a, b) => (a < b ? -1 : 1));
const share = (part: number): string => `${part} of ${tally.due} (${((100 * part) / Math.max(1, tally.due)).toFixed(1)}%)`;
process.stdout.write(
  [
    ...lines,
    '',
    `mutations caught by the rule they name  ${share(tally.byName)}`,
    `mutations caught at all                 ${share(tally.atAll)}`,
    `advisory mutations let pass             ${tally.advisory}`,
    `mutations whose rule is not written     ${tally.withoutRule}`,
    `unrelated rules that failed             ${tally.unrelated}`,
    `legal variants failed                   ${tally.variantsFailed} of ${tally.variants}`,
    `took                                    ${((performance.now() - began) / 1000).toFixed(1)} s`,
    '',
  ].join('\n'),
);
process.exitCode = tally.byName === tally.due && tally.unrelated === 0 && tally.variantsFailed === 0 ? 0 : 1;
