/** Requirements that have no mutation, and why no server behaviour could break them observably. */
export const skippedRequirements: Readonly<Record<string, string>> = {
  'cancellation.task.dedicated-method': 'the server asks its clients for no tasks',
  'cancellation.task.request-id-exclusion': 'the server asks its clients for no tasks',
};
