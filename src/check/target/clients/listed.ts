/** The servers of a configuration: the tool of the file, and its unchanged entries. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { usageError } from '../../../core/model/errors.ts';
import { isObject, type JsonObject as Json } from '../../../core/model/json.ts';
import { bundleServer, fastmcpServer } from './bundle.ts';
import { readConfigDocument, shapes, type ConfigDocument } from './document.ts';
import { otherFile } from './other-file.ts';
import { folderOf, ownersOf, type Machine, type Owner } from './places.ts';
import type { ClientTool } from './spelling.ts';
import { clientTools } from './tools.ts';
import { readInputs, type Inputs } from './variables.ts';

/** One server of a file, not looked at yet. */
export interface ListedServer {
  name: string;
  entry: unknown;
  /** From 1. */
  line: number;
  /** Switched off in the file. */
  off: boolean;
}

/** The servers of a file, and what their texts mean. */
export interface ListedFile {
  file: string;
  tool: ClientTool;
  servers: ListedServer[];
  /** The folder that the file is about; absent for a file of the user, who may be in any. */
  workspace?: string;
  inputs: Inputs;
  /** Variables of the tool that stand for folders. */
  places: Record<string, string>;
}

type Path = readonly (string | number)[];

/**
 * @param project folder whose servers are meant, in a file that keeps them by folder (the user's file of Claude Code)
 * @throws McpcError usage for a file without servers, or with two of one name
 */
export function listServers(document: ConfigDocument, machine: Machine, project?: string): ListedFile {
  const { file, value } = document;
  const found = project === undefined ? placeOf(document, machine) : ofFolder(value, project);
  if (found === undefined) {
    const other = project === undefined ? otherFile(value) : undefined;
    throw usageError(
      `${file} has no servers${project === undefined ? '' : ` for the folder ${project}`}${other === undefined ? '' : `: it is ${other.what}`}.`,
      other?.remedy ?? shapes,
    );
  }
  const { owner, paths } = found;
  const [path] = paths;
  const workspace = project ?? owner.workspace;
  const listed = at(value, path);
  if (typeof listed === 'string' && owner.tool.folders !== undefined)
    return elsewhere(listed, document, owner.tool, machine);
  const servers = paths.flatMap((one) => serversIn(at(value, one), one, document, owner.tool));
  const [twice] = [...paths.flatMap((one) => document.repeated(one)), ...namedAlike(servers)];
  if (twice !== undefined)
    throw usageError(
      `server ${JSON.stringify(twice.name)} is named twice: ${twice.lines.map((line) => `${file}:${line}`).join(' and ')}.`,
      'Rename one; readers of the file take one of them, and not all the same.',
    );
  return {
    file,
    tool: owner.tool,
    servers,
    ...(workspace === undefined ? {} : { workspace }),
    inputs: readInputs(value, path),
    places: foldersOf(file, owner.tool),
  };
}

/** Servers of a list, or of several places, that have one name. */
function namedAlike(servers: readonly ListedServer[]): { name: string; lines: number[] }[] {
  const lines = new Map<string, number[]>();
  for (const { name, line } of servers) lines.set(name, [...(lines.get(name) ?? []), line]);
  return [...lines].filter(([, all]) => all.length > 1).map(([name, all]) => ({ name, lines: all }));
}

function foldersOf(file: string, { folders = {} }: ClientTool): Record<string, string> {
  const folder = dirname(resolve(file));
  return Object.fromEntries(Object.entries(folders).map(([name, where]) => [name, resolve(folder, where)]));
}

/** The servers of a plugin that names the file in which they stand, from the folder of the plugin. */
function elsewhere(path: string, { file }: ConfigDocument, tool: ClientTool, machine: Machine): ListedFile {
  const places = foldersOf(file, tool);
  const named = resolve(Object.values(places)[0] ?? dirname(resolve(file)), path);
  if (!existsSync(named))
    throw usageError(
      `${file}: its servers stand in ${path}, which is not there.`,
      'Correct the path, or write the file.',
    );
  const document = readConfigDocument(named);
  // It may have the servers by themselves.
  const whole = isObject(document.value['mcpServers'])
    ? document
    : { ...document, value: { mcpServers: document.value } };
  const from = (at: Path): Path => (whole === document ? at : at.slice(1));
  const listed = listServers(
    { ...whole, lineOf: (at) => document.lineOf(from(at)), repeated: (at) => document.repeated(from(at)) },
    machine,
  );
  return { ...listed, tool, places };
}

