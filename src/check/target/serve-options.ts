/** Options for starting an HTTP server for a check. */
/** An HTTP server that the check starts and stops itself. */
export interface ServeOptions {
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
  /** Port that the address names, on which the server is expected to listen. */
  port: number;
}
