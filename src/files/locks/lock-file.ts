/** The lock on disk. One that cannot be read, or that somebody edited by hand, is an error and is never replaced. */
import { existsSync, readFileSync } from 'node:fs';
import { lockText, parseLock, type LockFile, type ServerLock } from '../../core/drift/lock.ts';
import { usageError } from '../../core/model/errors.ts';
import { writeOutput } from '../output/output.ts';

export const usualLock = 'mcpc.lock.json';

/** @throws McpcError usage */
export function readLock(path: string): LockFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(
      `There is no lock that can be read at ${path}: ${(error as Error).message}`,
      'Write one with "mcpc drift lock", or name another with --lock.',
      error,
    );
  }
  try {
    return parseLock(text);
  } catch (error) {
    throw usageError(
      `${path} is no valid lock: ${(error as Error).message}.`,
      'Take it from version control again; "mcpc drift approve" takes in changes, an editor cannot.',
      error,
    );
  }
}

/** @throws McpcError usage where an invalid lock is there, or the file cannot be written */
export function writeLock(path: string, name: string, server: ServerLock): void {
  const servers = existsSync(path) ? readLock(path).servers : {};
  writeOutput(
    { path, what: 'the lock', replaces: 'anything', overwrite: true },
    lockText({ ...servers, [name]: server }),
  );
}

/** The part of a lock about a server: the one of that name, or the only one. @throws McpcError usage */
export function lockedServer(
  file: LockFile,
  path: string,
  name: string | undefined,
): { name: string; server: ServerLock } {
  if (name !== undefined && Object.hasOwn(file.servers, name)) return { name, server: file.servers[name]! };
  const names = Object.keys(file.servers);
  if (names.length === 1) return { name: names[0]!, server: file.servers[names[0]!]! };
  throw usageError(
    `${path} holds ${name === undefined ? 'more than one server' : `no server ${JSON.stringify(name)}`}; it holds ${names.length === 0 ? 'none' : names.join(', ')}.`,
    'Name one with --name, or lock the server with "mcpc drift lock".',
  );
}
