/** Copies results of an earlier run into another one, for unchanged servers. */
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../files/output/durable.ts';
import type { FleetRunHeader, FleetServer } from '../../core/model/reports/fleet.ts';
import { readJournal } from './journal.ts';
import { journalFile, readRunHeader, serverFolder } from './run-directory.ts';
import { ruleDifferences } from './same-run.ts';
import { makeFolder } from '../../files/output/make-folder.ts';

export interface CarryOptions {
  /** Directory of the earlier run. */
  from: string;
  to: string;
  header: FleetRunHeader;
  /** Digest of each entry as it is now, by id. */
  digests: ReadonlyMap<string, string>;
  /** Ids of servers whose entry does not determine the program. */
  uncertain: ReadonlySet<string>;
  /** Ids of servers that have their result already. */
  done: ReadonlySet<string>;
  keep(server: FleetServer): Promise<void>;
  note(line: string): void;
}

/** Only checks that ended as they should are taken over. @throws McpcError usage when there is no such run */
export async function carryOver({
  from,
  to,
  header,
  digests,
  uncertain,
  done,
  keep,
  note,
}: CarryOptions): Promise<void> {
  const old = readRunHeader(from);
  const differences = ruleDifferences(old, header);
  if (differences.length > 0)
    return note(`Every server is checked: the run in ${from} was judged by other rules (${differences.join('; ')}).`);
  const { settled } = await readJournal(path.join(from, journalFile));
  for (const { id } of header.servers) {
    const found = settled.get(id);
    if (found === undefined || done.has(id) || uncertain.has(id) || found.digest !== digests.get(id)) continue;
    const { owner: _owner, expectedGrade: _grade, ...server } = found.server;
    if (server.status !== 'checked' || server.reason !== null) continue;
    await copyServer(from, to, id);
    const now = header.servers.find((one) => one.id === id)!;
    await keep({
      ...server,
      name: now.name,
      tags: now.tags,
      ...(now.owner === undefined ? {} : { owner: now.owner }),
      ...(now.expectedGrade === undefined ? {} : { expectedGrade: now.expectedGrade }),
      carriedFrom: server.carriedFrom ?? path.basename(path.resolve(from)),
    });
  }
}

/** Report and trace of a server from one run directory into another, whole or not at all. */
export async function copyServer(from: string, to: string, id: string): Promise<void> {
  const place = serverFolder(to, id);
  const fresh = `${place}.part`;
  makeFolder(path.dirname(place));
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh);
  for (const name of ['report.json', 'trace.jsonl', 'suite.json']) {
    await copyFile(path.join(serverFolder(from, id), name), path.join(fresh, name)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
  }
  await syncFiles(fresh);
  await rm(place, { recursive: true, force: true });
  await rename(fresh, place);
  await syncFolder(path.dirname(place));
}

async function syncFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const handle = await open(path.join(folder, name), 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await syncFolder(folder);
}
