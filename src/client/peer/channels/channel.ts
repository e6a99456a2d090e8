/**
 * One connection to a target as probing uses it: messages and bytes out over whichever transport. What comes
 * back is in the trace. Adds the HTTP headers of a correct client; knows no step and no rule.
 */
import type { EventSink, Marks, TransportKind } from '../../../core/model/trace.ts';
import type { HttpRequest } from '../../transport/http/http-exchange.ts';
import type { TransportLimits } from '../../transport/limits.ts';
import type { Target } from '../../target/target.ts';
import type { Timing } from '../../target/timing.ts';
import type { RequestRate } from '../../load/request-rate.ts';
import type { PacedExchange } from './paced.ts';
import type { Waiter } from './waiter.ts';

export interface Outgoing extends Marks {
  /** Bytes as text; for stdio one line without its end. */
  text: string;
  message?: unknown;
  /** All headers of the request (HTTP). */
  headers: [string, string][];
  /** Milliseconds that the answer is waited for, where that is more than usual. */
  deadlineMs?: number;
}

export interface SentMessage {
  /** Seq of the event; 0 when nothing was sent, or has not been sent yet. */
  readonly seq: number;
  readonly exchange?: PacedExchange;
  /** Resolves when its turn to be sent has come; absent where that was at once. */
  readonly begun?: Promise<void>;
}

export interface Channel {
  readonly transport: TransportKind;
  send(outgoing: Outgoing): SentMessage;
  /** stdio: the lines in one write, or the one line in two. */
  sendFramed(lines: string[], framing: 'joined' | 'split', messages: unknown[]): number[];
  closeStdin(): void;
  /** stdio: records the text after the last newline of stdout, if it is a whole message; returns true then. */
  readUnfinished?(): boolean;
  /** HTTP: a bare exchange. */
  exchange(request: HttpRequest): PacedExchange | undefined;
  close(): Promise<void>;
}

export interface ChannelOptions {
  target: Target;
  session: string;
  sink: EventSink;
  waiter: Waiter;
  timing: Timing;
  limits?: Partial<TransportLimits>;
  /** Opened to test if the server supports one more connection. */
  trial?: boolean;
  /** stdio: called when stdout holds text after its last newline. */
  onUnfinished?: () => void;
  /** Whose turn it is to send; all at once when absent. */
  rate?: RequestRate;
}
