/** State of cases while suites are watched: the latest result of each, and its answers when it passed last. */
import type { CaseStatus, SuiteCaseReport } from '../../../core/model/reports/suite-report.ts';
import { snapshotDiff } from '../../language/snapshot/difference.ts';

/** A case that ended otherwise than the time before. */
export interface Flip {
  name: string;
  was: CaseStatus;
  is: CaseStatus;
  detail: string;
  /** Of a case that passed: its answers then and now, as a unified diff; null when they are the same. */
  diff: string | null;
}

export type Answers = ReadonlyMap<string, string>;

export interface WatchedState {
  /** Keeps results of cases; reports those that differ from the last time. */
  take(reports: readonly SuiteCaseReport[], answers: ReadonlyMap<string, Answers>): Flip[];
  /** Cases that are not there any more are forgotten. */
  keep(ids: ReadonlySet<string>): void;
  failed(): ReadonlySet<string>;
  counts(): Record<CaseStatus, number>;
}

export function createWatchedState(): WatchedState {
  const last = new Map<string, CaseStatus>();
  const passed = new Map<string, Answers>();

  function flip({ id, name, status, detail }: SuiteCaseReport, was: CaseStatus, now: Answers | undefined): Flip {
    const before = passed.get(id);
    const diff =
      was !== 'pass' || status !== 'fail' || before === undefined ? null : differenceOf(before, now ?? new Map());
    return { name, was, is: status, detail, diff };
  }

  return {
    take(reports, answers) {
      const flips = reports.flatMap((one) => {
        const was = last.get(one.id);
        return was === undefined || was === one.status ? [] : [flip(one, was, answers.get(one.id))];
      });
      for (const { id, status } of reports) {
        last.set(id, status);
        const now = answers.get(id);
        if (status === 'pass' && now !== undefined) passed.set(id, now);
      }
      return flips;
    },
    keep(ids) {
      for (const known of [last, passed]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    },
    failed: () => new Set([...last].filter(([, status]) => status === 'fail').map(([id]) => id)),
    counts() {
      const count = (wanted: CaseStatus): number => [...last.values()].filter((status) => status === wanted).length;
      return {
        pass: count('pass'),
        fail: count('fail'),
        skip: count('skip'),
        undecided: count('undecided'),
        empty: count('empty'),
      };
    },
  };
}

/** Each step with another answer, one after another. */
function differenceOf(before: Answers, now: Answers): string | null {
  const parts = [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key) ?? '', now.get(key) ?? ''];
    return was === is ? [] : [`${key}\n${snapshotDiff(was, is)}`];
  });
  return parts.length === 0 ? null : parts.join('\n');
}
