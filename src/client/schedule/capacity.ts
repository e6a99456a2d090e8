/**
 * How much a target can do at a time. Observations come in: whether it served a second connection, how long it took to
 * open one and to reply, and that it has room for no more sessions. The pool asks for the number of connections.
 */
import pLimit from 'p-limit';
import type { TransportKind } from '../../core/model/trace.ts';
import type { SessionRoom } from '../load/session-room.ts';

/** What two open connections showed. Times in milliseconds. */
export interface SecondConnection {
  /** From opening the second one to its first reply. */
  openedMs: number;
  /** A reply while the other connection was idle; absent where the machine was too busy to measure it. */
  replyMs?: number;
  /** A reply while both connections were asked. */
  besideMs: number;
}

interface CapacityOptions {
  transport: TransportKind;
  /** Connections at a time for a target that replies quickly. */
  jobs: number;
  /** Connections at a time for a target that spends its time waiting. */
  mostJobs: number;
  /** Sessions that the server has room for. */
  room?: SessionRoom | undefined;
}

export interface Capacity {
  /** The target serves one connection at a time. */
  readonly oneAtATime: boolean;
  /** Sessions that divide the shared probes among them. */
  readonly sharing: number;
  /** Tools, prompts or resources used at the same time on one connection. */
  readonly uses: number;
  /** Takes in how the second connection went. */
  observe(second: SecondConnection | 'fails' | undefined): void;
  /** Lets one more connection in until the wait of another one is over: an eighth to a sixth of a check over HTTP. */
  lend(wait: Promise<unknown>): void;
  /** Runs when a connection is free. */
  take<T>(run: () => Promise<T>): Promise<T>;
}

/** Over HTTP a reply that takes as long is worth more sessions; each of them has to see the lists itself. */
const slowReplyMs = 40;
export const verySlowReplyMs = 200;
const sessionsOfSlow = 3;
const sessionsOfVerySlow = 6;
const usesOfVerySlow = 5;
/** A process that starts more slowly waits for something other than the machine. */
const slowStartMs = 800;
/** Replies may differ by as much for no reason. */
const jitterMs = 200;

export function createCapacity({ transport, jobs, mostJobs, room }: CapacityOptions): Capacity {
  const limit = pLimit(1);
  let oneAtATime = false;
  let sharing = 1;
  let connections = Math.max(1, jobs);
  let lent = 0;
  let mostSessions = Infinity;
  const adjust = (): void => {
    const some = Math.max(connections, Math.min(mostJobs, connections + lent));
    limit.concurrency = Math.max(1, Math.min(mostSessions, some));
  };
  adjust();
  if (room)
    room.onFull = (open) => {
      mostSessions = open;
      adjust();
    };
  return {
    get oneAtATime() {
      return oneAtATime;
    },
    get sharing() {
      return sharing;
    },
    get uses() {
      return sharing === sessionsOfVerySlow ? usesOfVerySlow : 1;
    },
    observe(second) {
      if (second === undefined) return;
      oneAtATime = second === 'fails';
      if (second === 'fails' || servesInTurn(second)) connections = 1;
      else {
        sharing = transport === 'http' ? sessionsFor(second) : 1;
        const waits = transport === 'stdio' ? second.openedMs >= slowStartMs : sharing === sessionsOfVerySlow;
        connections = waits ? Math.max(connections, mostJobs) : connections + sharing - 1;
      }
      adjust();
    },
    lend(wait) {
      if (oneAtATime) return;
      lent += 1;
      adjust();
      const giveBack = (): void => {
        lent -= 1;
        adjust();
      };
      wait.then(giveBack, giveBack);
    },
    take: (run) => limit(run),
  };
}

/** How many sessions divide the shared probes. Twice the time of a reply beside another one shows that the target handles one at a time. */
function sessionsFor({ replyMs, besideMs }: SecondConnection): number {
  if (replyMs === undefined || replyMs < slowReplyMs) return 1;
  if (besideMs > replyMs * 1.5 + Math.min(jitterMs, replyMs / 4)) return 1;
  return replyMs < verySlowReplyMs ? sessionsOfSlow : sessionsOfVerySlow;
}

/** Whether requests on several connections would wait for each other so long that their replies come late. */
function servesInTurn({ replyMs, besideMs }: SecondConnection): boolean {
  return replyMs !== undefined && replyMs >= verySlowReplyMs && besideMs > replyMs * 1.7;
}
