/**
 * Plays starts, several at a time where that changes nothing. Logins run one after another: a client may keep its
 * registration, and listen on one port for the redirect. Starts that lose a session come last.
 */
import type { PlannedStart } from '../scene/start-plan.ts';

export interface SeveralOptions {
  jobs: number;
  /** Aborted when no further start is to begin. */
  signal: AbortSignal;
  play(start: PlannedStart): Promise<void>;
}

/** @throws what `play` throws first, once all that had begun have ended */
export async function playSeveral(
  starts: readonly PlannedStart[],
  { jobs, signal, play }: SeveralOptions,
): Promise<void> {
  const isGuarded = ({ situation }: PlannedStart): boolean => situation.guard !== undefined;
  const isLast = ({ situation }: PlannedStart): boolean => situation.closes !== undefined;
  const phases: [PlannedStart[], number][] = [
    [starts.filter((start) => !isGuarded(start) && !isLast(start)), jobs],
    [starts.filter((start) => isGuarded(start) && !isLast(start)), 1],
    [starts.filter(isLast), jobs],
  ];
  for (const [phase, most] of phases) await inPool(phase, { jobs: most, signal, play });
}

async function inPool(starts: readonly PlannedStart[], { jobs, signal, play }: SeveralOptions): Promise<void> {
  const waiting = [...starts];
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (signal.aborted || failures.length > 0) return;
      try {
        await play(next);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, starts.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
