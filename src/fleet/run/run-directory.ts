/**
 * The folder of a run: `run.json`, `journal.jsonl`, `servers/<id>/report.json`, `trace.jsonl` and `suite.json`, and at the end
 * `fleet.json`. Knows names and places, and how they are read and written; not what a check is.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { writeDurably } from '../../files/output/durable.ts';
import { usageError } from '../../core/model/errors.ts';
import type { FleetReport, FleetRunHeader } from '../../core/model/reports/fleet.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { upgradeReport, type RunReport1 } from '../../core/model/reports/upgrade-report.ts';
import { makeFolder } from '../../files/output/make-folder.ts';

export const runFile = 'run.json';
export const journalFile = 'journal.jsonl';
export const fleetFile = 'fleet.json';
const serversFolder = 'servers';

/** Paths of a server's files, relative to the run directory, with `/` on every system. */
export const reportPath = (id: string): string => `${serversFolder}/${id}/report.json`;
export const suitePath = (id: string): string => `${serversFolder}/${id}/suite.json`;
export const tracePath = (id: string): string => `${serversFolder}/${id}/trace.jsonl`;

/** Where a run has the quick look that went before it, a run of its own. */
export function quickFolder(directory: string): string {
  return path.join(directory, 'quick');
}

/** True if a run was begun in the folder. */
export function holdsRun(directory: string): boolean {
  return existsSync(path.join(directory, runFile));
}

/** The folder of a server. */
export function serverFolder(directory: string, id: string): string {
  return path.join(directory, serversFolder, id);
}

/** Folder of a run that was given no name: `mcpc-fleet/20261122T051500Z`. */
export function defaultRunDirectory(now: Date, parent = defaultParent): string {
  return path.join(parent, `${now.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')}`);
}

export const defaultParent = 'mcpc-fleet';

/**
 * Begins a run in a folder that holds none.
 * @throws McpcError usage when a run is there already, or the folder cannot be written
 */
export async function createRunDirectory(directory: string, header: FleetRunHeader): Promise<void> {
  if (holdsRun(directory)) {
    throw usageError(
      `${directory} holds a run already.`,
      'Go on with it by --resume, or name another folder with --out.',
    );
  }
  try {
    makeFolder(path.join(directory, serversFolder));
    await writeDurably(path.join(directory, runFile), `${JSON.stringify(header, null, 2)}\n`);
  } catch (error) {
    throw unwritable(directory, error);
  }
}

/** Why the run stops: what it writes could not be kept. */
export function unwritable(directory: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return usageError(
    full ? `The disk that holds ${directory} is full.` : `Cannot write to ${directory}: ${message}`,
    'Nothing that was settled is lost: make room or fix the permissions, and continue with --resume.',
    error,
  );
}

/** A fault of the file system as `unwritable`; anything else as it is. */
export function orUnwritable(directory: string, error: unknown): unknown {
  return error instanceof Error && /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')
    ? unwritable(directory, error)
    : error;
}

/** @throws McpcError usage when the folder holds no run, or one of another format */
export function readRunHeader(directory: string): FleetRunHeader {
  const header = readJson(
    path.join(directory, runFile),
    `${directory} holds no run of a fleet`,
    'Name a folder that mcpc fleet check wrote.',
  ) as FleetRunHeader;
  if (header?.format !== 'mcpc-fleet-run' || header.version !== 1 || !Array.isArray(header.servers)) {
    throw usageError(
      `${path.join(directory, runFile)} is not the beginning of a fleet run that this version of mcpc knows.`,
    );
  }
  // They become names of folders.
  const odd = header.servers.find(({ id }) => !/^[A-Za-z0-9_][\w.@-]*$/.test(id));
  if (odd)
    throw usageError(
      `${path.join(directory, runFile)} has a server with the id ${JSON.stringify(odd.id)}, which is no name of a folder.`,
    );
  return header;
}

/** The report of a run that ended, by its folder or the path of its file. @throws McpcError usage */
export function readFleetReport(place: string): FleetReport {
  const file = place.endsWith('.json') ? place : path.join(place, fleetFile);
  const report = readJson(
    file,
    `Cannot read the report of a fleet ${file}`,
    'Name the folder of a run; one that was cut off gets its report with --resume.',
  ) as FleetReport;
  if (report?.format !== 'mcpc-fleet-report' || report.version !== 1 || !Array.isArray(report.servers))
    throw usageError(`${file} is no report of a fleet.`, 'Name the folder of a run, or its fleet.json.');
  return report;
}

/** The report of one server, as its check wrote it, in the version of today. @throws McpcError usage when it cannot be read */
export function readServerReport(directory: string, relative: string): RunReport {
  return upgradeReport(
    readJson(path.join(directory, relative), `Cannot read ${path.join(directory, relative)}`) as RunReport | RunReport1,
  );
}

export async function writeFleetReport(directory: string, report: FleetReport): Promise<void> {
  try {
    await writeDurably(path.join(directory, fleetFile), `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw unwritable(directory, error);
  }
}

/** Sibling folders with runs that this version knows, oldest first, with their start times. */
function runsIn(parent: string): { directory: string; startedAt: string }[] {
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    return [];
  }
  const found = names.flatMap((name) => {
    const directory = path.join(parent, name);
    try {
      return existsSync(path.join(directory, runFile))
        ? [{ directory, startedAt: readRunHeader(directory).startedAt }]
        : [];
    } catch {
      // Damaged, or of another program: no part of what is looked for.
      return [];
    }
  });
  return found.sort((one, other) => (one.startedAt < other.startedAt ? -1 : one.startedAt > other.startedAt ? 1 : 0));
}

/** Runs in the same folder that began before this one, oldest first. */
export function earlierRuns(directory: string): string[] {
  const own = readRunHeader(directory).startedAt;
  return runsIn(path.dirname(path.resolve(directory))).flatMap((one) => (one.startedAt < own ? [one.directory] : []));
}

/** The newest run in the folder that lacks results; undefined when all have theirs. */
export function newestUnfinishedRun(parent = defaultParent): string | undefined {
  return runsIn(parent).findLast(({ directory }) => {
    try {
      return readFleetReport(directory).incomplete !== null;
    } catch {
      return true;
    }
  })?.directory;
}

function readJson(file: string, what: string, remedy?: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(`${what}: ${(error as Error).message}`, remedy, error);
  }
}
