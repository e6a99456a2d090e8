/** The end of a wait for something from outside. It is independent of the awaited event. */

/** A timer with this delay in milliseconds shows that this process did not run. */
const heldUpMs = 100;

/**
 * Calls back when the time is over. Time in which this process itself did not run does not count, up to the same time
 * again: data that arrived meanwhile is unread, and the delay is ours.
 *
 * @returns gives up the deadline
 */
export function startDeadline(ms: number, over: () => void): () => void {
  let mostAdded = ms;
  let timer: NodeJS.Timeout;
  const arm = (rest: number): void => {
    const due = performance.now() + rest;
    timer = setTimeout(() => {
      const late = performance.now() - due;
      const added = Math.min(late, mostAdded);
      if (late <= heldUpMs || added <= 0) return over();
      mostAdded -= added;
      arm(added);
    }, rest);
  };
  arm(ms);
  return () => clearTimeout(timer);
}
