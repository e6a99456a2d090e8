/**
 * Many mutations in few servers: mutations of different areas share a server, whose rules have to fail exactly as
 * the mutations say. Where they do not, each mutation is checked alone, which tells the culprit.
 */
import { canBeJoined, joined } from '../../src/testkit/example-server/mutations/joined.ts';
import type { Mutation } from '../../src/testkit/example-server/mutations/mutation.ts';
import type { MutationCase, Setting } from './accuracy.ts';
import { breaksMost, lineOf, namedBy, resolveRule, runMutation } from './accuracy.ts';
import { patient, type ReferenceLab } from './reference-server.ts';
import { drawn, shuffled } from './run/draw.ts';

/** Mutations that are checked in one server. */
export interface MutationGroup extends Setting {
  cases: MutationCase[];
}

/** Most mutations in one server: the more there are, the likelier is one to hide what another does. */
const mostTogether = 8;

/** Whether the behaviour is one of the process itself, so that a server in memory does not show it. */
function isOfProcess({ rule, change }: Mutation): boolean {
  return (
    rule.startsWith('stdio/') || change.stdio !== undefined || change.neglects?.includes('exit-with-stdin') === true
  );
}

function mustBeAlone({ mutation, transport }: MutationCase): boolean {
  return (
    mutation.served === true ||
    hiding[mutation.id]?.includes('*') === true ||
    breaksMost(mutation) ||
    (transport === 'stdio' && isOfProcess(mutation))
  );
}

/** Area and subject of a rule: `tasks/status` of tasks/status-initial. */
const topicOf = ({ rule }: Mutation): string => rule.split('-')[0]!;

/** Mutations that leave those of some areas nothing to be seen by, or those of all. */
export const hiding: Readonly<Record<string, readonly string[]>> = {
  'tools/list-result-schema': ['*'],
  'tools/list-answer': ['*'],
  'tools/capability-declaration': ['*'],
  'tools/execution-task-support-values': ['tasks'],
  'tasks/capability-declaration': ['tasks', 'progress'],
  'tasks/capability-undeclared-processing': ['tasks', 'progress'],
  'tasks/id-type': ['tasks', 'progress'],
  'tasks/schema-task': ['tasks'],
  'prompts/list-result-schema': ['prompts', 'completion'],
  'prompts/list-answer': ['prompts', 'completion'],
  'prompts/list-answer@silence': ['prompts', 'completion'],
  'prompts/capability-declaration': ['prompts', 'completion'],
  'jsonrpc/response-payload-presence': ['prompts', 'completion'],
  'jsonrpc/response-payload-exclusivity': ['prompts', 'completion'],
  'jsonrpc/result-object-type': ['prompts', 'completion'],
  'resources/list-result-schema': ['resources', 'completion'],
  'resources/list-answer': ['resources', 'completion'],
  'resources/capability-declaration': ['resources', 'completion'],
};

function hides(one: Mutation, other: Mutation): boolean {
  return hiding[one.id]?.includes(other.rule.split('/')[0]!) === true;
}

/** Whether two mutations show side by side in one server. */
function goTogether(one: Mutation, other: Mutation): boolean {
  if (hides(one, other) || hides(other, one)) return false;
  if (topicOf(one) === topicOf(other) || !canBeJoined(one.change, other.change)) return false;
  // A rule that another one breaks anyway would tell nothing of the mutation that names it.
  const [own, others] = [namedBy(one), namedBy(other)];
  return !others.includes(own[0]!) && !own.includes(others[0]!);
}

/** One case for each mutation, on one of its transports by turns: HTTP, which has most to go wrong, twice as often. */
export function casesInTurn(cases: readonly MutationCase[]): MutationCase[] {
  const ids = [...new Set(cases.map(({ id }) => id))];
  return ids.map((id) => {
    const own = cases.filter((one) => one.id === id);
    const weighted = own.flatMap((one) => (one.transport === 'http' ? [one, one] : [one]));
    return weighted[drawn(id) % weighted.length]!;
  });
}

