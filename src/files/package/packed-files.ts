/**
 * Files of mcpc that an installed package has in compressed form only (dist/packed, written by the build): the compiled
 * rules, the catalogue of requirements, the message validators and the rule files, which together are three times as
 * large as all code. In a checkout the files themselves are read, so that what was just edited counts and not what was
 * built last.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import { packageRoot } from './package-root.ts';

/** Files of generated/ that are packed. */
export const packedGenerated = ['plan.json', 'requirements.json'] as const;

/** The pack of all rule files: a JSON object from path within the package to text. */
export const packOfRules = 'rules.json';

/** The pack of the validators of a revision: a CommonJS module. */
export const packOfValidators = (revision: string): string => `validators-${revision}.js`;

/** The file that holds something in compressed form. */
export const packedFile = (name: string, folder = path.join(packageRoot(), 'dist', 'packed')): string =>
  path.join(folder, `${name}.br`);

/**
 * Text of a file, which may be one of the package that is packed.
 * @throws what reading throws, for a file that is neither there nor packed
 */
export function readMaybePacked(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const text = packedText(file);
    if (text === undefined) throw error;
    return text;
  }
}

/** True if a file exists, packed or not. */
export function isThereOrPacked(file: string): boolean {
  return existsSync(file) || packedRules()[pathWithin(file)] !== undefined;
}

let rules: Readonly<Record<string, string>> | undefined;

/** The packed rule files by path within the package, with slashes; none in a checkout that was not built. Read once. */
export function packedRules(): Readonly<Record<string, string>> {
  return (rules ??= Object.assign(
    Object.create(null) as Record<string, string>,
    JSON.parse(unpacked(packOfRules) ?? '{}'),
  ));
}

/** Exports of a packed CommonJS module without imports; undefined if it is not packed. */
export function packedModule(name: string): unknown {
  const text = unpacked(name);
  if (text === undefined) return undefined;
  const module = { exports: {} as unknown };
  const run = new Script(`(function(module){${text}\n})`, { filename: packedFile(name) }).runInThisContext() as (
    module: object,
  ) => void;
  run(module);
  return module.exports;
}

function packedText(file: string): string | undefined {
  const within = pathWithin(file);
  const generated = packedGenerated.find((name) => within === `generated/${name}`);
  if (generated !== undefined) return unpacked(generated);
  return within.startsWith('rules/') ? packedRules()[within] : undefined;
}

function unpacked(name: string): string | undefined {
  const file = packedFile(name);
  return existsSync(file) ? brotliDecompressSync(readFileSync(file)).toString('utf8') : undefined;
}

function pathWithin(file: string): string {
  return path.relative(packageRoot(), file).split(path.sep).join('/');
}
