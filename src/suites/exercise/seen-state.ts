/**
 * Visible state of a server: its lists, some resources, and the given files. Two looks show the changes in between;
 * repeated looks show what changes by itself.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from '../../client/peer/peer.ts';
import { surveyTarget } from '../../client/offers/survey.ts';

/** Digests by what they are of, as `the list of tools` or `the resource notes://1`. */
export type SeenState = ReadonlyMap<string, string>;

const mostResources = 10;
const mostFiles = 1_000;

/** @param folder of the files that the server was given */
export async function lookAt(peer: Peer, folder: string | undefined): Promise<SeenState> {
  const seen = new Map<string, string>();
  const listing = await surveyTarget(peer);
  const lists = {
    tools: listing.tools,
    prompts: listing.prompts,
    resources: listing.resources,
    'resource templates': listing.templates,
  };
  // A missing list is not a changed one.
  if (listing.missing === undefined)
    for (const [name, items] of Object.entries(lists))
      seen.set(`the list of ${name}`, digest(JSON.stringify(items.map((one) => JSON.stringify(one)).toSorted())));
  for (const { uri } of listing.resources.slice(0, mostResources)) {
    if (typeof uri !== 'string' || !peer.alive) continue;
    const answer = await peer.request('resources/read', { uri }).answer;
    if (answer.kind === 'response')
      seen.set(
        `the resource ${uri}`,
        digest(JSON.stringify((answer.message as { result?: { contents?: unknown } }).result?.contents ?? null)),
      );
  }
  if (folder !== undefined) for (const [name, text] of filesIn(folder)) seen.set(`the file ${name}`, text);
  return seen;
}

function filesIn(folder: string): [string, string][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .slice(0, mostFiles);
  const names = entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return [
    ['names', digest(JSON.stringify(names))],
    ...names.map((path): [string, string] => [path.slice(folder.length + 1), digest(readFileSync(path))]),
  ];
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The equal part of both, which does not change by itself. */
export function steady(one: SeenState, other: SeenState): ReadonlySet<string> {
  return new Set([...one].filter(([what, value]) => other.get(what) === value).map(([what]) => what));
}

/** Changed steady parts. */
export function changedBetween(before: SeenState, after: SeenState, among: ReadonlySet<string>): string[] {
  return [...among].filter((what) => before.has(what) && after.has(what) && before.get(what) !== after.get(what));
}
