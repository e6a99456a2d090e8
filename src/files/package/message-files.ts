/**
 * Where the message files stand: the layouts in `rules/messages`, the compiled validators and the methods
 * table in `generated`. Finds the package from the running module, so that a checkout, a bundle and an
 * installed package all work. Interprets nothing.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { packageRoot } from './package-root.ts';
import { parseMessageLayout, type MessageLayout } from '../../core/spec/messages/message-layout.ts';
import { expandMessageSchema, methodInfos } from '../../core/spec/messages/message-schema.ts';

/** To be raised when the same schema compiles to other code, so that older builds are not used. */
const compilerVersion = 1;

export function validatorFile(revision: Revision, folder = join(packageRoot(), 'generated', 'validators')): string {
  return join(folder, `${revision}.js`);
}

export function methodTableFile(): string {
  return join(packageRoot(), 'generated', 'methods.json');
}

/** The parsed layout of a revision. @throws McpcError (usage) naming file and path of a fault */
export async function readLayout(revision: Revision, root = packageRoot()): Promise<MessageLayout> {
  const file = `rules/messages/${revision}.json`;
  return parseMessageLayout(await readFile(join(root, file), 'utf8'), file);
}

/**
 * True if a compiled module belongs to a layout. Taken of the expanded schema, so that a change of the expansion counts
 * like a change of the file.
 */
export function layoutDigest(layout: MessageLayout): string {
  const content = JSON.stringify([compilerVersion, expandMessageSchema(layout), methodInfos(layout)]);
  return createHash('sha256').update(content).digest('hex');
}
