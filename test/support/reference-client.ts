/** Runs the reference client against the situations of the rules, and lists the faults that it can be given. */
import { everything } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { CompiledMutation } from '../../src/core/model/rules/mutation.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import type { CompiledRule } from '../../src/core/model/rules/rule.ts';
import type { TransportKind } from '../../src/core/model/trace.ts';
import { compileMutations } from '../../src/core/rules/compile-mutation.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { functionsDriver } from '../../src/stage/drive/functions-driver.ts';
import { runClient } from '../../src/stage/run-client.ts';
import { referenceClient, type ReferenceOptions } from '../reference-client/client.ts';
import { duties, type DutyFault } from '../reference-client/faults.ts';
import { liberties } from '../reference-client/liberties.ts';
import { loginFaults } from '../reference-client/login-faults.ts';
import type { loadProject } from './rules.ts';

type Project = Awaited<ReturnType<typeof loadProject>>;

export interface ClientSetting {
  transport: TransportKind;
  revision: Revision;
}

/** A fault of the reference client, and the rule that it breaks. */
export interface ClientFault extends Omit<CompiledMutation, 'fault'> {
  options: Pick<ReferenceOptions, 'faults' | 'neglects' | 'capabilities' | 'variant'>;
  starts?: string[];
}

/** Everything that the reference client speaks. HTTP+SSE belongs to 2024-11-05. */
export const clientSettings: readonly ClientSetting[] = revisions.flatMap((revision) =>
  (['http', 'stdio', 'sse'] as const)
    .filter((transport) => transport === 'stdio' || (transport === 'sse') === (revision === '2024-11-05'))
    .map((transport) => ({ transport, revision })),
);

export function runReference(
  { transport, revision }: ClientSetting,
  options: Omit<ReferenceOptions, 'revision'> = {},
  { rule, traceFile }: { rule?: string | readonly string[]; traceFile?: string } = {},
): Promise<RunReport> {
  return runClient({
    name: 'reference',
    driver: functionsDriver(referenceClient({ revision, ...options })),
    env: process.env,
    secrets: [],
    transport,
    spec: revision,
    selection: everything,
    keepSecrets: false,
    toolVersion: 'test',
    startMs: 20_000,
    ...(traceFile === undefined ? {} : { traceFile }),
    signal: new AbortController().signal,
    // The first start is the ordinary one.
    ...(rule === undefined
      ? {}
      : { leaveOut: ({ name, rules }) => name !== 'c1' && ![rule].flat().some((one) => rules.includes(one)) }),
  });
}

/** Runs it with a fault, in the starts that show it. */
export function runFault(setting: ClientSetting, { options, rule, starts = [] }: ClientFault): Promise<RunReport> {
  return runReference(setting, options, { rule: [rule, ...starts] });
}

/** Rules of a report by what came of them. */
export function rulesBy(report: RunReport, status: string): string[] {
  return report.parts.flatMap(({ verdicts }) =>
    verdicts.filter((one) => one.status === status).map(({ rule }) => rule),
  );
}

/** Faults of the rule files, and duties that the client leaves out. */
export function clientFaults({ sources, rule }: Project): ClientFault[] {
  const ofFiles = sources
    .filter((source) => source.rule.role === 'client')
    .flatMap((source) => compileMutations(source.rule, rule(source.id)))
    .map(({ fault, ...mutation }) => ({ ...mutation, options: { faults: [fault] } }));
  return [...ofFiles, ...[...duties, ...loginFaults].map((duty) => ofDuty(duty, rule(duty.rule)))];
}

function ofDuty(
  { rule: id, options, starts, transports, revisions: narrowed, ...rest }: DutyFault,
  rule: CompiledRule,
): ClientFault {
  return {
    id: `${id}@${rest.name}`,
    rule: id,
    transports: transports ?? rule.transports,
    revisions: revisions.filter((one) => rule.at[one] !== undefined && narrowed?.includes(one) !== false),
    description: rest.name,
    ...(rest.alsoBreaks ? { alsoBreaks: rest.alsoBreaks } : {}),
    ...(starts ? { starts } : {}),
    options,
  };
}

/** A way to be that breaks nothing. */
export interface ClientLiberty {
  name: string;
  options: Pick<ReferenceOptions, 'capabilities' | 'variant'>;
}

/** What a client is free to do. */
export const clientLiberties: readonly ClientLiberty[] = [
  { name: 'has no capability', options: { capabilities: {} } },
  { name: 'offers forms alone', options: { capabilities: { elicitation: {} } } },
  ...liberties.map((variant) => ({ name: variant, options: { variant: new Set([variant]) } })),
];

/** A rule about either party: what a fault breaks besides is named as in the rule about the server. */
const ofEither = (rule: string): string => rule.replace('/client-', '/');

/** Rules that failed though the fault names them nowhere. */
export function unrelatedRules({ rule, alsoBreaks = [] }: ClientFault, failed: readonly string[]): string[] {
  if (alsoBreaks.includes('*')) return [];
  const related = new Set([rule, ...alsoBreaks].map(ofEither));
  return failed.filter((one) => one !== rule && !related.has(ofEither(one)));
}

/** Where a fault shows, by turns of the transports. */
export function settingsOfFault({ transports, revisions: held }: ClientFault): ClientSetting[] {
  return clientSettings.filter(({ transport, revision }) => transports.includes(transport) && held.includes(revision));
}
