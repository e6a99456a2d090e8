/**
 * The offer of a server in a lock. Each definition is complete, with a SHA-256 over its canonical JSON (RFC 8785:
 * sorted members, no white space), so the order of lists and members is irrelevant. Pure.
 */
import { createHash } from 'node:crypto';
import { asText, canonical, isObject } from '../model/json.ts';

type Json = Record<string, unknown>;

/** A server's description of itself, and its lists. */
export interface Offer {
  revision: string;
  serverInfo: Json | undefined;
  capabilities: Json;
  instructions: string | undefined;
  tools: readonly Json[];
  prompts: readonly Json[];
  resources: readonly Json[];
  templates: readonly Json[];
}

export interface LockedEntry {
  hash: string;
  definition: Json;
}

export type LockedList = Readonly<Record<string, LockedEntry>>;

export interface ServerLock {
  revision: string;
  serverInfo: Json;
  capabilities: Json;
  /** Hash of the text; absent where the server sends none. */
  instructions?: string;
  instructionsText?: string;
  tools: LockedList;
  prompts: LockedList;
  resources: LockedList;
  resourceTemplates: LockedList;
  /** Hash over all of the above, by which a lock edited by hand is found. */
  hash: string;
}

export interface LockFile {
  format: 'mcpc-lock';
  version: 1;
  servers: Readonly<Record<string, ServerLock>>;
}

/** The lists of a lock, and the member that names an entry of each. */
export const lockedLists = [
  { list: 'tools', from: 'tools', key: 'name', what: 'tool' },
  { list: 'prompts', from: 'prompts', key: 'name', what: 'prompt' },
  { list: 'resources', from: 'resources', key: 'uri', what: 'resource' },
  { list: 'resourceTemplates', from: 'templates', key: 'uriTemplate', what: 'resource template' },
] as const;

/** The SHA-256 of a value over its canonical JSON, as `sha256-` and hexadecimal digits. */
export function hashOf(value: unknown): string {
  return `sha256-${createHash('sha256').update(canonical(value)).digest('hex')}`;
}

/** The part of a lock about one server. */
export function lock(offer: Offer): ServerLock {
  const body = {
    revision: offer.revision,
    serverInfo: ordered(offer.serverInfo ?? {}) as Json,
    capabilities: ordered(offer.capabilities) as Json,
    ...(offer.instructions === undefined
      ? {}
      : { instructions: hashOf(offer.instructions), instructionsText: offer.instructions }),
    tools: lockedList(offer.tools, 'name'),
    prompts: lockedList(offer.prompts, 'name'),
    resources: lockedList(offer.resources, 'uri'),
    resourceTemplates: lockedList(offer.templates, 'uriTemplate'),
  };
  return { ...body, hash: hashOf(body) };
}

function lockedList(entries: readonly Json[], key: string): LockedList {
  const named = new Map<string, LockedEntry>();
  const inOrder = entries
    .map((definition) => ({ name: asText(definition[key]), definition, text: canonical(definition) }))
    .sort((one, other) => compareTexts(one.name, other.name) || compareTexts(one.text, other.text));
  for (const { name, definition } of inOrder) {
    // A server may list two entries under one name: both are locked.
    let own = name;
    for (let number = 2; named.has(own); number += 1) own = `${name} (${number})`;
    named.set(own, { hash: hashOf(definition), definition: ordered(definition) as Json });
  }
  return Object.fromEntries(named);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The value with the members of objects in order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, ordered(value[name])]),
  );
}

/** The text of a lock file, the same for equal locks. */
export function lockText(servers: Readonly<Record<string, ServerLock>>): string {
  const names = Object.keys(servers).sort();
  const file: LockFile = {
    format: 'mcpc-lock',
    version: 1,
    servers: Object.fromEntries(names.map((name) => [name, servers[name]!])),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * A lock from the text of its file.
 * @throws Error with a sentence that says what is wrong, where it is no lock or its hashes do not fit
 */
export function parseLock(text: string): LockFile {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!isObject(read) || read['format'] !== 'mcpc-lock') throw new Error('it has no "format": "mcpc-lock"');
  if (read['version'] !== 1) throw new Error(`its version is ${JSON.stringify(read['version'])}; this mcpc reads 1`);
  if (!isObject(read['servers'])) throw new Error('it has no object "servers"');
  for (const [name, server] of Object.entries(read['servers'])) checkServer(name, server);
  return read as unknown as LockFile;
}

function checkServer(name: string, server: unknown): void {
  if (!isObject(server)) throw new Error(`servers.${name} is no object`);
  for (const { list } of lockedLists) {
    const entries = server[list];
    if (!isObject(entries)) throw new Error(`servers.${name}.${list} is no object`);
    for (const [entry, locked] of Object.entries(entries)) {
      if (!isObject(locked) || !isObject(locked['definition']))
        throw new Error(`servers.${name}.${list}.${entry} has no definition`);
      if (locked['hash'] !== hashOf(locked['definition']))
        throw new Error(`the hash of servers.${name}.${list}.${entry} does not fit its definition`);
    }
  }
  if (server['instructionsText'] !== undefined && server['instructions'] !== hashOf(server['instructionsText']))
    throw new Error(`the hash of servers.${name}.instructions does not fit their text`);
  const { hash, ...body } = server;
  if (hash !== hashOf(body)) throw new Error(`the hash of servers.${name} does not fit what it holds`);
}
