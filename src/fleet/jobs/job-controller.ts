/**
 * How many checks of a fleet run at a time where nobody says a number: as many as the machine bears. Works on
 * measurements alone; it reads no clock, and knows neither checks nor processes.
 *
 * Most of a check is waiting, for a server that starts, answers or ends. So more checks are begun while processors
 * stand idle, and waits of one server are filled with work on another. What is measured, and why:
 *
 * - `cpu`, the share of all processors that was in use, by our workers, the servers that they started and whoever
 *   else runs here: what is left of it is what more checks could use.
 * - `load`, how many processes want a processor over the last minute: a machine that others share stays usable.
 * - `freeMb`, memory that can be had: a check starts up to four processes of its server.
 * - `lateMs`, how late timers fire, of the worker that is least late: what one worker suffers alone is its own doing.
 *   On a machine that is late a quick server would look slow; this one measure holds wherever the others are wrong, as
 *   within a container with a quota.
 * - `heap`, how full the fullest worker is: one that runs out of memory costs all checks that it was at.
 *
 * It begins with two checks for each processor, and comes back to that as soon as nothing is scarce, however busy others
 * keep the machine; beyond it goes while processors stand idle. Steps are a quarter, up and down, and none is taken before
 * the last one shows. Checks that run are never ended.
 */

export interface Strain {
  /** 0 to 1, since the last measurement; 1 where the system does not tell. */
  cpu: number;
  /** For each processor; 0 where the system does not tell. */
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

/** With less left than the first no check is added; with less than the second those that run are at risk. */
const memory = { tightMb: 768, overMb: 256 };
/** The same, of what grows with the checks. */
const lateness = { tightMs: 40, overMs: 150 };
const heap = { tight: 0.7, over: 0.9 };
/** Processors are idle below both. */
const idle = { cpu: 0.85, load: 4 };

/** Checks for each processor: at the beginning; where nothing is left; and at most, since each takes memory of its worker. */
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
