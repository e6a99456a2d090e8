/**
 * Tests that take more than about a second of CPU time take turns: each runs in one run of four, and the four turns
 * cost about the same, so that no commit draws all that is dear. turns.json has what each of them takes.
 */
import { readFileSync } from 'node:fs';
import { everything, seed } from './options.ts';
import { drawn } from './seed.ts';

const count = 4;

/** CPU seconds of each test, by the name that it gives to `isTurnOf`. */
export type Costs = Readonly<Record<string, number>>;

/** One test, or several that are alike, a line. */
export const costs = JSON.parse(readFileSync(new URL('turns.json', import.meta.url), 'utf8')) as Costs;

const turnBy = new Map(turns(costs).flatMap((names, turn) => names.map((name): [string, number] => [name, turn])));

/**
 * Whether a dear test runs this time; always in the full run (`--mode all`). None stands within another or
 * rests on one, since their turns may never meet.
 * @throws where turns.json does not have the name
 */
export function isTurnOf(name: string): boolean {
  const turn = turnBy.get(name);
  if (turn === undefined)
    throw new Error(
      `test/support/run/turns.json has no ${JSON.stringify(name)}: add it with the CPU seconds that it takes`,
    );
  return everything || turn === drawn(seed, 'turn') % count;
}

/** The names by turn: the dearest first, each into the turn that costs least so far. */
export function turns(of: Costs): string[][] {
  const byTurn = Array.from({ length: count }, () => ({ names: [] as string[], cost: 0 }));
  for (const [name, cost] of Object.entries(of).sort(([a, dear], [b, dearer]) => dearer - dear || (a < b ? -1 : 1))) {
    const least = byTurn.reduce((one, other) => (other.cost < one.cost ? other : one));
    least.names.push(name);
    least.cost += cost;
  }
  return byTurn.map(({ names }) => names);
}
