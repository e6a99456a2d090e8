/** Finds the project file: `mcpc.yaml` in the working folder or the nearest folder above it. It only looks. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const projectFileNames = ['mcpc.yaml', 'mcpc.yml'] as const;

/** @returns the path, relative to the working folder */
export function findProjectFile(cwd: string): string | undefined {
  for (let at = cwd; ; at = dirname(at)) {
    const found = projectFileNames.map((name) => join(at, name)).find((file) => existsSync(file));
    if (found !== undefined) return relative(cwd, found);
    if (dirname(at) === at) return undefined;
  }
}

/** Whether a file that --config names is a fleet file, of which a project file is one, and no configuration of a client. */
export function isFleetFile(file: string): boolean {
  if (!/\.ya?ml$/i.test(file)) return false;
  try {
    return /^version[ \t]*:[ \t]*1[ \t]*(?:#.*)?$/m.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}
