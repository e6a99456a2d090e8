/**
 * Which probes follow one another on one connection. Over stdio a connection is a process, and starting servers is most
 * of what a check costs, so probes that leave the server as they found it share one. Each chain runs from harmless to
 * disruptive; the runner checks between two probes that the connection still answers.
 */
import { canonical, isObject } from '../../../core/model/json.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import type { StepTraits } from '../../steps/support/step-kind.ts';
import { traitsOfSteps } from '../../steps/table.ts';
import { waitsIn } from './duration.ts';
import { holdsBack, isOpening } from './openings.ts';
import type { Chain, Probe } from './probe.ts';

/** A chain of more probes is split, because probes that wait can wait at the same time. */
const longChain = 6;
/** Chains that a long one is split into. */
const parts = 3;
/** The shared probes take about as long as this many waits; the chain that goes on after them gets less to do. */
const waitsOfShared = 2;

/** What a probe may leave behind on its connection, from the least to the most disruptive. */
const sideEffects = ['setsLogLevel', 'cancels', 'deviates', 'spendsConnection'] as const;

/**
 * Groups probes by their handshake, and divides each group into as few chains as it needs.
 * @param probes each with its handshake
 * @param sharing shared probes exist, so one chain can continue on their connection
 */
export function intoChains(probes: readonly Probe[], sharing: boolean): { chains: Chain[]; ending?: Chain } {
  const groups = new Map<string, Probe[]>();
  for (const probe of probes) {
    const key = canonical(handshakeOf(probe.steps));
    groups.set(key, [...(groups.get(key) ?? []), probe]);
  }
  const usual = groups.get(canonical('handshake')) ?? [];
  groups.delete(canonical('handshake'));
  const others = [...groups.values()].flatMap((group) => divide(group, 1));
  const heads = usual.filter(beginsChain).length;
  const chains = divide(usual, Math.max(heads + (sharing ? 1 : 0), usual.length <= longChain ? 1 : parts), sharing);
  const at = sharing ? chains.findIndex(([head]) => head!.steps[0] === 'handshake') : -1;
  const [ending] = at === -1 ? [] : chains.splice(at, 1);
  return { chains: mostWaitsFirst([...chains, ...others]), ending };
}

/** Chains in which the probes that wait longest start first, so that none of them runs alone at the end. */
function mostWaitsFirst(chains: readonly Chain[]): Chain[] {
  const waits = new Map(chains.map((chain) => [chain, waitsOf(chain)]));
  return [...chains].sort((a, b) => waits.get(b)! - waits.get(a)!);
}

/** Whether a probe of the chain has the trait. */
export function hasTrait(chain: Chain, trait: keyof StepTraits): boolean {
  return chain.some(({ steps }) => traitsOfSteps(steps)[trait] === true);
}

/**
 * Divides probes into chains of about equal waiting time. A chain has at most one probe that has to begin it and one
 * that has to end it, so there are at least as many chains as either.
 * @param sharing the first chain that no probe has to begin comes after the shared probes
 */
function divide(probes: readonly Probe[], atLeast: number, sharing = false): Chain[] {
  const heads = probes.filter(beginsChain);
  const tails = probes.filter((probe) => !heads.includes(probe) && hasTrait([probe], 'spendsConnection'));
  const others = probes.filter((probe) => !heads.includes(probe) && !tails.includes(probe));
  const count = Math.max(heads.length, tails.length, Math.min(atLeast, heads.length + others.length));
  const chains = Array.from({ length: count }, (_, index) => ({
    head: heads[index],
    tail: tails[tails.length - 1 - index],
    middle: [] as Probe[],
    waitsBefore: sharing && index === heads.length ? waitsOfShared : 0,
  }));
  const all = ({ head, middle, tail }: (typeof chains)[number]): Probe[] =>
    [head, ...middle, tail].filter((one) => one !== undefined);
  const waits = (chain: (typeof chains)[number]): number => chain.waitsBefore + waitsOf(all(chain));
  for (const probe of [...others].sort((a, b) => waitsIn(b.steps) - waitsIn(a.steps))) {
    const [least] = chains.toSorted((a, b) => waits(a) - waits(b) || all(a).length - all(b).length);
    least!.middle.push(probe);
  }
  for (const { middle } of chains)
    middle.sort((a, b) => sideEffectOf(a) - sideEffectOf(b) || others.indexOf(a) - others.indexOf(b));
  return chains.map(all).filter(({ length }) => length > 0);
}

/** Whether the handshake of a probe differs from that of its group, though the same session may come of it. */
function beginsChain({ steps }: Probe): boolean {
  return holdsBack(steps) || isUnknownVersion(steps) || waitsBeforeHandshake(steps);
}

/** What the connections of a group have in common. A server that knows no such version answers with its usual one. */
function handshakeOf(steps: readonly Step[]): Step | undefined {
  const [first, second] = steps;
  if (waitsBeforeHandshake(steps)) return second;
  if (isUnknownVersion(steps)) return 'handshake';
  if (!isObject(first)) return first;
  if (!isObject(first.handshake)) return { alone: canonical(steps) };
  const { initialized: _, ...handshake } = first.handshake;
  return { ...first, handshake };
}

function waitsBeforeHandshake([first, second]: readonly Step[]): boolean {
  return first === 'linger' && second === 'handshake';
}

function isUnknownVersion(steps: readonly Step[]): boolean {
  return isOpening(steps) && traitsOfSteps(steps).deviates === true;
}

/** 0 for a probe that leaves nothing behind. */
function sideEffectOf({ steps }: Probe): number {
  const traits = traitsOfSteps(steps);
  return sideEffects.findLastIndex((effect) => traits[effect] === true) + 1;
}

function waitsOf(chain: Chain): number {
  return chain.reduce((sum, { steps }) => sum + waitsIn(steps), 0);
}
