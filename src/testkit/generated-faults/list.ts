/**
 * The generated faults and their legal variants: every operator at every place of every message, and around messages.
 * The same fault in several revisions is one entry.
 */
import { usageError } from '../../core/model/errors.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { readLayout } from '../../files/package/message-files.ts';
import { generatedFile } from '../../files/package/package-root.ts';
import { loadCatalogue } from '../../files/package/load-catalogue.ts';
import { revisions } from '../../core/spec/revisions.ts';
import type { GeneratedFault } from './generated-fault.ts';
import { schemaFaults } from './schema-faults.ts';
import { wireFaults } from './wire-faults.ts';

let made: Promise<readonly GeneratedFault[]> | undefined;

/** In an order that never changes; made once for a process. */
export function generatedFaults(): Promise<readonly GeneratedFault[]> {
  return (made ??= make());
}

/**
 * One fault. Only those of the same message are made for it: a server with it starts in a third of the time.
 *
 * @throws McpcError (usage) when there is no such fault
 */
export async function generatedFault(id: string): Promise<GeneratedFault> {
  const found = (await make(id)).find((one) => one.id === id);
  if (found === undefined)
    throw usageError(
      `There is no fault "${id}".`,
      '"mcpc faults list" shows all ids; a word after it selects those that contain it.',
    );
  return found;
}

async function make(id?: string): Promise<readonly GeneratedFault[]> {
  const catalogue = loadCatalogue({ generated: generatedFile('requirements.json') });
  const found: (readonly [GeneratedFault, Revision])[] = [];
  for (const revision of revisions) {
    const layout = await readLayout(revision);
    for (const one of [...schemaFaults(layout, catalogue, undefined, id), ...wireFaults(layout, catalogue, id)])
      found.push([one, revision]);
  }
  return mergedFaults(found);
}

/** Faults of several revisions, each once where it is the same. */
export function mergedFaults(found: readonly (readonly [GeneratedFault, Revision])[]): GeneratedFault[] {
  const list = new Map<string, GeneratedFault>();
  for (const [one, revision] of found) add(list, one, revision);
  return [...list.values()];
}

/** Differences of a revision from earlier ones are separate entries. */
function add(list: Map<string, GeneratedFault>, one: GeneratedFault, revision: Revision): void {
  const known = list.get(one.id);
  if (known === undefined) list.set(one.id, one);
  else if (isSame(known, one)) list.set(one.id, { ...known, at: { ...known.at, ...one.at } });
  else {
    const id = `${one.id}@${revision}`;
    if (!list.has(id)) list.set(id, { ...one, id });
  }
}

function isSame(known: GeneratedFault, { fault, transports, bySchema }: GeneratedFault): boolean {
  return (
    JSON.stringify([known.fault, known.transports, known.bySchema]) === JSON.stringify([fault, transports, bySchema])
  );
}
