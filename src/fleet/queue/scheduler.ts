/**
 * Decides which server is checked when: so many at a time, few of one host, one at a fixed port, none of a host that
 * does not answer. It is independent of how a check runs and of where results go.
 */
import { setMaxListeners } from 'node:events';
import type { FleetServer } from '../../core/model/reports/fleet.ts';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';
import type { JobLimit } from '../jobs/job-limit.ts';
import type { Places } from './places.ts';

export interface ScheduleOptions {
  /** Checks at a time. */
  jobs: JobLimit;
  /** Checks of one host at a time. */
  maxPerHost: number;
  /** After so many unreachable servers of a host in a row the rest of it is not tried; 0 tries all. */
  hostErrors: number;
  /** Begins no further check after a failure. */
  failFast: boolean;
  /** Ends everything; what is in flight is not settled. */
  signal: AbortSignal;
  placesOf(entry: FleetEntry): Places;
  /** Gives the result of a check. A rejection ends the run, unless the signal is aborted. */
  run(entry: FleetEntry, signal: AbortSignal): Promise<FleetServer>;
  /** The result of a server that is not tried. */
  giveUp(entry: FleetEntry, reason: string): FleetServer;
  /** Keeps a result. A rejection ends the run. */
  settle(server: FleetServer, entry: FleetEntry): Promise<void>;
  failed(server: FleetServer): boolean;
}

interface HostState {
  running: number;
  /** Unreachable results in a row. */
  errors: number;
}

/**
 * Resolves when nothing runs any more.
 * @returns why servers were left out; undefined when each has its result
 * @throws the rejection of `run` or `settle`, after the other checks ended
 */
export async function schedule(entries: readonly FleetEntry[], options: ScheduleOptions): Promise<string | undefined> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  // Every check in flight listens.
  setMaxListeners(0, signal);
  const waiting = entries.map((entry) => ({ entry, ...options.placesOf(entry) }));
  const hosts = new Map<string, HostState>();
  const ports = new Set<string>();
  let running = 0;
  let stopped: string | undefined;
  let failure: { error: unknown } | undefined;

  const hostOf = (name: string | undefined): HostState => {
    const state = (name === undefined ? undefined : hosts.get(name)) ?? { running: 0, errors: 0 };
    if (name !== undefined) hosts.set(name, state);
    return state;
  };
  const spent = (host: HostState): boolean => options.hostErrors > 0 && host.errors >= options.hostErrors;

  function fail(error: unknown): void {
    failure ??= { error };
    ending.abort();
  }

  async function keep(server: FleetServer, entry: FleetEntry): Promise<void> {
    await options.settle(server, entry);
    if (options.failFast && options.failed(server)) stopped ??= `stopped after the failure of ${server.name}`;
  }

  async function check({ entry, host: name, port }: (typeof waiting)[number]): Promise<void> {
    const host = hostOf(name);
    if (spent(host))
      return keep(
        options.giveUp(entry, `not tried: ${host.errors} servers in a row at ${name} could not be reached`),
        entry,
      );
    host.running += 1;
    if (port !== undefined) ports.add(port);
    try {
      const server = await options.run(entry, signal);
      if (server.status === 'unreachable') host.errors += 1;
      else if (!spent(host)) host.errors = 0;
      await keep(server, entry);
    } finally {
      host.running -= 1;
      if (port !== undefined) ports.delete(port);
    }
  }

  function next(): (typeof waiting)[number] | undefined {
    const at = waiting.findIndex(
      ({ host, port }) =>
        (host === undefined || spent(hostOf(host)) || hostOf(host).running < options.maxPerHost) &&
        (port === undefined || !ports.has(port)),
    );
    return at === -1 ? undefined : waiting.splice(at, 1)[0];
  }

  await new Promise<void>((resolve) => {
    function begin(): void {
      while (running < options.jobs.now && stopped === undefined && !signal.aborted) {
        const one = next();
        if (one === undefined) break;
        running += 1;
        check(one)
          .catch((error: unknown) => {
            // An interrupted check has no result, and runs again when the run is resumed.
            if (!options.signal.aborted) fail(error);
          })
          .finally(() => {
            running -= 1;
            begin();
          });
      }
      if (running === 0) resolve();
    }
    options.jobs.onMore(begin);
    begin();
  });
  if (failure) throw failure.error;
  if (options.signal.aborted) return 'interrupted';
  return waiting.length === 0 ? undefined : stopped;
}
