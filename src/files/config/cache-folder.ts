/** The user's folder for things that can be had again. */
import path from 'node:path';
import { homeOf } from './variables.ts';

/** Absolute; need not be there. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, 'mcpc');
  if (process.platform === 'win32' && local !== undefined) return path.join(local, 'mcpc');
  return path.join(homeOf(env), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'mcpc');
}
