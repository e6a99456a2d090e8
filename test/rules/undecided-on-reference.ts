/** Rules that stay undecided on the compliant reference server, each with the reason. */
export const undecidedHere: Readonly<Record<string, string>> = {};
