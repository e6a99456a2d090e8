/** What tasks of 2025-11-25 and those of the extension of 2026-07-28 have in common, and the name of the latter. */
import { asObject } from './json.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Statuses of a task that is over. */
export const terminalStatuses: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Whether capabilities, of whatever form they are, name the extension. */
export function namesTasksExtension(capabilities: unknown): boolean {
  return asObject(asObject(capabilities)?.extensions)?.[tasksExtension] !== undefined;
}
