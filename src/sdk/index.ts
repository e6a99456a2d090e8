/** `mcpc/sdk`: drives an MCP server through the mcpc binary, from any test framework. It has no dependency. */
export { Coprocess } from './coprocess.ts';
export type {
  BinaryInfo,
  CacheMode,
  CassetteMode,
  CoprocessOptions,
  ListResourcesResult,
  ListToolsResult,
  PromptResult,
  ReadResourceResult,
  RequestOptions,
} from './coprocess.ts';
export {
  ContractDrift,
  CoprocessDied,
  CoprocessError,
  DeadlineExceeded,
  UpstreamError,
  UpstreamGone,
  VersionMismatch,
} from './errors.ts';
export { laneCliHint, laneSkipReason, UNSUPPORTED_SDK_LANES, unsupportedLanes } from './lanes.ts';
export type { UnsupportedLane } from './lanes.ts';
export { COPROCESS_PROTOCOL_VERSION } from './protocol.ts';
export type { Frame } from './protocol.ts';
export type { CallResult, Verdict } from './verdict.ts';
