/**
 * Checks generated faults against the reference server, several in one server where they can be told apart: each
 * befalls another kind of message, no two violate one requirement, and a failure counts for a fault only when its
 * evidence holds a message that this fault changed. What is not reported there is checked alone.
 */
import { readEvents } from '../../../src/files/traces/jsonl-reader.ts';
import type { ReportVerdict } from '../../../src/core/model/reports/run-report.ts';
import { joined } from '../../../src/testkit/example-server/mutations/joined.ts';
import { lineOf, type Setting } from '../accuracy.ts';
import { patient, type ReferenceCheck, type ReferenceLab, type ReferenceOutcome } from '../reference-server.ts';
import { shuffled } from '../run/draw.ts';
import type { FaultCase } from './cases.ts';
import { watched, type WatchedFault } from './watched-fault.ts';

export interface FaultGroup extends Setting {
  cases: FaultCase[];
}

const mostFaults = 10;
const mostVariants = 12;

/** What it befalls, as text; two faults of one kind of message would get in each other's way. */
function placeOf({ generated: { fault } }: FaultCase): string {
  const { reply, result, error, request, notification, http } = fault.on;
  return JSON.stringify(reply ?? result ?? error ?? request ?? notification ?? http);
}

/** What leaves other faults nothing to be seen by, or leaves no message that evidence could hold. */
export function mustBeAlone({
  generated: { fault, at },
  revision,
}: Pick<FaultCase, 'generated' | 'revision'>): boolean {
  if (at[revision] === 'legal') return fault.raw !== undefined;
  const isOfHandshake = [fault.on.result]
    .flat()
    .some((method) => method === 'initialize' || method === 'server/discover');
  return (
    isOfHandshake ||
    fault.on.error === '*' ||
    fault.on.http !== undefined ||
    fault.drop === true ||
    fault.raw !== undefined ||
    fault.header !== undefined ||
    fault.status !== undefined
  );
}

function goTogether(one: FaultCase, other: FaultCase): boolean {
  if (placeOf(one) === placeOf(other)) return false;
  return ![...(one.rules ?? [])].some((rule) => other.rules?.has(rule) === true);
}

/** Puts each case of a setting into one group. */
export function grouped(cases: readonly FaultCase[], seed: string): FaultGroup[] {
  const groups: FaultGroup[] = [];
  for (const one of shuffled(cases, ({ id }) => `${seed} ${id}`)) {
    const most = one.rules === undefined ? mostVariants : mostFaults;
    const open = mustBeAlone(one)
      ? undefined
      : groups.find(
          ({ cases: members }) =>
            members.length < most && !mustBeAlone(members[0]!) && members.every((member) => goTogether(member, one)),
        );
    if (open) open.cases.push(one);
    else groups.push({ transport: one.transport, revision: one.revision, cases: [one] });
  }
  return groups;
}

export interface CaseOutcome {
  one: FaultCase;
  /** Of a fault: some rule that names its requirement reported it. Of a variant: no rule failed. */
  right: boolean;
  /** The fault did not show: the check never came to what it befalls. */
  silent: boolean;
  /** What failed, where that is wrong. */
  failed: string[];
}

/** What a check of each showed; for many cases far fewer checks than cases. */
export async function runGroup(lab: ReferenceLab, group: FaultGroup): Promise<CaseOutcome[]> {
  const [first] = group.cases;
  return first!.rules === undefined ? runVariants(lab, group) : runFaults(lab, group);
}

async function runFaults(lab: ReferenceLab, { cases, ...setting }: FaultGroup): Promise<CaseOutcome[]> {
  if (cases.length === 1) return [await runFault(lab, cases[0]!)];
  const faults = cases.map((one) => ({ one, fault: watched(one.generated, one.validators) }));
  const outcome = await check(
    lab,
    setting,
    faults.map(({ fault }) => fault),
    { only: cases.flatMap(({ rules }) => [...rules!]) },
  );
  const messages = await messagesOf(outcome);
  return Promise.all(
    faults.map(async ({ one, fault }) => {
      const reported = outcome.report.parts[0]!.verdicts.some(
        (verdict) =>
          verdict.status === 'fail' &&
          one.rules!.has(verdict.rule) &&
          verdict.evidence.some(({ events }) => events.some((seq) => fault.sent.has(messages.get(seq) ?? ''))),
      );
      return reported ? { one, right: true, silent: false, failed: [] } : runFault(lab, one);
    }),
  );
}

/** By the rules of its requirements first, which takes few requests; by all rules where these report nothing. */
async function runFault(lab: ReferenceLab, one: FaultCase): Promise<CaseOutcome> {
  const quickly = await failedBy(lab, one, { only: [...one.rules!] });
  const found = quickly.right ? quickly : await failedBy(lab, one, {});
  return { one, right: found.right, silent: !found.right && !found.took, failed: found.right ? [] : found.failed };
}

async function failedBy(
  lab: ReferenceLab,
  one: FaultCase,
  how: Pick<ReferenceCheck, 'only'>,
): Promise<{ right: boolean; took: boolean; failed: string[] }> {
  const fault = watched(one.generated, one.validators);
  const { report } = await check(lab, one, [fault], how);
  const failed = report.parts[0]!.verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule);
  return { right: failed.some((rule) => one.rules!.has(rule)), took: fault.took(), failed };
}

/** Halves a group until the variant is found that a rule fails. */
async function runVariants(lab: ReferenceLab, { cases, ...setting }: FaultGroup): Promise<CaseOutcome[]> {
  const faults = cases.map((one) => watched(one.generated, one.validators));
  const wrong = wrongIn(await check(lab, setting, faults));
  if (wrong.length === 0)
    return cases.map((one, index) => ({ one, right: true, silent: !faults[index]!.took(), failed: [] }));
  if (cases.length === 1) {
    // What a busy machine may have brought about is looked at again, with patience.
    const again = wrongIn(
      await check(lab, setting, [watched(cases[0]!.generated, cases[0]!.validators)], { timing: patient }),
    );
    return [{ one: cases[0]!, right: again.length === 0, silent: false, failed: again }];
  }
  const middle = Math.ceil(cases.length / 2);
  const halves = await Promise.all(
    [cases.slice(0, middle), cases.slice(middle)].map((half) => runVariants(lab, { ...setting, cases: half })),
  );
  return halves.flat();
}

function wrongIn({ report, gaveUp }: ReferenceOutcome): string[] {
  const isWrong = ({ status }: ReportVerdict): boolean => status === 'fail' || status === 'error';
  return [
    ...(gaveUp === undefined ? [] : [`gave up: ${gaveUp}`]),
    ...report.parts[0]!.verdicts.filter(isWrong).map(lineOf),
  ];
}

function check(
  lab: ReferenceLab,
  { transport, revision }: Setting,
  faults: readonly WatchedFault[],
  how: Pick<ReferenceCheck, 'only' | 'timing'> = {},
): Promise<ReferenceOutcome> {
  return lab.check({ transport, revision, ...how, inMemory: true, change: joined(faults.map(({ change }) => change)) });
}

/** The messages of the server that failures cite, by their place in the trace. */
async function messagesOf({ report, trace }: ReferenceOutcome): Promise<Map<number, string>> {
  const cited = new Set(
    report.parts[0]!.verdicts.flatMap(({ status, evidence }) =>
      status === 'fail' ? evidence.flatMap(({ events }) => events) : [],
    ),
  );
  const events = await readEvents(trace, cited);
  return new Map(
    events.flatMap(({ seq, from, message }) =>
      from === 'server' && message !== undefined ? [[seq, JSON.stringify(message)] as const] : [],
    ),
  );
}
