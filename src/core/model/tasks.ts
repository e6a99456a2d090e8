/** Common part of tasks of 2025-11-25 and those of the extension of 2026-07-28, and the name of the latter. */
import { asObject } from './json.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Statuses of a task that is over. */
export const terminalStatuses: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** True if capabilities, of any form, name the extension. */
export function namesTasksExtension(capabilities: unknown): boolean {
  return asObject(asObject(capabilities)?.extensions)?.[tasksExtension] !== undefined;
}
