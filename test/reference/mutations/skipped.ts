/** Requirements that have no mutation, and why no server behaviour could break them observably. */
export const skippedRequirements: Readonly<Record<string, string>> = {
  'ping.frequency.periodicity': 'advisory without an interval: a server that never pings is never failed',
  'http.compat.server-old-endpoints': 'reported only: keeping the old endpoints is optional',
  'cancellation.task.dedicated-method': 'the server has no tasks and sends no task-augmented requests',
  'cancellation.task.request-id-exclusion': 'the server has no tasks and sends no task-augmented requests',
  'progress.task.token-continuation': 'the server has no tasks',
  'progress.task.token-identity': 'the server has no tasks',
  'progress.task.terminal-stop': 'the server has no tasks',
};
