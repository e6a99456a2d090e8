/**
 * Where the files that come with mcpc stand. Finds the package from the running module, so that a checkout, a bundle
 * and an installed package all work. Reads none of them; packed-files.ts does.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpcError } from '../../core/model/errors.ts';

let foundRoot: string | undefined;

/** Folder of the mcpc package. @throws McpcError (internal) when the package is incomplete */
export function packageRoot(): string {
  if (foundRoot !== undefined) return foundRoot;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'rules', 'messages'))) return (foundRoot = folder);
    if (folder === dirname(folder))
      throw new McpcError('internal', 'the folder rules/messages of mcpc is missing', {
        remedy: 'Install mcpc again.',
      });
  }
}

export const rulesFolder = (root = packageRoot()): string => join(root, 'rules');

export const generatedFile = (name: string, root = packageRoot()): string => join(root, 'generated', name);
