/** The fleet file as a value that fits its schema, and how its parts become entries. Pure: it opens no file. */
import { usageError } from '../../core/model/errors.ts';
import type { DisabledRule, FleetReach, TagPolicy } from '../../core/model/reports/fleet.ts';
import type { Fleet, FleetEntry } from '../settings/fleet-entry.ts';
import { entryIds } from './entry-ids.ts';
import { entriesBySpec, serverIdOf } from './entry-revisions.ts';
import { present } from '../../core/model/defaults.ts';
import { entrySettings, mergeSettings } from '../settings/layers.ts';
import type { ProjectSections } from '../settings/project-rows.ts';
import type { FileSettings, Settings } from '../settings/types.ts';
import { isVariable } from '../settings/kinds.ts';

const mostProblems = 8;

/** The file as rules/language/fleet-file.schema.json describes it. */
export interface FleetFile {
  version: 1;
  defaults?: FileSettings & { maxPerHost?: number };
  servers?: Record<string, FileServer>;
  include?: (string | FileInclude)[];
  suites?: string[];
  check?: ProjectSections['check'];
  ci?: ProjectSections['ci'];
  disable?: Omit<DisabledRule, 'from'>[];
  policies?: {
    minGrade?: string;
    maxRegressions?: number;
    minPassRate?: number;
    tags?: Record<string, Omit<TagPolicy, 'tag'>>;
  };
}

export interface FileServer extends FileSettings {
  command?: string;
  args?: (string | number)[];
  npm?: string;
  bin?: string;
  nodeArgs?: (string | number)[];
  url?: string;
  client?: FileClient;
}

/** A client, in place of a server. */
export interface FileClient {
  command?: string;
  npm?: string;
  bin?: string;
  nodeArgs?: (string | number)[];
  args?: (string | number)[];
  /** Path of a driver file. */
  driver?: string;
  transport?: 'http' | 'streamable-http' | 'stdio' | 'sse';
}

export interface FileInclude extends FileSettings {
  files: string | string[];
  only?: string[];
  skip?: string[];
  prefix?: string;
  project?: string;
}

/** A server as one source names it. */
export interface EntryDraft {
  name: string;
  from: string;
  folder: string;
  reach: FleetReach;
  client?: FleetEntry['client'];
  /** Layers of settings, the most general first. */
  layers: Settings[];
}

/** The connection settings of a server of the file. */
export function reachOf({ client, ...alone }: FileServer): FleetReach {
  if (client?.driver !== undefined) return { kind: 'driver', driver: client.driver, args: [] };
  const server: FileServer = client ?? alone;
  const { command, npm, bin, nodeArgs, url } = server;
  const args = (server.args ?? []).map(String);
  if (command !== undefined) return { kind: 'command', command, args, ...present<{ url?: string }>({ url }) };
  if (npm !== undefined)
    return {
      kind: 'npm',
      spec: npm,
      args,
      allowScripts: false,
      ...present<{ url?: string; bin?: string; nodeArgs?: string[] }>({ url, bin, nodeArgs: nodeArgs?.map(String) }),
    };
  return { kind: 'url', url: url! };
}

/** The transport of a client of the file; undefined for a server. */
export function clientOf({ client }: FileServer): FleetEntry['client'] {
  if (client === undefined) return undefined;
  const { transport = 'http' } = client;
  return { transport: transport === 'streamable-http' ? 'http' : transport };
}

/** Settings about what servers are asked, and about their suites. */
const serversOnly = ['hints', 'suites', 'fixture', 'allowDestructive', 'allowTools', 'denyTools', 'maxRate'] as const;

/**
 * @param exists checks files of hints and baselines whose paths hold `{{id}}`: not every server has one
 * @throws McpcError usage when two servers have one name, naming both places, and when a server does not get its port
 */
export function entriesOf(drafts: readonly EntryDraft[], exists: (path: string) => boolean): FleetEntry[] {
  const places = new Map<string, string>();
  const problems: string[] = [];
  for (const { name, from } of drafts) {
    const before = places.get(name);
    if (before !== undefined) problems.push(`server "${name}" is named twice: ${before} and ${from}.`);
    else places.set(name, from);
  }
  if (problems.length > 0)
    throw usageError(
      problems.slice(0, mostProblems).join('\n'),
      'Rename one; for servers of an included file: leave one out with "skip", or put something before the names with "prefix".',
    );
  const ids = entryIds(drafts.map(({ name }) => name));
  const entries = drafts.flatMap((draft, index) => entriesOfDraft(draft, ids[index]!, exists));
  const names = new Set(drafts.map(({ name }) => name));
  const clash = entries.find(({ name, base }) => base !== undefined && names.has(name));
  if (clash !== undefined)
    throw usageError(
      `${clash.from}: server "${clash.base!.name}" is checked as ${clash.name} too, which is the name of another server.`,
      'Rename one.',
    );
  const lost = entries
    .filter(
      (entry, index) =>
        hasLostPort(entry) && serverIdOf(entry) !== (entries[index - 1] && serverIdOf(entries[index - 1]!)),
    )
    .map(
      ({ name, base, from, reach }) =>
        `${from}: server "${base?.name ?? name}": url: the server does not get the value of {{port}} in ${reach.url}.`,
    );
  if (lost.length > 0)
    throw usageError(
      lost.slice(0, mostProblems).join('\n'),
      'Write {{port}} into its arguments or environment too; a server that runs already has a fixed port.',
    );
  return entries;
}

/** An address with a free port that the server does not get. */
function hasLostPort({ reach, env, envFile }: FleetEntry): boolean {
  const asks = (text: string): boolean => /\{\{\s*port\s*\}\}/.test(text);
  if (reach.url === undefined || !asks(reach.url) || envFile !== undefined) return false;
  const reported =
    reach.kind === 'url'
      ? []
      : [...reach.args, ...(reach.kind === 'command' ? [reach.command] : []), ...Object.values(env)];
  return !reported.some(asks);
}

/** One, or where it is checked by several revisions one for each; `{{id}}` is the same for all of them. */
function entriesOfDraft(
  { name, from, folder, reach, client, layers }: EntryDraft,
  id: string,
  exists: (path: string) => boolean,
): FleetEntry[] {
  const merged = mergeSettings(layers);
  const { allowScripts, spec = 'auto' } = merged;
  const started = reach.kind !== 'url';
  const entry: FleetEntry = {
    ...(started ? { cwd: folder } : {}),
    // Defaults are for many kinds of servers; each takes what has a meaning for it.
    ...entrySettings(merged, {
      started,
      addressed: reach.url !== undefined,
      own(path) {
        const filled = path.replaceAll('{{id}}', id);
        return filled === path || isVariable(filled) || exists(filled) ? filled : undefined;
      },
    }),
    name,
    id,
    from,
    folder,
    reach: reach.kind === 'npm' ? { ...reach, allowScripts: allowScripts ?? reach.allowScripts } : reach,
    ...(client === undefined ? {} : { client }),
    spec: 'auto',
  };
  if (client !== undefined) for (const member of serversOnly) delete entry[member];
  return entriesBySpec(entry, spec);
}

/** Policies of the file. */
export function policiesOf({
  policies = {},
  defaults = {},
}: FleetFile): Pick<Fleet, 'policies' | 'gate' | 'maxPerHost'> {
  const { minGrade, maxRegressions, minPassRate, tags = {} } = policies;
  return {
    policies: Object.entries(tags).map(([tag, policy]) => ({ tag, ...policy })),
    gate: present({ minGrade, maxRegressions, minPassRate }),
    ...present<{ maxPerHost?: number }>({ maxPerHost: defaults.maxPerHost }),
  };
}
