/**
 * Which probes can follow one another on one connection. Starting a server is what a check over stdio costs most; a
 * probe that leaves the server as it found it needs no process of its own. They go from harmless to rude, so that what
 * may put a server out of order comes when little follows; whoever runs them looks between two of them whether the
 * connection still answers.
 */
import { canonical, isObject } from '../../../core/model/json.ts';
import { largest } from '../../../core/model/lists.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import { traitsOfSteps } from '../../steps/table.ts';
import { waitsIn } from './duration.ts';
import { holdsBack, isOpening } from './openings.ts';
import type { Probe } from './probe.ts';

/** So many probes behind another one are worth a second connection. */
const long = 6;
/** Parts of a long chain at most: two on connections of their own, one on that of the shared probes. */
const mostParts = 3;
/** The shared probes take about as long as a wait. */
const waitsWhileSharing = 1;

/** What a probe may leave behind on its connection, from the least to the most. */
const leavings = [
  'nothing',
  'another log level',
  'cancelled work',
  'an oddity',
  'a connection for nothing else',
] as const;
const spent = leavings.length - 1;

/** Probes gathered for as few connections as they need. */
export interface Gathered {
  /** Each on a connection of its own; those that follow another one stand in its `then`. */
  isolated: Probe[];
  /** Goes on with the connection that the shared probes have used. */
  ending?: Probe;
}

/**
 * Gathers probes that begin with the same handshake into chains. One that waits in the middle of its handshake leads
 * the chain, and one that names another version leads what cannot follow there, or else one of two chains: where the
 * usual revision is agreed on all the same, its connection is like any other.
 * @param probes each on a connection of its own
 * @param how `fewStarts`: a long chain stays one; `sharing`: there are shared probes, whose connection can be gone on with
 */
export function inTurn(
  probes: readonly Probe[],
  { fewStarts = false, sharing = false }: { fewStarts?: boolean; sharing?: boolean } = {},
): Gathered {
  const openings = probes.filter(({ steps }) => isOpening(steps)).sort((a, b) => rank(leftBy(a)) - rank(leftBy(b)));
  const groups = new Map<string, Probe[]>();
  for (const probe of waitingAtOpening(
    probes.filter((one) => !openings.includes(one)),
    openings,
  )) {
    const begins = canonical(withoutHold(probe.steps[0]));
    const group = groups.get(begins);
    if (group) group.push(probe);
    else groups.set(begins, [probe]);
  }
  let ending: Probe | undefined;
  const gathered = [...groups.values()].flatMap((group): Probe[] => {
    if (!isHandshake(group[0]!.steps[0])) return group;
    const [chain, ...more] = chained(group);
    const parts = fewStarts ? [chain!] : inParts(chain!, sharing && isUsual(chain!));
    const { chains, alone } = withEnds(parts, more);
    if (chains.length === mostParts) ending = chains.pop();
    else if (fewStarts && sharing && isUsual(chain!))
      ending = alone.shift() ?? (chain!.then === undefined && !leadsOn(openings.at(-1)) ? chains.pop() : undefined);
    const lead = (probe: Probe): Probe =>
      isUsual(probe) && leadsOn(openings.at(-1)) ? ledBy(openings.pop()!, probe) : probe;
    if (fewStarts) return [...chains, ...alone].map(lead);
    // What is alone is led first: a chain is longer, and more follows it.
    const led = alone.map(lead);
    return [...(chains.length > 1 ? chains.map(lead) : chains), ...led];
  });
  // The oddest first: a connection that is opened later and served tells what silence there meant.
  return { isolated: [...gathered, ...openings.reverse()], ending };
}

/** Has a wait before the usual handshake take place before an opening, since nothing was said before either; what follows that handshake needs no connection of its own then. */
function waitingAtOpening(probes: readonly Probe[], openings: Probe[]): Probe[] {
  const waiting = probes.find(({ steps }) => steps[0] === 'linger' && steps[1] === 'handshake');
  const opening = openings.shift();
  if (opening !== undefined)
    openings.unshift(
      waiting === undefined
        ? opening
        : { steps: ['linger', ...opening.steps], rules: [...opening.rules, ...waiting.rules] },
    );
  return opening === undefined
    ? [...probes]
    : probes.map((probe) => (probe === waiting ? { ...probe, steps: probe.steps.slice(1) } : probe));
}

