/**
 * A proxy's reports about forwarded bytes: copies, in their order. Events are made elsewhere, so that the bytes never
 * wait for it. Shapes only.
 */
import type { EventInput, Party, TransportKind } from '../../core/model/trace.ts';

/** Which side ended an exchange early, and why. */
export interface Cut {
  by: Party;
  reason: string;
}

export type StdioStream = 'client' | 'server' | 'stderr';

export type Tap =
  /** From here on there is a conversation, over this transport. */
  | { tap: 'begin'; transport: TransportKind }
  /** The proxy's own observations: that a process began or ended, that a pipe was closed. */
  | { tap: 'event'; event: EventInput }
  | { tap: 'stdio'; of: StdioStream; chunk: Uint8Array }
  | { tap: 'stdio-end'; of: StdioStream }
  /**
   * `opensConnection`: the one stream of a connection over HTTP+SSE. `origin`: of a request outside MCP. `rewritten`: what
   * was changed on the way, and what the server's side has there.
   */
  | {
      tap: 'request';
      exchange: string;
      method: string;
      path: string;
      headers: [string, string][];
      opensConnection: boolean;
      origin?: string | undefined;
      rewritten?: Record<string, string>;
    }
  | { tap: 'request-body'; exchange: string; chunk: Uint8Array }
  | { tap: 'request-end'; exchange: string }
  | {
      tap: 'reply';
      exchange: string;
      status: number;
      headers: [string, string][];
      rewritten?: Record<string, string>;
    }
  | { tap: 'reply-body'; exchange: string; chunk: Uint8Array }
  | { tap: 'exchange-end'; exchange: string; cut?: Cut };

/** Receives the reports of a proxy. It must return at once. */
export type TapSink = (tap: Tap) => void;
