/**
 * Growth of CPU time with the length of the input. CPU time of this process, not of the clock, and the least of
 * several runs: what else runs on the machine only adds.
 */

/** Milliseconds of CPU that a run takes at least. */
export async function leastCpuMs(runs: number, act: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

interface Growth {
  smallMs: number;
  largeMs: number;
  /** True when ten times the input took at most fifteen times the CPU, or so little that no growth can show in it. */
  linear: boolean;
}

/** Times that nobody can tell apart: a quadratic pattern is far above it at the sizes that are tried. */
const noiseMs = 100;
/** What grows too fast does so each time; a machine that is busy, or collects garbage, does not. */
const tries = 4;

/** Compares the CPU of an input with that of one ten times as long. */
export async function growthOf(act: (length: number) => unknown, length: number): Promise<Growth> {
  let growth: Growth = { smallMs: 0, largeMs: 0, linear: false };
  for (let turn = 0; turn < tries && !growth.linear; turn += 1) {
    const smallMs = await leastCpuMs(turn + 1, () => act(length));
    const largeMs = await leastCpuMs(turn + 1, () => act(length * 10));
    growth = { smallMs, largeMs, linear: largeMs <= noiseMs || largeMs <= 15 * smallMs };
  }
  return growth;
}