/** A handshake with its end, whether or not that is held back at first. */
function withoutHold(first: Step | undefined): Step | undefined {
  if (!isObject(first) || !isObject(first.handshake)) return first;
  const { initialized: _, ...handshake } = first.handshake;
  return { ...first, handshake };
}

function isHandshake(step: Step | undefined): boolean {
  return step === 'handshake' || (typeof step === 'object' && 'handshake' in step);
}

function isUsual({ steps }: Probe): boolean {
  return steps[0] === 'handshake';
}

/** Whether a server is likely to agree on its usual revision all the same: what the opening asks for exists nowhere. */
function leadsOn(opening: Probe | undefined): boolean {
  return opening !== undefined && traitsOfSteps(opening.steps).deviates === true;
}

function ledBy(opening: Probe, { then = [], ...probe }: Probe): Probe {
  return { ...opening, then: [probe, ...then] };
}

/** Has chains that leave a connection for others end with probes of the rest that do not. */
function withEnds(chains: readonly Probe[], rest: readonly Probe[]): { chains: Probe[]; alone: Probe[] } {
  const ended = [...chains];
  const alone = rest.filter((probe) => {
    const at = isSpent(probe)
      ? ended.findIndex(
          (chain) => (ended.length > 1 || chain.then !== undefined) && ![chain, ...(chain.then ?? [])].some(isSpent),
        )
      : -1;
    if (at !== -1) ended[at] = { ...ended[at]!, then: [...ended[at]!.then!, probe] };
    return at === -1;
  });
  return { chains: ended, alone };
}

/** One chain of those that can follow one another; only one can lead it, and only one that leaves a connection for nothing else can end it. */
function chained(group: readonly Probe[]): Probe[] {
  const leading = group.filter(({ steps }) => holdsBack(steps));
  const following = group.filter(({ steps }) => !holdsBack(steps)).sort((a, b) => rank(leftBy(a)) - rank(leftBy(b)));
  const sorted = [...leading.splice(-1), ...following];
  const end = sorted.findIndex(isSpent);
  const length = end === -1 ? sorted.length : end + 1;
  const [head, ...then] = sorted.slice(0, length);
  return [then.length === 0 ? head! : { ...head!, then }, ...leading, ...sorted.slice(length)];
}

/**
 * A long chain as two, each in the same order: its probes spend their time waiting, and do so beside each other then,
 * about as long in the one as in the other. Which one goes where depends on their steps alone, so that two runs agree.
 * The one that waits less, or less at once, comes first: who leads it takes a moment, while the other one has begun.
 * @param sharing a third part, the last, is for the connection of the shared probes, which has less time
 */
function inParts(chain: Probe, sharing: boolean): Probe[] {
  const { then = [], ...head } = chain;
  const [second, ...others] = then;
  if (second === undefined || then.length < long) return [chain];
  const own = [head, second].map((first) => ({ probes: [first], waits: waitsIn(first.steps) }));
  const ending = { probes: [] as Probe[], waits: waitsWhileSharing };
  const parts = sharing ? [...own, ending] : own;
  for (const probe of [...others].sort((a, b) => waitsIn(b.steps) - waitsIn(a.steps))) {
    const [least] = parts.toSorted((a, b) => a.waits - b.waits || a.probes.length - b.probes.length);
    least!.probes.push(probe);
    least!.waits += waitsIn(probe.steps);
  }
  const inOrder = ({ probes }: { probes: Probe[] }): Probe => {
    const [first, ...more] = [head, second, ...others].filter((probe) => probes.includes(probe));
    return { ...first!, then: more };
  };
  const longest = ({ probes }: { probes: Probe[] }): number => largest(probes.map(({ steps }) => waitsIn(steps)));
  return [
    ...own.toSorted((a, b) => a.waits - b.waits || longest(a) - longest(b)),
    ...(ending.probes.length > 0 && sharing ? [ending] : []),
  ].map(inOrder);
}

function isSpent(probe: Probe): boolean {
  return leftBy(probe) === leavings[spent];
}

function rank(left: (typeof leavings)[number]): number {
  return leavings.indexOf(left);
}

function leftBy({ steps }: Probe): (typeof leavings)[number] {
  const { spendsConnection, deviates, cancels, setsLogLevel } = traitsOfSteps(steps);
  if (spendsConnection) return 'a connection for nothing else';
  if (deviates) return 'an oddity';
  if (cancels) return 'cancelled work';
  return setsLogLevel ? 'another log level' : 'nothing';
}
