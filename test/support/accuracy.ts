/**
 * Gate 5 as data: which checks of mutations and variants are due, and what each one showed. Tests assert on
 * it, the accuracy report prints it.
 */
import { readGeneratedPlan } from '../../src/app/plan.ts';
import type { ReportVerdict } from '../../src/model/run-report.ts';
import type { TransportKind } from '../reference/core/host.ts';
import type { Revision } from '../reference/core/revisions.ts';
import { allRevisions, isStateful } from '../reference/core/revisions.ts';
import { casesOf, mutations } from '../reference/mutations/catalogue.ts';
import type { Mutation, Variant } from '../reference/mutations/mutation.ts';
import { variants } from '../reference/mutations/variants.ts';
import type { ReferenceLab } from './reference-server.ts';

/** Every listed revision rather than one of each transport; takes several times as long. */
export const everyRevision = process.env.MCPC_ALL === '1';

export interface Setting {
  transport: TransportKind;
  revision: Revision;
}

/** The transports with the revisions that the server speaks on them. */
export const settings: readonly Setting[] = (['stdio', 'http', 'sse'] as const).flatMap((transport) =>
  allRevisions.filter((revision) => speaks(transport, revision)).map((revision) => ({ transport, revision })),
);

function speaks(transport: TransportKind, revision: Revision): boolean {
  if (transport === 'sse') return isStateful(revision);
  return transport === 'stdio' || revision !== '2024-11-05';
}

function firstOfEach<T extends Setting>(cases: readonly T[]): T[] {
  return cases.filter((one, index) => cases.findIndex(({ transport }) => transport === one.transport) === index);
}

export interface MutationCase extends Setting {
  mutation: Mutation;
  id: string;
  /** All rules take part; otherwise the rules concerned and those that need no connection of their own. */
  whole: boolean;
}

/**
 * The test suite checks each mutation and each variant over one transport, HTTP more often than others, and one
 * mutation in so many by all rules; `npm run accuracy` takes all transports, and all rules on one of them.
 */
const sampleOf = 4;
const turns: readonly TransportKind[] = ['http', 'stdio', 'http', 'sse'];

/** The one of several transports whose turn it is. */
function inTurn<T extends Setting>(cases: readonly T[], index: number): T[] {
  const [first] = [...cases.filter(({ transport }) => transport === turns[index % turns.length]), ...cases.filter(({ transport }) => transport === 'stdio'), ...cases];
  return first === undefined ? [] : [first];
}

/**
 * The checks of mutations that are due.
 * @param all every revision, and all rules in each check; otherwise one revision of each transport, and all
 *   rules on one of the transports (HTTP where possible, since it starts no process for a connection)
 * @param sampled one transport for each mutation, and all rules for some of them
 */
export function mutationCases(all = everyRevision, sampled = false): MutationCase[] {
  return mutations.flatMap((mutation, index) => {
    const cases = casesOf(mutation).map((one) => ({ ...one, id: mutation.id, mutation, whole: all }));
    if (all) return cases;
    const each = firstOfEach(cases);
    const firsts = sampled ? inTurn(each, index) : each;
    const whole = firsts.find(({ transport }) => transport === 'http') ?? firsts[0];
    const takesWhole = !sampled || index % sampleOf === 0;
    return firsts.map((one) => ({ ...one, whole: takesWhole && one === whole }));
  });
}

export interface VariantCase extends Setting {
  variant: Variant;
  id: string;
}

/**
 * Each variant at the newest stateful revision of each transport, and at the stateless one over HTTP, where it can.
 * @param sampled one transport for each at the stateful revision
 */
export function variantCases(all = everyRevision, sampled = false): VariantCase[] {
  return variants.flatMap((variant, index) => {
    const possible = settings.filter(({ transport, revision }) => variant.transports.includes(transport) && variant.revisions?.includes(revision) !== false).map((one) => ({ ...one, id: variant.id, variant }));
    if (all) return possible;
    const stateful = possible.filter(({ revision }) => revision === '2025-11-25');
    const stateless = possible.filter(({ revision }) => revision === '2026-07-28');
    return [...(sampled ? inTurn(stateful, index) : stateful), ...stateless.filter(({ transport }) => transport === 'http' || stateless.length === 1)];
  });
}

const ruleIds = new Map<string, string>();
const { rules } = readGeneratedPlan();
for (const { id, requirements } of rules) for (const requirement of requirements) ruleIds.set(requirement.replace('.', '/').replaceAll('.', '-'), id);
for (const { id } of rules) ruleIds.set(id, id);

/** The rule of that id, or the one that decides the requirement after which a rule of that id would be named. */
export function resolveRule(name: string): string | undefined {
  return ruleIds.get(name);
}

export interface MutationOutcome {
  /** The rule that the mutation names failed. */
  byName: boolean;
  /** Its status, or why there is none. */
  named: string;
  /** Rules that failed though the mutation names them nowhere. */
  unrelated: ReportVerdict[];
  failed: ReportVerdict[];
  /** Rules that ended with an error of our own. */
  errors: ReportVerdict[];
}

export async function runMutation(lab: ReferenceLab, { mutation, transport, revision, whole }: MutationCase): Promise<MutationOutcome> {
  const { report, gaveUp } = await lab.check({
    transport,
    revision,
    mutation: mutation.id,
    ...(mutation.serve ? { revisions: mutation.serve } : {}),
    ...(mutation.served ? { served: true } : {}),
    ...(mutation.guard ? { guard: mutation.guard } : {}),
    ...(whole ? {} : { focus: [mutation.rule, ...(mutation.alsoBreaks ?? [])].map((name) => resolveRule(name) ?? name) }),
  });
  const named = report.verdicts.find(({ rule }) => rule === resolveRule(mutation.rule));
  const failed = report.verdicts.filter(({ status }) => status === 'fail');
  const also = mutation.alsoBreaks ?? [];
  const expected = new Set([mutation.rule, ...also].map(resolveRule));
  return {
    byName: named?.status === 'fail',
    named: `${named?.status ?? 'no verdict'}${gaveUp === undefined ? '' : ` (gave up: ${gaveUp})`}`,
    unrelated: also.includes('*') ? [] : failed.filter(({ rule }) => !expected.has(rule)),
    failed,
    errors: report.verdicts.filter(({ status }) => status === 'error'),
  };
}

/** The failed and broken verdicts of a check that ought to have none. */
export async function runVariant(lab: ReferenceLab, { variant, transport, revision }: VariantCase): Promise<ReportVerdict[]> {
  const { report, gaveUp } = await lab.check({ transport, revision, variant: variant.id, ...(variant.guard ? { guard: variant.guard } : {}) });
  if (gaveUp !== undefined) throw new Error(gaveUp);
  return report.verdicts.filter(({ rule, status, severity }) => {
    if (status === 'fail' && severity !== 'error' && variant.shortOf?.[rule] !== undefined) return false;
    return status === 'fail' || status === 'error';
  });
}

/** One line for a verdict, with what a person needs to judge it. */
export function lineOf({ rule, status, message, evidence }: ReportVerdict): string {
  return `${status} ${rule}: ${message} [${evidence.join(', ')}]`;
}
