/** What tasks of 2025-11-25 and those of the extension of 2026-07-28 have in common, and the name of the latter. */

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Statuses of a task that is over. */
export const terminalStatuses: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);
