/** Node keeps the code that it compiled for the next start, where it can: version 22.8 and later. */
import * as loader from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Missing in older versions. */
const cache: { enableCompileCache?(folder: string): unknown; flushCompileCache?(): void } = loader as object;

/**
 * Turns the cache on for all modules that are loaded from now on, in this thread; where the folder cannot be made or
 * written to, nothing is kept. `NODE_COMPILE_CACHE` names another folder, `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 */
export function keepCompiledCode(): void {
  cache.enableCompileCache?.(process.env['NODE_COMPILE_CACHE'] ?? join(cacheFolder(), 'mcpc', 'compiled'));
}

/** Writes what was compiled until now: a thread that is ended from outside does not come to it. */
export function storeCompiledCode(): void {
  cache.flushCompileCache?.();
}

/**
 * The user's own folder for caches, as each system has it. Node's default is shared by all users of a machine: its
 * creator could leave code there for others to run.
 */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg) return xdg;
  if (process.platform === 'win32' && local) return local;
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}
