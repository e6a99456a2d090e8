/** What a replay did, for its report. */
import { titleOf } from './match.ts';
import type { Turn } from './recording.ts';

export interface ReplayReport {
  format: 'mcpc-replay-report';
  version: 1;
  recording: string;
  clients: number;
  requests: number;
  /** Requests that got what was recorded. */
  served: number;
  /** Requests that were not recorded, each with how often it came. */
  missed: { words: string; times: number }[];
  /** Questions of the server whose answers were others than recorded. */
  otherAnswers: { method: string; times: number }[];
  /** Recorded requests that no client asked for. */
  unused: string[];
  faults: Record<string, number>;
}

export class ReplayCounts {
  private readonly misses = new Map<string, number>();
  private readonly answers = new Map<string, number>();
  private readonly never = new Set<string>();
  private clients = 0;
  private requests = 0;
  private servedCount = 0;

  client(): void {
    this.clients += 1;
  }

  request(): void {
    this.requests += 1;
  }

  served(): void {
    this.servedCount += 1;
  }

  miss(words: string): void {
    this.misses.set(words, (this.misses.get(words) ?? 0) + 1);
  }

  otherAnswer(method: string): void {
    this.answers.set(method, (this.answers.get(method) ?? 0) + 1);
  }

  unused(turns: readonly Turn[]): void {
    for (const { method, params } of turns) this.never.add(titleOf(method, params));
  }

  report(recording: string, faults: Readonly<Record<string, number>>): ReplayReport {
    return {
      format: 'mcpc-replay-report',
      version: 1,
      recording,
      clients: this.clients,
      requests: this.requests,
      served: this.servedCount,
      missed: [...this.misses].map(([words, times]) => ({ words, times })),
      otherAnswers: [...this.answers].map(([method, times]) => ({ method, times })),
      unused: [...this.never],
      faults: { ...faults },
    };
  }
}

const mostLines = 20;

/** The report for a reader. */
export function reportLines({
  clients,
  requests,
  served,
  missed,
  otherAnswers,
  unused,
  faults,
}: ReplayReport): string[] {
  const times = (count: number): string => (count === 1 ? '' : ` (${count} times)`);
  const made = Object.entries(faults).map(([kind, count]) => `${count} ${kind}`);
  return [
    `${clients} client${clients === 1 ? '' : 's'}, ${requests} request${requests === 1 ? '' : 's'}, ${served} as recorded, ${missed.reduce((sum, one) => sum + one.times, 0)} not in the recording.`,
    ...missed.slice(0, mostLines).map((one) => `  not recorded: ${one.words}${times(one.times)}`),
    ...(missed.length > mostLines ? [`  and ${missed.length - mostLines} more`] : []),
    ...otherAnswers.map((one) => `  another answer than recorded to ${one.method}${times(one.times)}`),
    ...(unused.length > 0
      ? [`  ${unused.length} recorded request${unused.length === 1 ? '' : 's'} not asked for`]
      : []),
    ...(made.length > 0 ? [`  faults made: ${made.join(', ')}`] : []),
  ];
}
