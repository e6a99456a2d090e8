/** Servers of existing files that a fleet file includes: of MCP clients, and server.json of the MCP registry. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { pathFrom, placesOf, putPlaces } from '../../files/config/variables.ts';
import { usageError } from '../../core/model/errors.ts';
import { append } from '../../core/model/lists.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import {
  readJsonFile,
  readServerEntry,
  serversOf,
  type JsonFile,
  type ListedServer,
} from '../../check/target/config-file.ts';
import type { EntryDraft, FileInclude } from './fleet-file.ts';
import type { Settings } from './fleet-settings.ts';
import { registryDescription, registryServers } from './registry-server.ts';
import { nameMatcher } from './select-entries.ts';

interface Around {
  /** Where the include stands, for messages. */
  at: string;
  /** Folder of the fleet file. */
  folder: string;
  env: NodeJS.ProcessEnv;
}

interface Included {
  drafts: EntryDraft[];
  notices: string[];
}

/** @throws McpcError usage for files that are missing or wrong, and names that there are not */
export function includedServers(include: FileInclude, around: Around): Included {
  const { at } = around;
  const notices: string[] = [];
  const files = filesOf(include, around, notices);
  const found = files.map(({ file, named }) => serversIn(file, named, include, around));
  const all = found.flatMap(({ drafts }) => drafts);
  const names = [
    ...all.map(({ bare }) => bare),
    ...found.flatMap((one) => one.notices.flatMap(({ name }) => name ?? [])),
  ];
  const only = include.only?.map((pattern) => fitting(pattern, 'only', names, at));
  const skip = include.skip?.map((pattern) => fitting(pattern, 'skip', names, at)) ?? [];
  const drafts = all.filter(
    ({ bare }) => (only === undefined || only.some((fits) => fits(bare))) && !skip.some((fits) => fits(bare)),
  );
  for (const one of found)
    append(
      notices,
      one.notices.filter(({ name }) => name === undefined || !skip.some((fits) => fits(name))).map(({ text }) => text),
    );
  return { drafts: drafts.map(({ bare: _bare, ...draft }) => draft), notices };
}

interface FoundFile {
  file: string;
  /** The file itself is named, not a pattern that it fits. */
  named: boolean;
}

function filesOf({ files }: FileInclude, { at, folder, env }: Around, notices: string[]): FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const pattern of [files].flat()) {
    const path = pathFrom(folder, pattern, env);
    // A path that exists is meant as it is, whatever signs of a glob it has.
    if (!isDynamicPattern(pattern) || existsSync(path)) {
      if (!existsSync(path))
        throw usageError(
          `${at}: there is no file ${pattern}.`,
          'Paths are relative to the fleet file. A glob may fit nothing.',
        );
      found.set(path, { file: path, named: true });
      continue;
    }
    const homed = pattern.startsWith('~/') ? pathFrom(folder, '~', env) : folder;
    const matched = globSync(pattern.replace(/^~\//, ''), {
      cwd: homed,
      dot: true,
      absolute: true,
      onlyFiles: true,
      ignore: ['**/node_modules/**'],
      expandDirectories: false,
    })
      .map((file) => resolve(file))
      .sort();
    if (matched.length === 0) notices.push(`${at}: no file fits ${pattern}.`);
    for (const file of matched) if (!found.has(file)) found.set(file, { file, named: false });
  }
  return [...found.values()];
}

type FoundDraft = EntryDraft & { /** Name without the prefix. */ bare: string };

interface FoundServers {
  drafts: FoundDraft[];
  /** With the name of a server that is left out. */
  notices: { name?: string; text: string }[];
}

function serversIn(file: string, named: boolean, include: FileInclude, { at, folder, env }: Around): FoundServers {
  const project = include.project === undefined ? undefined : pathFrom(folder, include.project, env);
  const places = project === undefined ? placesOf(file, env) : placesOf(`${project}/.mcp.json`, env);
  const workspace = places['workspaceFolder']!;
  const json = readJsonFile(file);
  const prefix = putPlaces(include.prefix ?? '', places);
  const draft = (bare: string, line: number, reach: EntryDraft['reach'], own: Settings): FoundDraft => {
    const from = `${file}:${line}`;
    const name = `${prefix}${bare}`;
    if (!/^\S(.*\S)?$/.test(name) || name.length > 200)
      throw usageError(
        `${from}: ${JSON.stringify(name.slice(0, 80))} cannot be the name of a server.`,
        'Names are one line of at most 200 characters, without blanks at their ends.',
      );
    return { bare, name, from, folder: workspace, reach, layers: [own] };
  };
  const description = registryDescription(json.value);
  if (description !== undefined && project === undefined) {
    const { servers, notices } = registryServers(description);
    return {
      drafts: servers.map(({ name, reach, ...own }) => draft(name, 1, reach, own)),
      notices: notices.map((text) => ({ text: `${file}: ${text}` })),
    };
  }
  const listed = listedIn(json, project, named, at);
  if (typeof listed === 'string') return { drafts: [], notices: [{ text: listed }] };
  const isOff = ({ entry }: ListedServer): boolean =>
    typeof entry === 'object' && entry !== null && (entry as { disabled?: unknown }).disabled === true;
  return {
    drafts: listed
      .filter((one) => !isOff(one))
      .map((one) => {
        const { reach, own } = configured(one, file, workspace, places, env);
        return draft(one.name, one.line, reach, own);
      }),
    notices: listed
      .filter(isOff)
      .map(({ name, line }) => ({ name, text: `${file}:${line}: server "${name}" is disabled there and left out.` })),
  };
}

/** The servers, or why there are none where that is no error: a pattern may fit files of other kinds. */
function listedIn(json: JsonFile, project: string | undefined, named: boolean, at: string): ListedServer[] | string {
  try {
    return serversOf(json, project);
  } catch (error) {
    if (named) throw error;
    return `${at}: ${(error as Error).message}`;
  }
}

/** How a server of a client's file is reached, and what the file says of it; paths there start at the workspace. */
function configured(
  one: ListedServer,
  file: string,
  workspace: string,
  places: Record<string, string>,
  env: NodeJS.ProcessEnv,
): { reach: EntryDraft['reach']; own: Settings } {
  const raw = readServerEntry(one, `${file}:${one.line}`);
  const put = (text: string): string => putPlaces(text, places);
  const path = (text: string, from: string): string =>
    put(text).startsWith('${') ? put(text) : pathFrom(from, put(text), env);
  const putAll = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, put(text)]));
  const hints = raw.hintsFile === undefined ? {} : { hints: raw.hintsFile };
  if (raw.kind !== 'stdio') {
    return {
      reach: { kind: 'url', url: put(raw.url) },
      own: { headers: putAll(raw.headers), ...(raw.kind === 'auto' ? {} : { transport: raw.kind }), ...hints },
    };
  }
  return {
    reach: { kind: 'command', command: put(raw.command), args: raw.args.map(put) },
    own: {
      env: putAll(raw.env),
      ...(raw.envFile === undefined ? {} : { envFile: path(raw.envFile, dirname(file)) }),
      ...(raw.cwd === undefined ? {} : { cwd: path(raw.cwd, workspace) }),
      ...hints,
    },
  };
}

function fitting(pattern: string, member: string, names: readonly string[], at: string): (name: string) => boolean {
  const fits = nameMatcher(pattern);
  if (!names.some(fits)) {
    throw usageError(
      `${at}: ${member}: "${pattern}" fits no server of the files.${suggestion(pattern, names)}`,
      `Servers there: ${names.slice(0, 20).join(', ') || 'none'}.`,
    );
  }
  return fits;
}
