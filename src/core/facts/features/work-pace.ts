/** Change frequency of something that is polled. Pure; times are milliseconds of any clock. */

export interface WorkPace {
  readonly changes: number;
  /** It was looked at. */
  look(changed: boolean, t: number): void;
  /**
   * Longest observed time without a change: between two changes with an unchanged poll in between, or the average. A
   * missing poll is no evidence. Undefined when it never changed.
   */
  longestPause(end: number): number | undefined;
}

/** @param begun when the work began */
export function createWorkPace(begun: number): WorkPace {
  let changes = 0;
  let changedAt = begun;
  let still = false;
  let longest = 0;
  return {
    get changes() {
      return changes;
    },
    look(changed, t) {
      if (!changed) return void (still = true);
      if (still) longest = Math.max(longest, t - changedAt);
      still = false;
      changes += 1;
      changedAt = t;
    },
    longestPause(end) {
      if (changes === 0) return undefined;
      return Math.max(longest, (changedAt - begun) / changes, still ? end - changedAt : 0);
    },
  };
}
