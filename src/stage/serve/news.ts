/** The lines of a served run for the terminal. */
import type { TraceEvent } from '../../core/model/trace.ts';
import { startOf, type ActsSeen } from './acts-seen.ts';

/** Each first connection, act and violation, once. */
export function newsOf(seen: ActsSeen, tell: (line: string) => void) {
  const met = new Set<string>();
  const told = new Set<string>();
  return {
    event({ session }: TraceEvent): void {
      const start = startOf(session);
      if (!met.has(start) && seen.requests(start) > 0) {
        met.add(start);
        tell(`Connected to ${start}.`);
      }
      for (const words of seen.news()) tell(`Seen: ${words}`);
    },
    broken(rule: string, title: string): void {
      if (told.has(rule)) return;
      told.add(rule);
      tell(`Broken: ${rule}: ${title}`);
    },
  };
}
