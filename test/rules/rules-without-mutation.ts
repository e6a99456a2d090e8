/** Rules that no mutation of the reference server breaks, each with the reason. */
export const rulesWithoutMutation: Readonly<Record<string, string>> = {};
