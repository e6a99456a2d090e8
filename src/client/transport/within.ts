/** A wait with an end. It is independent of the awaited event. */

/** Waits for the promise, at most so long; true when the time ran out first. The timer never outlives the wait. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  const overdue = await Promise.race([promise.then(() => false), late]);
  clearTimeout(timer);
  return overdue;
}
