/** Rules that no mutation of the reference server breaks, each with the reason. */
export const rulesWithoutMutation: Readonly<Record<string, string>> = {
  'cancellation/task-dedicated-method': 'the reference server has no tasks and sends no task-augmented requests',
  'progress/task-token-continuation': 'the reference server has no tasks',
};
