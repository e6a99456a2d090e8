/**
 * Where the message files stand: the layouts in `rules/messages`, the compiled validators and the methods
 * table in `generated`. Finds the package from the running module, so that a checkout, a bundle and an
 * installed package all work. Interprets nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpcError } from '../model/errors.ts';
import type { Revision } from '../model/requirement.ts';
import { parseMessageLayout } from './message-layout.ts';
import type { MessageLayout } from './message-layout.ts';

/** Changes whenever the same layout would compile to other code, so that older builds are not used. */
const compilerVersion = 1;

let foundRoot: string | undefined;

/** Folder of the mcpc package. @throws McpcError (internal) when the package is incomplete */
export function packageRoot(): string {
  if (foundRoot !== undefined) return foundRoot;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'rules', 'messages'))) return (foundRoot = folder);
    if (folder === dirname(folder)) throw new McpcError('internal', 'the folder rules/messages of mcpc is missing', { remedy: 'Install mcpc again.' });
  }
}

export function validatorFile(revision: Revision, folder = join(packageRoot(), 'generated', 'validators')): string {
  return join(folder, `${revision}.js`);
}

export function methodTableFile(): string {
  return join(packageRoot(), 'generated', 'methods.json');
}

/** Text of the layout file of a revision, with the digest by which a compiled module is known to belong to it. */
export async function readLayoutText(revision: Revision, root = packageRoot()): Promise<{ text: string; file: string; digest: string }> {
  const file = `rules/messages/${revision}.json`;
  const text = await readFile(join(root, file), 'utf8');
  const digest = createHash('sha256').update(`${compilerVersion}\n`).update(text).digest('hex');
  return { text, file, digest };
}

/** The parsed layout of a revision. @throws McpcError (usage) naming file and path of a fault */
export async function readLayout(revision: Revision, root = packageRoot()): Promise<{ layout: MessageLayout; digest: string }> {
  const { text, file, digest } = await readLayoutText(revision, root);
  return { layout: parseMessageLayout(text, file), digest };
}
