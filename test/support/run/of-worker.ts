/** What is kept as long as a worker of vitest runs, beside the modules, which may be loaded anew for each file. */
const kept = process as unknown as Record<symbol, unknown>;

/** @param make called once a worker for each name */
export function ofWorker<T>(name: string, make: () => T): T {
  return (kept[Symbol.for(`mcpc.tests.${name}`)] ??= make()) as T;
}
