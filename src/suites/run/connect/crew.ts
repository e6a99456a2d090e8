/**
 * Servers that are alike, for cases that any of them may serve. A further member starts only after cases have waited,
 * in total, as long as a start takes. So waits and starts together never cost more than twice the better of both.
 */

export interface Crew<T> {
  /** Carries out work with a member that is free. Rejects with what the work rejects with; the member stays. */
  use<R>(work: (one: T) => Promise<R>): Promise<R>;
  readonly members: readonly T[];
}

/**
 * @param make a new member; it starts nothing by itself
 * @param startMs milliseconds for the start of the first member; never resolves if it did not start
 */
export function createCrew<T>(make: () => T, startMs: (first: T) => Promise<number>): Crew<T> {
  const members: T[] = [];
  const free: T[] = [];
  const waiting: ((one: T) => void)[] = [];
  /** Milliseconds that cases have waited since the last member joined, without the start of the first. */
  let waited = 0;

  function join(): T {
    const one = make();
    members.push(one);
    return one;
  }

  function wait(first: T): Promise<T> {
    return new Promise((resolve) => {
      let began: number | undefined;
      let timer: NodeJS.Timeout | undefined;
      const take = (one: T): void => {
        clearTimeout(timer);
        waited += performance.now() - (began ?? performance.now());
        waiting.splice(waiting.indexOf(take), 1);
        resolve(one);
      };
      waiting.push(take);
      void startMs(first).then((ms) => {
        if (!waiting.includes(take)) return;
        began = performance.now();
        timer = setTimeout(
          () => {
            take(join());
            waited = 0;
          },
          Math.max(0, ms - waited),
        );
      });
    });
  }

  return {
    members,
    async use(work) {
      const one = free.pop() ?? (members[0] === undefined ? join() : await wait(members[0]));
      try {
        return await work(one);
      } finally {
        if (waiting[0] === undefined) free.push(one);
        else waiting[0](one);
      }
    },
  };
}
