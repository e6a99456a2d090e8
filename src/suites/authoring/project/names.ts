/** Names of what a set-up writes, for help and for the set-up itself. */

export const workflowPath = '.github/workflows/mcpc.yml';
/** Script of package.json. */
export const scriptName = 'test:mcp';
