/** The end of a wait for something from outside. It must not know what is waited for. */

/** A timer that comes so late tells that this process did not get to run; milliseconds. */
const heldUpMs = 100;

/**
 * Calls back when the time is over. Time in which this process itself did not get to run does not count, up to as long
 * again: what came meanwhile lies unread, and nobody was late but us.
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