/** What the server of a group has to be started with, as text. */
function serverOf({ mutation: { serve, guard }, transport, revision }: MutationCase): string {
  return JSON.stringify([transport, revision, serve, guard]);
}

/** Puts each case into exactly one group, with others of the same transport, revision and kind of server. */
export function groupMutations(cases: readonly MutationCase[]): MutationGroup[] {
  const groups: MutationGroup[] = [];
  for (const one of shuffled(cases, ({ id, transport }) => `${id} ${transport}`)) {
    const open = mustBeAlone(one)
      ? undefined
      : groups.find(
          ({ cases: [first, ...rest] }) =>
            rest.length + 1 < mostTogether &&
            !mustBeAlone(first!) &&
            serverOf(first!) === serverOf(one) &&
            [first!, ...rest].every(({ mutation }) => goTogether(mutation, one.mutation)),
        );
    if (open) open.cases.push(one);
    else groups.push({ transport: one.transport, revision: one.revision, cases: [one] });
  }
  return groups;
}

export interface GroupFinding {
  /** What is wrong, each with the mutation that is the culprit; empty when all is as it should be. */
  wrong: string[];
  /** Mutations that had to be looked at alone. */
  alone: string[];
}

/** Checks the server of a group; on a difference, whoever may be the cause is checked alone. */
export async function checkGroup(
  lab: ReferenceLab,
  { cases, transport, revision }: MutationGroup,
): Promise<GroupFinding> {
  const { suspects, whole } =
    cases.length === 1 ? { suspects: cases, whole: true } : await suspectsOf(lab, { cases, transport, revision });
  const wrong = await Promise.all(suspects.map((one) => checkAlone(lab, { ...one, whole })));
  return { wrong: wrong.flat(), alone: cases.length === 1 ? [] : suspects.map(({ id }) => id) };
}

/** Whom to look at alone, and whether by all rules: not where a rule has merely not failed. */
async function suspectsOf(
  lab: ReferenceLab,
  { cases, transport, revision }: MutationGroup,
): Promise<{ suspects: MutationCase[]; whole: boolean }> {
  const { serve, guard } = cases[0]!.mutation;
  const { report, gaveUp } = await lab.check({
    transport,
    revision,
    inMemory: true,
    change: joined(cases.map(({ mutation }) => mutation.change)),
    ...(serve ? { revisions: serve } : {}),
    ...(guard ? { guard } : {}),
  });
  const expected = new Set(cases.flatMap(({ mutation }) => namedBy(mutation)));
  const failed = new Set(report.parts[0]!.verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule));
  const isStrange =
    gaveUp !== undefined ||
    report.parts[0]!.verdicts.some(
      ({ rule, status }) => status === 'error' || (status === 'fail' && !expected.has(rule)),
    );
  const unseen = cases.filter(
    ({ mutation }) => mutation.advisory !== true && !failed.has(resolveRule(mutation.rule) ?? mutation.rule),
  );
  return isStrange ? { suspects: cases, whole: true } : { suspects: unseen, whole: false };
}

/** What is wrong with one mutation in a server of its own; what a busy machine may have brought about is looked at again. */
export async function checkAlone(lab: ReferenceLab, one: MutationCase): Promise<string[]> {
  const quick = await faultsOf(lab, one);
  return quick.length === 0 ? [] : faultsOf(lab, one, patient);
}

async function faultsOf(
  lab: ReferenceLab,
  one: MutationCase,
  timing?: Parameters<typeof runMutation>[2],
): Promise<string[]> {
  const { byName, named, unrelated, errors } = await runMutation(lab, one, timing);
  const { id, mutation, transport, revision } = one;
  const where = `${id}, ${transport}, ${revision}`;
  return [
    ...errors.map((verdict) => `${where}: ${lineOf(verdict)}`),
    ...unrelated.map((verdict) => `${where} also breaks a rule that it does not name: ${lineOf(verdict)}`),
    ...(byName || mutation.advisory === true
      ? []
      : [`${where} is not failed by its rule ${mutation.rule}, which came to ${named}`]),
  ];
}
