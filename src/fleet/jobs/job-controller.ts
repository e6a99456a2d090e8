/**
 * Number of parallel checks when none is given: adapted to the machine. Works on measurements alone; it reads no clock,
 * and knows neither checks nor processes.
 *
 * Most of a check is waiting, for a server that starts, answers or ends. So more checks begin while processors
 * are idle, and waits of one server are filled with work on another. Measurements and their reasons:
 *
 * - `cpu`, the used share of all processors, by our workers, their servers and other programs.
 * - `load`, how many processes wanted a processor in the last minute: a shared machine stays usable.
 * - `freeMb`, available memory: a check starts up to four processes of its server.
 * - `lateMs`, the timer delay of the least delayed worker: a delay in only one worker is its own. On a delayed machine a
 *   quick server would look slow. This measure also holds where the others are wrong, as in a container with a quota.
 * - `heap`, the fill level of the fullest worker: a worker without memory loses all of its checks.
 *
 * It begins with two checks per processor, and returns to that as soon as nothing is scarce. It goes beyond while
 * processors idle. Steps are a quarter, up and down, and none is taken before the last one shows. Checks that run are
 * never ended.
 */

export interface Strain {
  /** 0 to 1, since the last measurement; 1 if the system does not report it. */
  cpu: number;
  /** Per processor; 0 if the system does not report it. */
  load: number;
  freeMb: number;
  /** On average since the last measurement, of the worker that is least late. */
  lateMs: number;
  /** 0 to 1, of the fullest worker. */
  heap: number;
}

export interface JobController {
  /** Checks at a time, as of now. */
  readonly limit: number;
  /**
   * @param full whether as many checks run as may: else more would change nothing
   * @returns whether more may run than before
   */
  take(strain: Strain, full: boolean): boolean;
}

/** Below the first limit no check is added; below the second running checks are at risk. */
const memory = { tightMb: 768, overMb: 256 };
/** The same for values that grow with the checks. */
const lateness = { tightMs: 40, overMs: 150 };
const heap = { tight: 0.7, over: 0.9 };
/** Processors are idle below both. */
const idle = { cpu: 0.85, load: 4 };

/**
 * Checks per processor: at the beginning, if resources are scarce, and at most, since each takes memory of its worker.
 */
const perCore = { first: 2, least: 1, most: 4 };

/** The most checks that run at a time on so many processors. */
export function mostJobs(cores: number): number {
  return cores * perCore.most;
}

export function createJobController(cores: number): JobController {
  const first = Math.max(2, cores * perCore.first);
  const least = Math.max(1, cores * perCore.least);
  let limit = first;
  /** The last step does not show in what was measured while it was taken. */
  let isFresh = false;
  return {
    get limit() {
      return limit;
    },
    take(strain, full) {
      if (isFresh) {
        isFresh = false;
        return false;
      }
      const before = limit;
      const step = Math.max(1, Math.floor(limit / 4));
      if (isOver(strain)) limit = Math.max(least, limit - step);
      else if (full && !isTight(strain))
        limit = Math.max(limit, Math.min(limit + step, isIdle(strain) ? Math.max(first, mostJobs(cores)) : first));
      isFresh = limit !== before;
      return limit > before;
    },
  };
}

function isOver(strain: Strain): boolean {
  return strain.freeMb < memory.overMb || strain.lateMs > lateness.overMs || strain.heap > heap.over;
}

function isTight(strain: Strain): boolean {
  return strain.freeMb < memory.tightMb || strain.lateMs > lateness.tightMs || strain.heap > heap.tight;
}

function isIdle(strain: Strain): boolean {
  return strain.cpu < idle.cpu && strain.load < idle.load;
}