interface Found {
  owner: Owner;
  /** All of its places that are there. */
  paths: [Path, ...Path[]];
}

/** Where the servers stand: as the tool has it whose file this is, else as any tool has it. */
function placeOf(document: ConfigDocument, machine: Machine): Found | undefined {
  const { file, value } = document;
  const owners = ownersOf(file, machine);
  const others = clientTools
    .filter((tool) => tool.named !== true)
    .map((tool): Owner => ({ tool, ...(owners[0] === undefined ? { workspace: folderOf(file) } : {}) }));
  const withWorkspace = others.map((owner) =>
    owners[0]?.workspace === undefined ? owner : { ...owner, workspace: owners[0].workspace },
  );
  for (const owner of [...owners, ...withWorkspace]) {
    const [path, ...more] = owner.tool.servers.filter((one) => {
      const there = at(value, one);
      if (there === undefined || there === null) return false;
      if (one.length === 0) return holdsOnlyServers(there);
      // Other tools have settings of their own by this name.
      return one.length > 1 || !['mcp', 'registry'].includes(one[0]!) || holdsServers(there);
    });
    if (path !== undefined) return { owner, paths: [path, ...more] };
  }
  return undefined;
}

function ofFolder(value: Json, project: string): Found | undefined {
  const path = ['projects', project, 'mcpServers'];
  const there = at(value, path);
  return there === undefined || there === null ? undefined : { owner: { tool: clientTools[0]! }, paths: [path] };
}

function holdsServers(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).some(
      (one) => isObject(one) && ['command', 'url', 'type', 'enabled', 'image', 'remote'].some((name) => name in one),
    )
  );
}

/** An object of nothing but servers, and comments. */
function holdsOnlyServers(value: unknown): boolean {
  const servers = isObject(value) ? Object.entries(value).filter(([name, one]) => !isComment(name, one)) : [];
  return (
    servers.length > 0 &&
    servers.every(([, one]) => isObject(one) && ['command', 'url'].some((name) => typeof one[name] === 'string'))
  );
}

function serversIn(listed: unknown, path: Path, document: ConfigDocument, tool: ClientTool): ListedServer[] {
  const { file, value } = document;
  const server = (name: string, entry: unknown, line: number): ListedServer => ({
    name,
    entry,
    line,
    off: isOff(entry),
  });
  if (tool.short === 'bundle') {
    const entry = bundleServer(value, process.platform);
    return [server(typeof value['name'] === 'string' ? value['name'] : 'bundle', entry, document.lineOf(path))];
  }
  if (tool.short === 'fastmcp') {
    const { name, entry } = fastmcpServer(listed, file);
    return [server(name, entry, document.lineOf(path))];
  }
  if (Array.isArray(listed)) {
    return listed.map((entry: unknown, index) => {
      const name = isObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : `server ${index + 1}`;
      return server(name, entry, document.lineOf([...path, index]));
    });
  }
  if (!isObject(listed)) {
    throw usageError(`${file}: the servers must be an object, names to servers.`, shapes);
  }
  return Object.entries(listed)
    .filter(([name, entry]) => !isComment(name, entry) && !isBuiltIn(entry, tool))
    .map(([name, entry]) => server(name, entry, document.lineOf([...path, name])));
}

/** JSON has no comments, so that some write them as properties: `_comment`, `//`. */
function isComment(name: string, entry: unknown): boolean {
  return !isObject(entry) && (/^(?:_|\/\/|#|\$)/.test(name) || /^comments?$/i.test(name));
}

function isBuiltIn(entry: unknown, { builtIn = [] }: ClientTool): boolean {
  return isObject(entry) && typeof entry['type'] === 'string' && builtIn.includes(entry['type']);
}

function isOff(entry: unknown): boolean {
  return isObject(entry) && (entry['disabled'] === true || entry['enabled'] === false || entry['isActive'] === false);
}

/** The value at a path of properties. */
function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name as string] : undefined),
    value,
  );
}

/** @throws McpcError usage, as above and where the file cannot be read */
export function readServers(file: string, machine: Machine, project?: string): ListedFile {
  return listServers(readConfigDocument(file), machine, project);
}
