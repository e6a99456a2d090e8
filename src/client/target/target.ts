/** The target and how to reach it. */
import type { ServeInMemory } from '../transport/process/memory-server.ts';
import type { NetworkOptions } from '../transport/network/network-options.ts';

export interface StdioTarget {
  kind: 'stdio';
  command: string;
  args: string[];
  cwd?: string;
  /** The whole environment of the process. */
  env?: Record<string, string>;
  /** The command is an engine of containers that runs the server (`docker run …`). */
  container?: boolean;
  /** A server inside this process that stands for the command. */
  serve?: ServeInMemory;
}

export interface TestTokenSigning {
  /** A private key (JWK). */
  key: Readonly<Record<string, unknown>>;
  header: Readonly<Record<string, string>>;
  /** All but `scope` and `jti`. */
  claims: Readonly<Record<string, unknown>>;
}

export interface HttpTarget extends NetworkOptions {
  kind: 'http' | 'sse';
  url: string;
  /** Sent with every request, for example Authorization. */
  headers: [string, string][];
  /** Origins of authorization servers that may be asked wherever they are. */
  authServers?: readonly string[];
  /** By the names that stand for them (testTokenPrefix), tokens that are put into requests as they are written. */
  testTokens?: Readonly<Record<string, string>>;
  /** Signs the test token that gets the scopes of a challenge. */
  testTokenSigning?: TestTokenSigning;
  /** Process group of a server that the checker started. */
  processGroup?: number;
}

export type Target = StdioTarget | HttpTarget;
