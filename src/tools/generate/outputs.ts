/**
 * Output of generators, and its way to disk or its comparison with it. A generator gives relative paths and contents
 * and writes nothing itself, so that writing and checking can never disagree.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Relative path (with `/`) to content. */
export type Outputs = Record<string, string>;

/** Reads sources below the root of the project and gives the files made of them. */
export type Generator = (root: string) => Promise<Outputs>;

export interface Drift {
  path: string;
  problem: 'missing' | 'differs';
}

/**
 * Runs all generators.
 * @throws RangeError when two of them claim one path; whatever a generator throws
 */
export async function collectOutputs(root: string, generators: readonly Generator[]): Promise<Outputs> {
  const all: Outputs = {};
  for (const outputs of await Promise.all(generators.map((generator) => generator(root)))) {
    for (const [path, content] of Object.entries(outputs)) {
      if (path in all) throw new RangeError(`two generators write ${path}`);
      all[path] = content;
    }
  }
  return all;
}

/** Outdated files on disk, sorted by path; empty when all are up to date. */
export async function compareOutputs(root: string, outputs: Outputs): Promise<Drift[]> {
  const drift: Drift[] = [];
  for (const path of Object.keys(outputs).sort()) {
    const present = await readIfPresent(join(root, path));
    if (present === null) drift.push({ path, problem: 'missing' });
    else if (present !== outputs[path]) drift.push({ path, problem: 'differs' });
  }
  return drift;
}

/**
 * Writes what is not on disk yet as generated, each file at once so that no reader sees half of it.
 * @returns the paths written, sorted
 */
export async function writeOutputs(root: string, outputs: Outputs): Promise<string[]> {
  const drift = await compareOutputs(root, outputs);
  for (const { path } of drift) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    const draft = `${target}.${process.pid}.tmp`;
    await writeFile(draft, outputs[path] ?? '');
    await rename(draft, target);
  }
  return drift.map(({ path }) => path);
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
