/** Constants of the coprocess protocol; docs/coprocess.md describes it. */

/**
 * One whole number. It goes up with any change to any frame, together with the literal of each SDK and the table in
 * docs/coprocess.md.
 */
export const COPROCESS_PROTOCOL_VERSION = 2;

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** The server under test answered with an error, or not in time. */
  upstream: -32000,
  /** The connection to the server under test is over. */
  upstreamGone: -32001,
} as const;

export const methods = [
  'coprocess/handshake',
  'mcp.initialize',
  'mcp.call',
  'mcp.listTools',
  'mcp.listResources',
  'mcp.readResource',
  'mcp.callPrompt',
  'mcp.reporter.setUpload',
  'mcp.reporter.flush',
  'mcp.cache.set_mode',
  'mcp.cassette.set_mode',
  'mcp.shutdown',
] as const;

export type Method = (typeof methods)[number];

/** Content of the member `error` of a response. */
export class FrameError extends Error {
  readonly code: number;
  /** JSON text of `data`. */
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
