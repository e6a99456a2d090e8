/** Where a request of the stateless era says which log messages it wants (2026-07-28: server/utilities/logging). */
export const logLevelKey = 'io.modelcontextprotocol/logLevel';
