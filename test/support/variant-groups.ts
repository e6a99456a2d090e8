/**
 * Many legal variants in few servers, which no rule may fail. Where one does, the group is split until the variant
 * is found that the rule wrongly fails; variants that are faultless apart are not to blame for how they act together.
 */
import { canBeJoined, joined } from '../../src/testkit/example-server/mutations/joined.ts';
import type { Variant } from '../../src/testkit/example-server/mutations/mutation.ts';
import type { Setting, VariantCase } from './accuracy.ts';
import { checkOfVariant, isFaultOf, lineOf, runVariant, unusedOf } from './accuracy.ts';
import { profileDifferences } from './profile.ts';
import { patient, type ReferenceLab } from './reference-server.ts';
import { drawn, shuffled } from './run/draw.ts';

/** Variants that are checked in one server. */
export interface VariantGroup extends Setting {
  cases: VariantCase[];
}

const mostTogether = 6;

/** Whether two variants show side by side in one server; those of tasks vary the same messages. */
function goTogether(one: Variant, other: Variant): boolean {
  const ofTasks = [one, other].filter(({ id }) => id.includes('tasks')).length;
  return one.solitary !== true && other.solitary !== true && ofTasks < 2 && canBeJoined(one.change, other.change);
}

/** One case for each variant at a revision, on one of its transports by turns. */
export function variantsInTurn(cases: readonly VariantCase[]): VariantCase[] {
  const keyOf = ({ id, revision }: VariantCase): string => `${id} ${revision}`;
  return [...new Set(cases.map(keyOf))].map((key) => {
    const own = cases.filter((one) => keyOf(one) === key);
    return own[drawn(key) % own.length]!;
  });
}

/** Puts each case into exactly one group, with others of the same transport, revision and guard. */
export function groupVariants(cases: readonly VariantCase[]): VariantGroup[] {
  const groups: VariantGroup[] = [];
  for (const one of shuffled(cases, ({ id, transport, revision }) => `${id} ${transport} ${revision}`)) {
    const open = groups.find(({ cases: members, transport, revision }) => {
      const fits =
        transport === one.transport && revision === one.revision && members[0]!.variant.guard === one.variant.guard;
      return fits && members.length < mostTogether && members.every(({ variant }) => goTogether(variant, one.variant));
    });
    if (open) open.cases.push(one);
    else groups.push({ transport: one.transport, revision: one.revision, cases: [one] });
  }
  return groups;
}

/** The faults that are found with variants of the group, each with the variant; empty when there is none. */
export async function checkVariants(lab: ReferenceLab, group: VariantGroup): Promise<string[]> {
  const { cases, transport, revision } = group;
  if (cases.length === 1) return checkVariantAlone(lab, cases[0]!);
  const { guard } = cases[0]!.variant;
  const varied = cases.map(({ variant }) => variant);
  const change = joined(varied.map((variant) => variant.change));
  const { report, gaveUp } = await lab.check({
    transport,
    revision,
    inMemory: true,
    change,
    ...(guard ? { guard } : {}),
  });
  if (
    gaveUp === undefined &&
    unusedOf(varied, report).length === 0 &&
    !report.parts[0]!.verdicts.some((verdict) => isFaultOf(varied, verdict))
  )
    return [];
  const middle = Math.ceil(cases.length / 2);
  const halves = [cases.slice(0, middle), cases.slice(middle)];
  return (await Promise.all(halves.map((half) => checkVariants(lab, { ...group, cases: half })))).flat();
}

/** What is wrong with one variant in a server of its own; what a busy machine may have brought about is looked at again. */
export async function checkVariantAlone(lab: ReferenceLab, one: VariantCase): Promise<string[]> {
  const found = await runVariant(lab, one).catch(() => undefined);
  if (found?.length === 0) return [];
  const again = await runVariant(lab, one, patient);
  return again.map((verdict) => `${one.id}, ${one.transport}, ${one.revision}: ${lineOf(verdict)}`);
}

/** The same, and where the features that were seen are not those that the variant and the plain server have. */
export async function checkVariantWhole(lab: ReferenceLab, one: VariantCase): Promise<string[]> {
  const problems = ({ faults, report }: Awaited<ReturnType<typeof checkOfVariant>>): string[] => [
    ...faults.map(lineOf),
    ...profileDifferences(report, one, one.variant),
  ];
  const found = await checkOfVariant(lab, one).catch(() => undefined);
  if (found !== undefined && problems(found).length === 0) return [];
  return problems(await checkOfVariant(lab, one, patient)).map(
    (what) => `${one.id}, ${one.transport}, ${one.revision}: ${what}`,
  );
}
