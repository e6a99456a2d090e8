/** Requirements that have no mutation, and why no server behaviour could break them observably. */
export const skippedRequirements: Readonly<Record<string, string>> = {
  'cancellation.task.dedicated-method': 'the server has no tasks and sends no task-augmented requests',
  'cancellation.task.request-id-exclusion': 'the server has no tasks and sends no task-augmented requests',
  'progress.task.token-continuation': 'the server has no tasks',
  'progress.task.token-identity': 'the server has no tasks',
  'progress.task.terminal-stop': 'the server has no tasks',
};
