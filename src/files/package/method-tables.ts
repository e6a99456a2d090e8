/**
 * The methods of every revision (who sends them, what they carry), without the weight of validators: reads
 * `generated/methods.json`, which `npm run generate` makes from the layouts. It makes no decision.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { McpcError } from '../../core/model/errors.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { methodTableFile } from './message-files.ts';
import type { MethodInfo } from '../../core/spec/messages/message-validator.ts';

/** Revision to method to what that revision says of it. A method that a revision lacks is not in its table. */
export type MethodTables = Record<Revision, Record<string, MethodInfo>>;

let cached: MethodTables | undefined;

/** The tables of all revisions, read once per process. @throws McpcError (internal) when the file is missing or broken */
export async function methodTables(): Promise<MethodTables> {
  try {
    return (cached ??= JSON.parse(await readFile(methodTableFile(), 'utf8')) as MethodTables);
  } catch (error) {
    throw unreadable(error);
  }
}

/** Methods of extensions, which are in the table of no revision, or in one of a revision that means something else by them. */
export const extensionMethods: readonly string[] = ['tasks/get', 'tasks/update', 'tasks/cancel', 'notifications/tasks'];

/** The methods of all revisions and extensions. @throws McpcError (internal) when the file is missing or broken */
export function methodNames(): string[] {
  try {
    cached ??= JSON.parse(readFileSync(methodTableFile(), 'utf8')) as MethodTables;
  } catch (error) {
    throw unreadable(error);
  }
  return [...new Set([...Object.values(cached).flatMap((table) => Object.keys(table)), ...extensionMethods])];
}

function unreadable(cause: unknown): McpcError {
  return new McpcError('internal', 'generated/methods.json cannot be read', {
    remedy: 'Run "npm run generate".',
    cause,
  });
}
