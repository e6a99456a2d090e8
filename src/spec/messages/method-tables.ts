/**
 * The methods of every revision (who sends them, what they carry), without the weight of validators:
 * reads `generated/methods.json`, which `npm run generate` makes from the layouts. Decides nothing.
 */
import { readFile } from 'node:fs/promises';
import { McpcError } from '../../model/errors.ts';
import type { Revision } from '../../model/rules/requirement.ts';
import { methodTableFile } from './message-files.ts';
import type { MethodInfo } from './message-validator.ts';

/** Revision to method to what that revision says of it. A method that a revision lacks is not in its table. */
export type MethodTables = Record<Revision, Record<string, MethodInfo>>;

let cached: MethodTables | undefined;

/** The tables of all revisions, read once per process. @throws McpcError (internal) when the file is missing or broken */
export async function methodTables(): Promise<MethodTables> {
  if (cached) return cached;
  const file = methodTableFile();
  try {
    return (cached = JSON.parse(await readFile(file, 'utf8')) as MethodTables);
  } catch (error) {
    throw new McpcError('internal', 'generated/methods.json cannot be read', { remedy: 'Run "npm run generate".', cause: error });
  }
}
