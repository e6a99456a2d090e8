/**
 * The rate of requests to one target: at the pace that the user set, paused while the server is overloaded (429, 503,
 * or an error for too many requests), and slower for the rest of the run after that. One for all connections of a run;
 * every wait is bounded, reported, and over at once when the run is stopped. It is independent of messages.
 */
import { isBusy, type RateLimit } from '../../core/model/reports/busy-server.ts';
import { createSessionRoom, type SessionRoom } from './session-room.ts';
import type { BusyWaits } from '../target/timing.ts';

export interface RequestRateOptions {
  /** Most requests a second; as many as come when absent. */
  perSecond?: number;
  busyWaits: BusyWaits;
  /** Called for each wait, with a sentence. */
  tell?: (line: string) => void;
  /** Ends all waits when aborted. */
  signal?: AbortSignal;
}

export interface RequestRate {
  /** Resolves when it is the turn of one more request; undefined when that is now. */
  turn(): Promise<void> | undefined;
  /** The server had no time for a request. @param retryAfter value of that header, if there was one @param begins the connection whose session was to begin by it */
  refused(status: number, retryAfter: string | undefined, begins?: string): void;
  /** An error said that there were too many requests. */
  limited(limit: RateLimit, begins?: string): void;
  /** True if a request that was refused this many times may be repeated. */
  mayRepeat(refusals: number): boolean;
  /** The same of a connection whose session may be what was refused: known when there may be room for it. */
  mayBegin(refusals: number, connection: string): boolean | Promise<boolean>;
  /** Available sessions; a refusal for lack of them slows down nothing else. */
  readonly sessions: SessionRoom;
  /** Methods of HTTP that the server had no time for, however often it was asked. */
  readonly vain: Set<string>;
  /** Why the server is left alone from now on: it asked for more patience than there is. */
  readonly givenUp: string | undefined;
}

/** Number of repetitions of one request. */
const mostRepeats = 3;
/** However busy a server is, requests are slowed down to no farther apart than this, in milliseconds; at first not so far. */
const longestGapMs = 1000;
const longestFirstGapMs = 250;
/** Time over which the present pace is measured. */
const windowMs = 1000;
const keptTimes = 100;

export function createRequestRate({
  perSecond,
  busyWaits,
  tell: report = () => {},
  signal,
}: RequestRateOptions): RequestRate {
  let gapMs = perSecond === undefined ? 0 : 1000 / perSecond;
  let nextAt = 0;
  let pausedUntil = 0;
  let pausedMs = 0;
  let refusals = 0;
  let givenUp: string | undefined;
  /** When the last requests went out. */
  const times: number[] = [];
  const waits = new Set<() => void>();
  signal?.addEventListener('abort', () => waits.forEach((end) => end()), { once: true });

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        waits.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      waits.add(end);
    });
  }

  function wentOut(at: number): undefined {
    times.push(at);
    if (times.length > keptTimes) times.shift();
  }

  function turn(): Promise<void> | undefined {
    const now = performance.now();
    if (signal?.aborted || givenUp !== undefined) return undefined;
    const at = Math.max(now, nextAt, pausedUntil);
    nextAt = at + gapMs;
    if (at <= now) return wentOut(now);
    // Meanwhile the server may have asked for more time.
    return wait(at - now).then(() => (performance.now() < pausedUntil ? turn() : wentOut(performance.now())));
  }

  /** Half as fast as it went of late, or as it was allowed to go. */
  function slowDown(now: number): void {
    const of = times.filter((at) => at > now - windowMs).length;
    gapMs =
      gapMs > 0
        ? Math.max(gapMs, Math.min(longestGapMs, gapMs * 2))
        : Math.min(longestFirstGapMs, (2 * windowMs) / Math.max(1, of));
  }

  function leave(why: string): void {
    givenUp = why;
    report(`${why[0]!.toUpperCase()}${why.slice(1)}; it is left alone.`);
    for (const end of waits) end();
  }

  /** @param how what said so @param asked for how long, in milliseconds */
  function spare(how: string, asked: number | undefined): void {
    if (givenUp !== undefined || signal?.aborted) return;
    const now = performance.now();
    // Requests that were under way together are refused together.
    const fresh = now >= pausedUntil;
    if (fresh) refusals += 1;
    const ms = asked ?? Math.min(busyWaits.pauseMs, busyWaits.againMs * 2 ** Math.min(refusals - 1, 10));
    if (asked !== undefined && asked > busyWaits.pauseMs)
      return leave(`the server asks (${how}) to be left alone for ${seconds(asked)}, longer than mcpc waits`);
    if (now + ms <= pausedUntil) return;
    if (!fresh && asked === undefined) return;
    pausedMs += now + ms - Math.max(now, pausedUntil);
    if (pausedMs > busyWaits.pausesMs)
      return leave(`the server was too busy (${how}) for longer than ${seconds(busyWaits.pausesMs)} in all`);
    pausedUntil = now + ms;
    if (!fresh) return;
    slowDown(now);
    report(
      `The server is busy (${how}): waiting ${seconds(ms)}${asked === undefined ? '' : ' as it asks'}, then at most ${(1000 / gapMs).toFixed(1)} requests a second.`,
    );
  }

  const sessions = createSessionRoom({ busyWaits, tell: report, signal });
  /** True if the server may lack room for one more session, rather than time. */
  const lacksRoom = (begins: string | undefined, asked: number | undefined): boolean =>
    begins !== undefined && sessions.refused(begins, asked);
  const mayRepeat = (times: number): boolean =>
    times <= mostRepeats && givenUp === undefined && signal?.aborted !== true;

  return {
    turn,
    sessions,
    vain: new Set(),
    get givenUp() {
      return givenUp;
    },
    refused(status, retryAfter, begins) {
      const asked = retryAfterMs(retryAfter, Date.now());
      if (isBusy(status) && !lacksRoom(begins, asked)) spare(`HTTP ${status}`, asked);
    },
    // A number without a unit may be ambiguous: such a wait is limited.
    limited({ retryAfterMs: asked }, begins) {
      if (!lacksRoom(begins, asked))
        spare('a rate limit', asked === undefined || asked > busyWaits.pauseMs || asked === 0 ? undefined : asked);
    },
    mayRepeat,
    mayBegin: (times, connection) => sessions.freed(connection) ?? mayRepeat(times),
  };
}

/**
 * Milliseconds that a Retry-After header asks for: seconds, or a date (RFC 9110, 10.2.3). Undefined for none, for what
 * is neither, and for a time that is over.
 * @param now milliseconds since 1970
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return text === '0' ? undefined : Number(text) * 1000;
  if (/^\d+$/.test(text)) return Infinity;
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return date > now ? date - now : undefined;
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${Math.round(ms / 100) / 10} s` : 'ever';
}
