/** Runs several actions so that none prevents another. */

/** Does all, in order. @throws the first error, once everything was tried */
export function doAll(tasks: readonly (() => void)[]): void {
  const errors: unknown[] = [];
  for (const task of tasks)
    try {
      task();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}
