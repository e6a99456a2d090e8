/**
 * How many probes of their own connection run at a time. Most of the time of a slow target is waiting, so that more
 * of them at once cost nothing; but a target that is busy, or serves one after another, must not be pressed so far
 * that its answers come late. Watches how long connections take to open, and decides nothing else.
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { TransportKind } from '../../core/model/trace.ts';

/** Timers of ours that come so late, in milliseconds, say that the machine is busy. */
const busyMs = 40;

/** What took so many times as long as timers of ours are late took it elsewhere, also on a busy machine. */
const outweighing = 3;

/**
 * Watches whether this process gets its turn. On a busy machine everything is slow, and more at a time would make it
 * slower; only a target that is slow while the machine is idle spends its time waiting.
 */
export function watchOwnDelay(): { busy(): boolean; outweighed(ms: number): boolean; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const lateMs = (): number => delay.percentile(90) / 1e6;
  return {
    busy: () => lateMs() > busyMs,
    outweighed: (ms) => ms >= outweighing * lateMs(),
    stop: () => void delay.disable(),
  };
}

export interface PaceOptions {
  /** Probes at a time to begin with, and at least. */
  jobs: number;
  /** Probes at a time at most. */
  most: number;
  /** Milliseconds from opening a connection to its first answer, with nothing else going on; absent: not known. */
  alone: number | undefined;
  transport: TransportKind;
}

export interface Pace {
  /** Takes in how long a connection took to its first answer, and tells how many probes may run at a time from now on. */
  opened(ms: number): number;
}

/**
 * Milliseconds: a connection that opens faster leaves little to gain. On stdio most of them are the start of a process,
 * which costs the machine something, and not the way to a server.
 */
export function slowOpening(transport: TransportKind): number {
  return transport === 'stdio' ? 800 : 150;
}

/** An answer that comes faster leaves little to gain. */
const slowReplyMs = 40;
/** Where an answer takes as long, twice as many sessions are worth that each sees the lists itself. */
export const verySlowReplyMs = 200;
const fewLanes = 3;
const manyLanes = 6;
/** Connections at a time at most, where answers take very long: they wait, and cost the machine nothing. */
const mostOfVerySlow = 12;
/** Times may differ by so much for no reason. */
const jitterMs = 200;

export function createPace({ jobs, most, alone, transport }: PaceOptions): Pace {
  let now = jobs;
  return {
    opened(ms) {
      if (alone === undefined || alone < slowOpening(transport)) return now;
      if (ms <= alone * 1.3 + jitterMs) now = Math.max(now, Math.min(most, now + 2));
      else if (ms > alone * 1.8 + jitterMs) now = Math.max(jobs, now - 2);
      return now;
    },
  };
}

/** Probes at a time at most, with so many sessions that share some. @param usual where answers do not take very long */
export function mostBeside(lanes: number, usual: number, transport: TransportKind): number {
  return lanes === manyLanes && transport !== 'stdio' ? Math.max(usual, mostOfVerySlow) : usual;
}

/**
 * Sessions that share the probes which disturb nobody: one, or several for a target that takes long to answer.
 * @param replyMs what an answer takes with nothing else going on
 * @param besideMs what it takes while another connection asks as well
 */
export function lanesFor(replyMs: number | undefined, besideMs: number | undefined): number {
  if (replyMs === undefined || besideMs === undefined || replyMs < slowReplyMs) return 1;
  // Twice the time says that the target answers one connection after the other.
  if (besideMs > replyMs * 1.5 + Math.min(jitterMs, replyMs / 4)) return 1;
  return replyMs < verySlowReplyMs ? fewLanes : manyLanes;
}

/**
 * Whether a target works off one request after another, each for so long that those of several probes together would
 * come late. @param replyMs what an answer takes with nothing else going on @param besideMs the same beside another one
 */
export function servesInTurn(replyMs: number | undefined, besideMs: number | undefined): boolean {
  return replyMs !== undefined && besideMs !== undefined && replyMs >= verySlowReplyMs && besideMs > replyMs * 1.7;
}

/** Uses of what is offered that are asked for at once on a connection, where answers take very long. */
const mostAtOnce = 5;

/** How many uses of what is offered are asked for at once on one connection. @param lanes sessions that share the probes */
export function usesAtOnce(lanes: number, transport: TransportKind): number {
  return lanes === manyLanes && transport === 'http' ? mostAtOnce : 1;
}
