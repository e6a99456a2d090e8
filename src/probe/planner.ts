/**
 * Turns the stimuli of rules into probes: equal stimuli are one probe, probes that disturb nobody share a
 * session, the others get one of their own. Knows nothing of how a step is carried out.
 */
import { append } from '../model/lists.ts';
import type { CompiledRule, Step } from '../model/rules/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import { placeIn } from '../spec/rule-place.ts';
import type { Detected } from './detect.ts';

export interface Probe {
  steps: Step[];
  /** Rules that asked for it, for progress and debugging; verdicts never depend on it. */
  rules: string[];
}

export interface ProbePlan {
  /** Run one after another on one session, all of which begins with a plain handshake; steps without it. */
  shared: Probe[];
  /** Each on a session of its own. */
  isolated: Probe[];
}

/**
 * What can be asked of a target that lets nobody in: the stimuli that come without credentials, and say so at
 * their first step.
 */
export function planLockedProbes(rules: readonly CompiledRule[], transport: TransportKind, revision: string): ProbePlan {
  const { isolated } = planProbes(rules, transport, revision);
  return { shared: [], isolated: isolated.filter(({ steps }) => comesWithoutCredentials(steps[0])) };
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
export function probesFor(rules: readonly CompiledRule[], { target, revision, locked, otherRevision }: Pick<Detected, 'target' | 'revision'> & { [K in 'locked' | 'otherRevision']?: Detected[K] | undefined }): ProbePlan {
  if (otherRevision !== undefined) return planProbes(rules.filter(({ area }) => area === 'versioning'), target.kind, revision);
  return (locked === undefined ? planProbes : planLockedProbes)(rules, target.kind, revision);
}

/** Plans the probes for the rules that can be judged on the transport and in the revision. */
export function planProbes(rules: readonly CompiledRule[], transport: TransportKind, revision: string): ProbePlan {
  const merged = new Map<string, Probe & { isolated: boolean }>();
  for (const rule of rules) {
    if (!rule.stimulus || rule.role !== 'server') continue;
    if (placeIn(rule, revision, transport) === undefined || !rule.transports.includes(transport)) continue;
    const key = keyOf(rule.stimulus);
    const isolated = rule.isolated || rule.stimulus[0] !== 'handshake';
    const known = merged.get(key);
    if (known) {
      known.rules.push(rule.id);
      known.isolated ||= isolated;
    } else merged.set(key, { steps: rule.stimulus, rules: [rule.id], isolated });
  }
  const probes = [...merged.values()];
  const plain = (probe: Probe): Probe => ({ steps: probe.steps, rules: probe.rules });
  return {
    shared: withoutPrefixes(probes.filter((probe) => !probe.isolated)).map((probe) => ({ ...plain(probe), steps: probe.steps.slice(1) })),
    // The longest go first, so that no long one is left to run alone at the end.
    isolated: withoutPrefixes(probes.filter((probe) => probe.isolated)).map(plain).sort((a, b) => b.steps.length - a.steps.length),
  };
}

/** Probes whose steps are the beginning of another probe's are gathered by that one. */
function withoutPrefixes<P extends Probe>(probes: P[]): P[] {
  const keys = probes.map((probe) => probe.steps.map(canonical));
  return probes.filter((probe, index) => {
    const mine = keys[index]!;
    const longer = keys.findIndex((other, at) => at !== index && other.length > mine.length && mine.every((step, place) => step === other[place]));
    if (longer === -1) return true;
    append(probes[longer]!.rules, probe.rules);
    return false;
  });
}

function keyOf(steps: readonly Step[]): string {
  return steps.map(canonical).join('\n');
}

/** JSON with members in order, so that equal steps have equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}
