/** The target's offer: walks its lists once per run. */
import type { Hints } from '../../core/model/rules/hints.ts';
import { append, largest } from '../../core/model/lists.ts';
import { sizeOf } from '../../core/trace/value-size.ts';
import type { Answer, Peer } from '../peer/peer.ts';
import { stopIfInterrupted, targetError } from '../../core/model/errors.ts';
import { asObject, asText } from '../../core/model/json.ts';

type Json = Record<string, unknown>;

export interface Listing {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  templates: Json[];
  /** Methods of lists that did not come to an end. */
  cut?: string[];
  /** Lists that were promised and did not come, as sentences; a server without prompts or resources may refuse those. */
  missing?: string[];
  /** Information from the user about the target. */
  hints?: Hints;
}

/** Skipped items, and the flag or hint for each. */
export interface Skipped {
  what: string;
  why: string;
  allow?: string;
}

export type Choice =
  | 'any'
  | 'no-arguments'
  | 'with-arguments'
  | 'slow'
  | 'reports-progress'
  | 'asks-client'
  | 'logs'
  | 'announces'
  | 'unremarkable'
  | 'with-param-headers'
  | 'fails'
  | 'with-output-schema'
  | 'with-typed-arguments'
  | 'became-task';

/** List methods, the capability that promises them, and where a result holds the items. */
export const listMethods = [
  { method: 'tools/list', capability: 'tools', member: 'tools', into: 'tools' },
  { method: 'prompts/list', capability: 'prompts', member: 'prompts', into: 'prompts' },
  { method: 'resources/list', capability: 'resources', member: 'resources', into: 'resources' },
  { method: 'resources/templates/list', capability: 'resources', member: 'resourceTemplates', into: 'templates' },
] as const;

/** A list that is longer is endless for all that we know. */
const mostPages = 1000;
const mostEntries = 100_000;
/** Maximum size of the entries in memory, in bytes. */
const mostMemory = 16 * 1024 * 1024;

/** Note for a list whose rest was not fetched. */
export const endlessPages = `the list had not ended after ${mostPages} pages, ${mostEntries} entries or ${mostMemory / 1024 / 1024} MiB; the rest was not asked for, and rules about pages are not exercised by it`;

export interface WalkOptions {
  /** Pages at most. */
  limit?: number;
  /** Called when the list is longer than the limit. */
  cut?: () => void;
  /** Changes to the _meta of each request. */
  meta?: Json;
  /** A cursor that comes again is followed once more, to see whether it leads round in circles. */
  followsRepeated?: boolean;
}

/** Fetches the pages of one list; stops at the last one, at a repeated cursor, at an error or at the limit. */
export async function walkList(
  peer: Peer,
  method: string,
  { limit = mostPages, cut, meta, followsRepeated }: WalkOptions = {},
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let entries = 0;
  let memory = 0;
  const seen = new Set<string>();
  let cursor: string | undefined;
  let repeated = false;
  for (let page = 0; page < limit; page += 1) {
    const answer = await peer.request(
      method,
      cursor === undefined ? undefined : { cursor },
      meta === undefined ? {} : { meta },
    ).answer;
    answers.push(answer);
    const next = answer.kind === 'response' ? (answer.message.result as Json | undefined)?.nextCursor : undefined;
    if (typeof next !== 'string' || !peer.alive) break;
    if (seen.has(next)) {
      if (repeated || followsRepeated !== true) break;
      repeated = true;
    }
    entries += answer.kind === 'response' ? entriesIn(answer.message.result) : 0;
    memory += sizeOf(answer).memory;
    if (page + 1 >= mostPages || entries >= mostEntries || memory >= mostMemory) {
      cut?.();
      break;
    }
    seen.add(next);
    cursor = next;
  }
  return answers;
}

/** Entries of a page, whatever its list is called. */
function entriesIn(result: unknown): number {
  return largest([
    0,
    ...Object.values((result ?? {}) as Json).map((value) => (Array.isArray(value) ? value.length : 0)),
  ]);
}

/** Walks every list of the server's capabilities, or the named one. */
export async function surveyTarget(peer: Peer, only?: string): Promise<Listing> {
  const listing: Listing = { tools: [], prompts: [], resources: [], templates: [] };
  for (const { method, capability, member, into } of listMethods) {
    if (only !== undefined && method !== only) continue;
    if (!peer.serverCapabilities || !(capability in peer.serverCapabilities)) continue;
    const miss = (why: string): void => void (listing.missing = [...(listing.missing ?? []), `${method} ${why}`]);
    if (!peer.alive) {
      miss('was not asked for, since the connection was lost');
      continue;
    }
    const cut = (): void => void (listing.cut = [...(listing.cut ?? []), method]);
    for (const answer of await walkList(peer, method, { cut })) {
      const items = answer.kind === 'response' ? (answer.message.result as Json | undefined)?.[member] : undefined;
      if (Array.isArray(items))
        append(
          listing[into],
          items.filter((item): item is Json => typeof item === 'object' && item !== null),
        );
      else if (answer.kind !== 'response' || method === 'tools/list') miss(whyNoList(answer));
    }
  }
  return listing;
}

/** @throws McpcError target where lists did not come, for those who would take them for all that the server has; interrupted once the signal was given */
export function needLists({ missing }: Listing, signal?: AbortSignal): void {
  stopIfInterrupted(signal);
  if (missing !== undefined)
    throw targetError(
      `What the server offers is not known: ${missing.join('; ')}.`,
      'Run "mcpc check" on it to see what it answers.',
    );
}

function whyNoList(answer: Answer): string {
  switch (answer.kind) {
    case 'timeout':
      return 'was not answered in time';
    case 'closed':
      return 'was not answered: the connection was lost';
    case 'refused':
      return `was answered with HTTP status ${answer.status} and no response`;
    case 'response':
      return 'error' in answer.message
        ? `was answered with error ${asText(asObject(answer.message.error)?.code)}`
        : 'was answered without a list';
  }
}
