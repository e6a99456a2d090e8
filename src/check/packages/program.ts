/** Which program of an installed package to run, and how. It runs nothing. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';

interface Manifest {
  name?: string;
  bin?: unknown;
}

/**
 * @param folder of the package, with its package.json
 * @param bin name of the program, if the package has several
 * @returns the words that start it, without its own arguments
 * @throws McpcError usage when there is no such program, or several
 */
export function npmProgram(folder: string, bin?: string, nodeArgs: readonly string[] = []): string[] {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = path.resolve(folder, chosen(manifest, bin));
  if (path.relative(folder, file).startsWith('..') || !isFile(file))
    throw usageError(
      `The package ${manifest.name} says that its program is ${path.relative(folder, file)}, which it does not hold.`,
      'Name another version, or another program with "bin".',
    );
  const shebang = firstLine(file);
  const ofNode = /^#!.*?\bnode(?:js)?(?:[ \t]+(.*))?$/.exec(shebang);
  // Started by the node that runs mcpc: the system may have another one, or none in PATH.
  if (ofNode !== null || /\.[cm]?[jt]s$/.test(file))
    return [
      process.execPath,
      ...(ofNode?.[1]
        ?.trim()
        .split(/\s+/)
        .filter((word) => word !== '') ?? []),
      ...nodeArgs,
      file,
    ];
  return [file];
}

function chosen({ name = '', bin }: Manifest, wanted: string | undefined): string {
  const own = name.replace(/^@[^/]*\//, '');
  const programs = new Map<string, string>();
  if (typeof bin === 'string') programs.set(own, bin);
  else if (typeof bin === 'object' && bin !== null)
    for (const [key, file] of Object.entries(bin)) if (typeof file === 'string') programs.set(key, file);
  const names = [...programs.keys()];
  if (names.length === 0)
    throw usageError(
      `The package ${name} has no program.`,
      'Only packages with "bin" can be started; start others with "command".',
    );
  const file =
    wanted === undefined ? (programs.size === 1 ? [...programs.values()][0] : programs.get(own)) : programs.get(wanted);
  if (file !== undefined) return file;
  if (wanted === undefined && new Set(programs.values()).size === 1) return [...programs.values()][0]!;
  throw usageError(
    wanted === undefined
      ? `The package ${name} has several programs.`
      : `The package ${name} has no program "${wanted}".`,
    `Name one with "bin": ${names.join(', ')}.`,
  );
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function firstLine(file: string): string {
  const start = Buffer.alloc(256);
  const handle = openSync(file, 'r');
  try {
    return start.toString('latin1', 0, readSync(handle, start, 0, start.length, 0)).split(/\r?\n/)[0]!;
  } finally {
    closeSync(handle);
  }
}
