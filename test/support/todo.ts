/** The to-do list of requirements without a rule, as the gates read it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface TodoEntry {
  requirement: string;
  /** Date on which it was put on the list, YYYY-MM-DD. */
  since: string;
  /** A rule about servers is there; one about clients, whom it binds as well, is not. */
  party?: 'client';
}

export const todo = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../rules/todo.json'), 'utf8')) as { entries: TodoEntry[] }
).entries;

const names = new Set(
  todo
    .filter(({ party }) => party === undefined)
    .map(({ requirement }) => requirement.replace('.', '/').replaceAll('.', '-')),
);

/** Whether the requirement after which a rule of that id would be named is on the list. */
export function isToDo(rule: string): boolean {
  return names.has(rule);
}
