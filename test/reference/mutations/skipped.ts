/** Requirements that have no mutation, and why no server behaviour could break them observably. */
export const skippedRequirements: Readonly<Record<string, string>> = {};
