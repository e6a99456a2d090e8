/**
 * Gate 5 as data: which checks of mutations and variants are due, and what each one showed. Tests assert on
 * it, the accuracy report prints it.
 */
import { readGeneratedPlan } from '../../src/check/plan.ts';
import type { ReportVerdict, RunReport } from '../../src/core/model/reports/run-report.ts';
import type { Timing } from '../../src/client/target/timing.ts';
import type { TransportKind } from '../../src/server/session/host.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';
import { allRevisions, isStateful } from '../../src/server/protocol/revisions.ts';
import { casesOf, mutations } from '../../src/testkit/example-server/mutations/catalogue.ts';
import type { Mutation, Variant } from '../../src/testkit/example-server/mutations/mutation.ts';
import { variants } from '../../src/testkit/example-server/variants/variants.ts';
import { watchingRule, type ReferenceLab } from './reference-server.ts';

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
 * The checks of mutations that are due, each mutation alone.
 * @param all every revision, and all rules in each check; otherwise one revision of each transport, and all
 *   rules on one of the transports (HTTP where possible, since it starts no process for a connection)
 * @param only one revision in place of one of each transport
 */
export function mutationCases(all: boolean, only?: string): MutationCase[] {
  return mutations.flatMap((mutation) => {
    const cases = casesOf(mutation)
      .map((one) => ({ ...one, id: mutation.id, mutation, whole: all }))
      .filter(({ revision }) => only === undefined || revision === only);
    if (all) return cases;
    const firsts = firstOfEach(cases);
    const whole = firsts.find(({ transport }) => transport === 'http') ?? firsts[0];
    return firsts.map((one) => ({ ...one, whole: one === whole }));
  });
}

export interface VariantCase extends Setting {
  variant: Variant;
  id: string;
}

/** Each variant at the newest stateful revision of each transport, and at the stateless one over HTTP, where it can; or at all. */
export function variantCases(all: boolean): VariantCase[] {
  return variants.flatMap((variant) => {
    const possible = settings
      .filter(
        ({ transport, revision }) =>
          variant.transports.includes(transport) && variant.revisions?.includes(revision) !== false,
      )
      .map((one) => ({ ...one, id: variant.id, variant }));
    if (all) return possible;
    const stateful = possible.filter(({ revision }) => revision === '2025-11-25');
    const stateless = possible.filter(({ revision }) => revision === '2026-07-28');
    return [...stateful, ...stateless.filter(({ transport }) => transport === 'http' || stateless.length === 1)];
  });
}

const ruleIds = new Map<string, string>();
const { rules } = readGeneratedPlan();
for (const { id, requirements } of rules)
  for (const requirement of requirements) ruleIds.set(requirement.replace('.', '/').replaceAll('.', '-'), id);
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

/** @param timing other deadlines than the usual ones */
export async function runMutation(
  lab: ReferenceLab,
  { mutation, transport, revision, whole }: MutationCase,
  timing: Partial<Timing> = {},
): Promise<MutationOutcome> {
  const listed = mutations.includes(mutation);
  const { report, gaveUp } = await lab.check({
    transport,
    revision,
    timing,
    ...(listed ? { mutation: mutation.id } : { change: mutation.change, inMemory: true }),
    ...(mutation.serve ? { revisions: mutation.serve } : {}),
    ...(mutation.served ? { served: true } : {}),
    ...(mutation.guard ? { guard: mutation.guard } : {}),
    ...(whole ? { watchesWork: namedBy(mutation).includes(watchingRule) } : { focus: namedBy(mutation) }),
  });
  const named = report.parts[0]!.verdicts.find(({ rule }) => rule === resolveRule(mutation.rule));
  const failed = report.parts[0]!.verdicts.filter(({ status }) => status === 'fail');
  const expected = new Set(namedBy(mutation));
  return {
    byName: named?.status === 'fail',
    named: `${named?.status ?? 'no verdict'}${gaveUp === undefined ? '' : ` (gave up: ${gaveUp})`}`,
    unrelated: breaksMost(mutation) ? [] : failed.filter(({ rule }) => !expected.has(rule)),
    failed,
    errors: report.parts[0]!.verdicts.filter(({ status }) => status === 'error'),
  };
}

/** The rules that a mutation names, by id: the one that has to fail, and those that may. */
export function namedBy({ rule, alsoBreaks = [] }: Mutation): string[] {
  return [rule, ...alsoBreaks].filter((name) => name !== '*').map((name) => resolveRule(name) ?? name);
}

/** Hardly any rule can be decided beside it. */
export function breaksMost({ alsoBreaks = [] }: Mutation): boolean {
  return alsoBreaks.includes('*');
}

/** The failed and broken verdicts of a check that ought to have none. @param timing other deadlines than the usual ones */
export async function runVariant(
  lab: ReferenceLab,
  one: VariantCase,
  timing: Partial<Timing> = {},
): Promise<ReportVerdict[]> {
  return (await checkOfVariant(lab, one, timing)).faults;
}

/** The check of a variant, with the verdicts that it ought not to have. @throws where a feature that the variant uses was not seen */
export async function checkOfVariant(
  lab: ReferenceLab,
  { variant, transport, revision }: VariantCase,
  timing: Partial<Timing> = {},
): Promise<{ report: RunReport; faults: ReportVerdict[] }> {
  const { report, gaveUp } = await lab.check({
    transport,
    revision,
    timing,
    variant: variant.id,
    ...(variant.watchesWork ? { watchesWork: true } : {}),
    ...(variant.guard ? { guard: variant.guard } : {}),
    ...(variant.key ? { token: variant.key } : {}),
  });
  if (gaveUp !== undefined) throw new Error(gaveUp);
  const unused = unusedOf([variant], report);
  if (unused.length > 0) throw new Error(`not seen: ${unused.join(', ')}`);
  return { report, faults: report.parts[0]!.verdicts.filter((verdict) => isFaultOf([variant], verdict)) };
}

/** The optional features that the variants use, and that a check of them did not see. */
export function unusedOf(varied: readonly Variant[], report: RunReport): string[] {
  const unseen = new Set(
    (report.parts[0]!.features ?? []).filter(({ status }) => status === 'not-seen').map(({ rule }) => rule),
  );
  return varied.flatMap(({ uses = [] }) => uses.filter((rule) => unseen.has(rule)));
}

/** Whether a verdict finds fault with servers that vary legally so, other than where they fall short of a recommendation. */
export function isFaultOf(varied: readonly Variant[], { rule, status, severity }: ReportVerdict): boolean {
  if (status === 'fail' && severity !== 'error' && varied.some(({ shortOf }) => shortOf?.[rule] !== undefined))
    return false;
  return status === 'fail' || status === 'error';
}

/** One line for a verdict, with what a person needs to judge it. */
export function lineOf({ rule, status, message, evidence }: ReportVerdict): string {
  return `${status} ${rule}: ${message} [${evidence.flatMap(({ events }) => events).join(', ')}]`;
}
