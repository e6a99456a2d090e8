/** Joins run directories, usually the shares of one fleet, into one. What is joined is on the disk before it counts. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { FleetReport, FleetRunHeader, FleetRunServer, FleetServer } from '../../core/model/reports/fleet.ts';
import { largest } from '../../core/model/lists.ts';
import { fleetRules, reorderVerdicts } from '../../core/model/reports/verdict-codes.ts';
import { copyServer } from '../run/carry-over.ts';
import { openJournal, readJournal } from '../run/journal.ts';
import {
  createRunDirectory,
  fleetFile,
  journalFile,
  readFleetReport,
  orUnwritable,
  readRunHeader,
  writeFleetReport,
} from '../run/run-directory.ts';
import { ruleDifferences } from '../run/same-run.ts';
import { fleetReport } from './fleet-report.ts';

export interface MergeOptions {
  from: readonly string[];
  /** Where the joined run goes; holds no run yet. */
  to: string;
  /** Joins what was judged by different rules, and takes the later of two entries with one name. */
  mixed: boolean;
  /** Name of the joined run. */
  id: string;
}

interface Part {
  directory: string;
  header: FleetRunHeader;
  settled: Map<string, { server: FleetServer; digest: string }>;
  durationMs: number;
}

/** A server of the joined run, and where its result is. */
interface Joined {
  place: FleetRunServer;
  part: Part;
}

/** @throws McpcError usage when the runs do not go together, and when the disk is full or cannot be written */
export async function mergeRuns({ from, to, mixed, id }: MergeOptions): Promise<FleetReport> {
  const parts = await Promise.all(from.map(readPart));
  const [first, ...others] = parts;
  if (first === undefined) throw usageError('There is nothing to join.', 'Name the folders of the runs.');
  if (!mixed) for (const other of others) refuseDifferent(first, other);
  const joined = joinServers(parts, mixed);
  const header = headerOf(parts, joined, id);
  await createRunDirectory(to, header);
  const settled = new Map<string, FleetServer>();
  try {
    const journal = await openJournal(path.join(to, journalFile));
    try {
      for (const { place, part } of joined) {
        const result = part.settled.get(place.id);
        if (result === undefined) continue;
        await copyServer(part.directory, to, place.id);
        const server = {
          ...result.server,
          verdicts: reorderVerdicts(result.server.verdicts, part.header.rules, header.rules),
        };
        await journal.settled(server, result.digest);
        settled.set(place.id, server);
      }
    } finally {
      await journal.close();
    }
  } catch (error) {
    throw orUnwritable(to, error);
  }
  const report = fleetReport(header, settled, {
    stopped: 'a run that was joined lacks them',
    durationMs: largest(parts.map(({ durationMs }) => durationMs)),
    shards: parts.map(({ header: { shard }, directory }) => shard ?? path.basename(path.resolve(directory))),
  });
  await writeFleetReport(to, report);
  return report;
}

async function readPart(directory: string): Promise<Part> {
  const header = readRunHeader(directory);
  const { settled, last } = await readJournal(path.join(directory, journalFile));
  let durationMs = last === undefined ? 0 : Date.parse(last) - Date.parse(header.startedAt);
  try {
    ({ durationMs } = readFleetReport(path.join(directory, fleetFile)));
  } catch {
    // The run was cut off; its journal shows the progress.
  }
  return { directory, header, settled, durationMs };
}

function refuseDifferent(one: Part, other: Part): void {
  const found = ruleDifferences(one.header, other.header);
  if (found.length > 0)
    throw usageError(
      `${one.directory} and ${other.directory} were judged by different rules: ${found.join('; ')}.`,
      'Check one of them again, or join them all the same by --mixed; their scores do not compare.',
    );
}

/** Every server once, in the order of the fleet file. */
function joinServers(parts: readonly Part[], mixed: boolean): Joined[] {
  const joined = new Map<string, Joined>();
  for (const part of parts) {
    for (const place of part.header.servers) {
      const before = joined.get(place.id);
      if (before === undefined) {
        joined.set(place.id, { place, part });
        continue;
      }
      if (before.place.digest !== place.digest && !mixed) {
        throw usageError(
          `The server ${place.name} is another one in ${before.part.directory} than in ${part.directory}.`,
          'Join runs of one fleet file, or take the later one by --mixed.',
        );
      }
      if (better(part, before.part, place.id)) joined.set(place.id, { place, part });
    }
  }
  // Sorting keeps the order of what has the same place.
  return [...joined.values()].sort((one, other) => one.place.place - other.place.place);
}

/** Prefers, of two runs with the same server, the one with a result, then with a verdict, then the later one. */
function better(one: Part, other: Part, id: string): boolean {
  const [mine, theirs] = [one.settled.get(id)?.server, other.settled.get(id)?.server];
  if (mine === undefined || theirs === undefined) return mine !== undefined;
  if ((mine.status === 'checked') !== (theirs.status === 'checked')) return mine.status === 'checked';
  return one.header.startedAt > other.header.startedAt;
}

function headerOf(parts: readonly Part[], joined: readonly Joined[], id: string): FleetRunHeader {
  const [{ header: first }] = parts as [Part];
  const digests = [...new Set(parts.map(({ header }) => header.ruleSet.digest))].sort();
  const rules = fleetRules(parts.flatMap(({ header }) => header.rules));
  const features = parts.some(({ header }) => header.features !== undefined)
    ? { features: fleetRules(parts.flatMap(({ header }) => header.features ?? [])) }
    : {};
  const isQuick = parts.every(({ header }) => header.ruleSet.profile === 'quick');
  const policies = new Map(
    parts.flatMap(({ header }) => header.policies).map((policy) => [JSON.stringify(policy), policy]),
  );
  const { shard: _shard, ...rest } = first;
  return {
    ...rest,
    ruleSet:
      digests.length === 1
        ? first.ruleSet
        : {
            digest: `mixed-${createHash('sha256').update(digests.join('\n')).digest('hex').slice(0, 16)}`,
            rules: rules.length,
            ...(isQuick ? { profile: 'quick' as const } : {}),
          },
    rules,
    ...features,
    id,
    startedAt: parts.map(({ header }) => header.startedAt).sort()[0]!,
    policies: [...policies.values()],
    servers: joined.map(({ place }) => place),
  };
}
