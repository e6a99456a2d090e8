/** Names of converted files: like their originals, in the same folders. Pure. */
import { dirname, extname, relative, resolve, sep } from 'node:path';

/**
 * A path below the output for each source.
 *
 * @param named files and folders as the user named them
 */
export function outputNames(sources: readonly string[], named: readonly string[]): string[] {
  const roots = named.map((path) => resolve(path));
  const near = sources.map((source) => nameOf(source, roots.find((root) => isBelow(source, root)) ?? dirname(source)));
  if (new Set(near).size === near.length) return near;
  // Files of one name from several folders keep these.
  const shared = commonFolder(sources.map((source) => dirname(resolve(source))));
  return sources.map((source) => nameOf(source, shared));
}

function nameOf(source: string, folder: string): string {
  const path = relative(resolve(folder), resolve(source));
  return `${path.slice(0, path.length - extname(path).length)}.yaml`;
}

function isBelow(source: string, root: string): boolean {
  return resolve(source).startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split(sep));
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  const parts = length === -1 ? first : first.slice(0, length);
  return parts.join(sep) === '' ? sep : parts.join(sep);
}
