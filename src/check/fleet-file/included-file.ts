/** The servers of one file that a fleet file includes, each to be read when it is chosen. */
import { dirname } from 'node:path';
import { pathFrom, placesOf, putPlaces } from '../../files/config/variables.ts';
import { usageError } from '../../core/model/errors.ts';
import { readConfigDocument } from '../target/clients/document.ts';
import { listServers, type ListedFile, type ListedServer } from '../target/clients/listed.ts';
import { readServerEntry } from '../target/clients/read-entry.ts';
import type { EntryDraft, FileInclude } from './fleet-file.ts';
import type { Settings } from '../settings/types.ts';
import { registryDescriptions, registryServers } from './registry-server.ts';

export interface Around {
  /** Place of the include, for messages. */
  at: string;
  /** Folder of the fleet file. */
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** A server that a file has. */
export type Candidate = {
  /** Name without the prefix. */
  bare: string;
  name: string;
  from: string;
  /** Switched off in the file. */
  off: boolean;
} & (
  | {
      /** @throws McpcError usage, naming place and server */
      read(): EntryDraft;
    }
  /** Why it is left out. */
  | { why: string }
);

/** @throws McpcError usage for a file that cannot be read, has no servers, or names two alike */
export function candidatesIn(file: string, include: FileInclude, { folder, env }: Around): Candidate[] {
  const project = include.project === undefined ? undefined : pathFrom(folder, include.project, env);
  const document = readConfigDocument(file);
  const descriptions = project === undefined ? registryDescriptions(document.value) : [];
  if (descriptions.length > 0) {
    const workspace = dirname(file);
    const prefix = putPlaces(include.prefix ?? '', placesOf(workspace, env));
    return descriptions.flatMap((description) =>
      registryServers(description).map((server): Candidate => {
        const from = `${file}:1`;
        const known = { bare: server.name, name: `${prefix}${server.name}`, from, off: false };
        if ('why' in server) return { ...known, why: server.why };
        const { name: _name, reach, ...own } = server;
        return { ...known, read: () => draftOf(known, workspace, reach, own) };
      }),
    );
  }
  const listed = listServers(document, { env, platform: process.platform }, project);
  // A file of the user is about no folder; what it says of one is said of that of the fleet.
  const workspace = listed.workspace ?? folder;
  const places = { ...placesOf(workspace, env), ...listed.places };
  const prefix = putPlaces(include.prefix ?? '', places);
  return listed.servers.map((one): Candidate => {
    const from = `${file}:${one.line}`;
    const known = { bare: one.name, name: `${prefix}${one.name}`, from, off: one.off };
    return {
      ...known,
      read() {
        const { reach, own } = configured(one, listed, from, workspace, places, env);
        return draftOf(known, workspace, reach, own);
      },
    };
  });
}

function draftOf(
  { name, from }: { name: string; from: string },
  folder: string,
  reach: EntryDraft['reach'],
  own: Settings,
): EntryDraft {
  if (!/^\S(.*\S)?$/.test(name) || name.length > 200)
    throw usageError(
      `${from}: ${JSON.stringify(name.slice(0, 80))} cannot be the name of a server.`,
      'Names are one line of at most 200 characters, without blanks at their ends.',
    );
  return { name, from, folder, reach, layers: [own] };
}

/** Connection and settings of a server in a client's file; paths there start at the workspace. */
function configured(
  one: ListedServer,
  listed: ListedFile,
  from: string,
  workspace: string,
  places: Record<string, string>,
  env: NodeJS.ProcessEnv,
): { reach: EntryDraft['reach']; own: Settings } {
  const raw = readServerEntry(one, from, listed);
  const put = (text: string): string => putPlaces(text, places);
  const path = (text: string, start: string): string =>
    put(text).startsWith('${') ? put(text) : pathFrom(start, put(text), env);
  const putAll = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, put(text)]));
  const hints = raw.hintsFile === undefined ? {} : { hints: raw.hintsFile };
  if (raw.kind !== 'stdio') {
    return {
      reach: { kind: 'url', url: put(raw.url) },
      own: {
        headers: putAll(raw.headers),
        ...(raw.kind === 'auto' ? {} : { transport: raw.kind }),
        ...(raw.unixSocket === undefined ? {} : { unixSocket: path(raw.unixSocket, workspace) }),
        ...hints,
      },
    };
  }
  return {
    reach: { kind: 'command', command: put(raw.command), args: raw.args.map(put) },
    own: {
      env: putAll(raw.env),
      ...(raw.envFile === undefined ? {} : { envFile: path(raw.envFile, dirname(listed.file)) }),
      ...(raw.cwd === undefined ? {} : { cwd: path(raw.cwd, workspace) }),
      ...hints,
    },
  };
}
