/** Checks a client of a fleet: what an entry says becomes the options of a run against a client. */
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { RuleSelection } from '../../check/check-options.ts';
import type { OpenedClient } from '../../check/fleet-file/entry.ts';
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';
import { commandDriver } from '../../stage/drive/command-driver.ts';
import { fileDriver } from '../../stage/drive/file/driver-file.ts';
import { readDriver } from '../../stage/drive/file/read-driver.ts';
import { runClient } from '../../stage/run-client.ts';

export interface ClientCheck {
  selection: RuleSelection;
  quick: boolean;
  /** Starts at the same time. */
  jobs: number;
  /** Environment of this process, below that of the entry. */
  env: NodeJS.ProcessEnv;
  toolVersion: string;
  traceFile: string;
  signal: AbortSignal;
  onPrint: (line: string) => void;
}

const usualStartMs = 30_000;

/** @throws McpcError as runClient; NotSpoken for a revision of several that the client does not accept */
export async function checkClientEntry(
  entry: FleetEntry,
  { words, driver, cwd, env, secrets, spec, startMs }: OpenedClient,
  { selection, quick, jobs, env: around, toolVersion, traceFile, signal, onPrint }: ClientCheck,
): Promise<RunReport> {
  return runClient({
    name: entry.name,
    ...(driver === undefined ? { words } : {}),
    driver: driver === undefined ? commandDriver(words, cwd) : fileDriver(readDriver(driver)),
    env: { ...around, ...env },
    secrets,
    transport: entry.client!.transport,
    // As a server is: by the newest revision, or by each that is named.
    spec: spec === 'auto' ? 'newest' : spec,
    onlyIfAccepted: entry.base !== undefined,
    selection,
    traceFile,
    keepSecrets: false,
    toolVersion,
    startMs: startMs ?? usualStartMs,
    jobs,
    quick,
    signal,
    onPrint,
  });
}
