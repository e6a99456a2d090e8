/**
 * Turns the stimuli of rules into probes: equal stimuli are one probe, probes that disturb nobody share a
 * session, the others get one of their own. Knows nothing of how a step is carried out.
 */
import { canonical } from '../../../core/model/json.ts';
import { append } from '../../../core/model/lists.ts';
import type { CompiledRule, Step } from '../../../core/model/rules/rule.ts';
import type { TransportKind } from '../../../core/model/trace.ts';
import { placeIn } from '../../../core/spec/rule-place.ts';
import type { Detected } from '../../reach/detected.ts';
import { besideTheirLike } from './beginnings.ts';
import { splitOpenings } from './openings.ts';
import { intoChains } from './chains.ts';
import { longestFirst } from './duration.ts';
import type { Probe, ProbePlan } from './probe.ts';

/**
 * What can be asked of a target that lets nobody in: the stimuli that come without credentials, and say so at
 * their first step.
 */
export function planLockedProbes(
  rules: readonly CompiledRule[],
  transport: TransportKind,
  revision: string,
): ProbePlan {
  const { chains } = planProbes(rules, transport, revision);
  return { shared: [], chains: chains.filter(([head]) => comesWithoutCredentials(head!.steps[0])) };
}

function comesWithoutCredentials(step: Step | undefined): boolean {
  if (typeof step !== 'object' || typeof step.handshake !== 'object') return false;
  const { headers } = step.handshake as { headers?: Record<string, unknown> };
  return headers?.authorization === null;
}

/**
 * What is worth asking of a target as it was found: of one that lets nobody in, how it guards itself; of one that speaks
 * another revision than it is held to, how it chooses versions; else everything.
 */
export function probesFor(
  rules: readonly CompiledRule[],
  {
    target,
    revision,
    locked,
    otherRevision,
  }: Pick<Detected, 'target' | 'revision'> & { [K in 'locked' | 'otherRevision']?: Detected[K] | undefined },
  how: PlanOptions = {},
): ProbePlan {
  if (otherRevision !== undefined)
    return planProbes(
      rules.filter(({ area }) => area === 'versioning'),
      target.kind,
      revision,
      how,
    );
  return locked === undefined
    ? planProbes(rules, target.kind, revision, how)
    : planLockedProbes(rules, target.kind, revision);
}

/** What a plan is made for besides the rules. */
export interface PlanOptions {
  /** The revision that was asked for where the target was found out, if another one: that handshake was seen already. */
  asked?: string | undefined;
}

/** Plans the probes for the rules that can be judged on the transport and in the revision. */
export function planProbes(
  rules: readonly CompiledRule[],
  transport: TransportKind,
  revision: string,
  { asked }: PlanOptions = {},
): ProbePlan {
  const merged = new Map<string, Probe & { isolated: boolean }>();
  const ask = (steps: Step[], rule: string, isolated: boolean): void => {
    const key = keyOf(steps);
    const known = merged.get(key);
    if (known) {
      known.rules.push(rule);
      known.isolated ||= isolated;
    } else merged.set(key, { steps, rules: [rule], isolated });
  };
  // Rules of level MAY come last: they add to what others ask for, and change no order.
  for (const rule of [
    ...rules.filter(({ feature }) => feature !== true),
    ...rules.filter(({ feature }) => feature === true),
  ]) {
    if (!rule.stimulus || rule.role !== 'server') continue;
    if (placeIn(rule, revision, transport) === undefined || !rule.transports.includes(transport)) continue;
    const { steps, openings } = splitOpenings(rule.stimulus, revision, asked);
    ask(steps, rule.id, rule.isolated || steps[0] !== 'handshake');
    for (const opening of openings) ask(opening, rule.id, true);
  }
  const probes = [...merged.values()];
  const plain = (probe: Probe): Probe => ({ steps: probe.steps, rules: probe.rules });
  const isolated = withoutPrefixes(probes.filter((probe) => probe.isolated)).map(plain);
  const shared = besideTheirLike(
    withoutPrefixes(probes.filter((probe) => !probe.isolated)).map((probe) => ({
      ...plain(probe),
      steps: probe.steps.slice(1),
    })),
  );
  // A session over HTTP costs no process.
  if (transport !== 'stdio') return { shared, chains: longestFirst(isolated).map((probe) => [probe]) };
  return { shared, ...intoChains(isolated, shared.length > 0) };
}

/** Probes whose steps are the beginning of another probe's are gathered by that one. */
function withoutPrefixes<P extends Probe>(probes: P[]): P[] {
  const keys = probes.map((probe) => probe.steps.map(canonical));
  return probes.filter((probe, index) => {
    const mine = keys[index]!;
    const longer = keys.findIndex(
      (other, at) => at !== index && other.length > mine.length && mine.every((step, place) => step === other[place]),
    );
    if (longer === -1) return true;
    append(probes[longer]!.rules, probe.rules);
    return false;
  });
}

function keyOf(steps: readonly Step[]): string {
  return steps.map(canonical).join('\n');
}
