/** Helps the tests of whole runs: reads what a run left, without what differs from run to run, and looks for processes left over. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FleetEvent, FleetReport } from '../../src/core/model/reports/fleet.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

export function fleetReportOf(directory: string): FleetReport {
  return readJson(path.join(directory, 'fleet.json')) as FleetReport;
}

/**
 * Results of a run as they are the same each time: without times and counts of attempts, and without the number of
 * failed cases, since a busy machine has a check ask once more or less whether the server is still there.
 */
export function resultsOf(directory: string): unknown[] {
  return fleetReportOf(directory).servers.map((server) => {
    const { startUpMs: _start, durationMs: _duration, attempts: _attempts, reason, ...rest } = server;
    const file = server.report === null ? undefined : path.join(directory, server.report);
    const verdicts =
      file === undefined
        ? null
        : (readJson(file) as RunReport).parts[0]!.verdicts.map(({ rule, status }) => `${rule} ${status}`);
    const traced =
      server.trace === null ? null : lastLine(path.join(directory, server.trace)).startsWith('{"footer":true');
    return { ...rest, reason: reason?.replaceAll(/\d+/g, 'N') ?? null, judged: verdicts, traced };
  });
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)!;
}

/** Whole lines of the journal; empty while there is none. */
export function journalOf(directory: string): FleetEvent[] {
  const file = path.join(directory, 'journal.jsonl');
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FleetEvent);
}

/** What was begun or settled again after it had its result. */
export function repeated(events: readonly FleetEvent[]): string[] {
  const settled = new Set<string>();
  return events.flatMap((event) => {
    const id = event.event === 'begun' ? event.id : event.server.id;
    const twice = settled.has(id);
    if (event.event === 'settled') settled.add(id);
    return twice ? [`${id} ${event.event}`] : [];
  });
}

interface SeenProcess {
  pid: number;
  parent: number;
  command: string;
}

/** Processes that run now; ended ones that nobody has waited for are none. */
export function processes(): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        return [{ pid: Number(name), parent: Number(parent), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}

/** Ids of all that a process started, and that they started. */
export function descendants(pid: number): number[] {
  const all = processes();
  const children = (of: number): number[] =>
    all.filter(({ parent }) => parent === of).flatMap((one) => [one.pid, ...children(one.pid)]);
  return children(pid);
}

/** Ids of processes whose command line holds the text. */
export function processesWith(text: string): number[] {
  return processes()
    .filter(({ command }) => command.includes(text))
    .map(({ pid }) => pid);
}

/** Resolves when it is so. vitest's own time limit ends the wait. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Numbers below 1 that look random and come again with the seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
