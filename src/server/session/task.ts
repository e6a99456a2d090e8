/**
 * One task of revision 2025-11-25: the state of a request that runs on after its first answer, its outcome, and the
 * requests that wait for that. It is independent of the work and of access rights.
 */
import type { Host } from './host.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import { RpcError } from '../protocol/json-rpc.ts';
import type { TaskOutbox } from './task-outbox.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The key in _meta that ties a message to a task. */
export const relatedTask = 'io.modelcontextprotocol/related-task';

/** Content of `_meta` in a message about the task. */
export function relatedMeta(taskId: unknown): JsonObject {
  return { [relatedTask]: { taskId } };
}

/** Milliseconds that a client may reasonably let pass between two looks at a task. */
const pollInterval = 50;

export class Task {
  readonly id: unknown;
  /** Place in the order of creation, from 1. */
  readonly number: number;
  /** Milliseconds of life from the creation on; null for a task that is never deleted. */
  readonly ttl: number | null;
  readonly outbox: TaskOutbox;
  status: TaskStatus = 'working';
  private readonly host: Host;
  private readonly abort = new AbortController();
  private readonly createdAt = new Date().toISOString();
  private readonly onChange: (task: Task) => void;
  private lastUpdatedAt = this.createdAt;
  private statusMessage = 'The work has begun.';
  private outcome: JsonObject | RpcError | undefined;
  private questions = 0;
  private discarded = false;
  private end: () => void = () => {};
  private readonly ended = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  constructor(
    host: Host,
    given: { id: unknown; number: number; ttl: number | null; outbox: TaskOutbox; onChange: (task: Task) => void },
  ) {
    this.host = host;
    this.id = given.id;
    this.number = given.number;
    this.ttl = given.ttl;
    this.outbox = given.outbox;
    this.onChange = given.onChange;
  }

  get terminal(): boolean {
    return this.status === 'completed' || this.status === 'failed' || this.status === 'cancelled';
  }

  /** Aborts when the task is cancelled or deleted. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The task as all answers show it. */
  snapshot(): JsonObject {
    const { id: taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl } = this;
    return { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl, pollInterval };
  }

  /** The work needs one more thing of the client. */
  beginQuestion(): void {
    this.questions += 1;
    if (this.questions === 1 && this.host.keeps('enter-input-required'))
      this.move('input_required', 'The work waits for an answer of the client.');
  }

  /** The client has given what it was asked for. */
  endQuestion(): void {
    this.questions -= 1;
    if (this.questions === 0 && this.host.keeps('leave-input-required')) this.move('working', 'The work goes on.');
  }

  /** Notifies the client that the work goes on. */
  report(message: string): void {
    if (!this.terminal) this.move(this.status, message);
  }

  /** Takes the outcome of the work: a result, or the error that the plain request would have ended with. */
  finish(outcome: JsonObject | RpcError): void {
    if (this.discarded) return;
    if (this.terminal && (this.status !== 'cancelled' || this.host.keeps('keep-tasks-cancelled'))) return;
    this.outcome = outcome;
    const toolFailed =
      !(outcome instanceof RpcError) && outcome.isError === true && this.host.keeps('fail-tasks-of-failed-tools');
    if (outcome instanceof RpcError) this.move('failed', outcome.message);
    else if (toolFailed) this.move('failed', diagnosis(outcome));
    else this.move('completed', 'The work is done.');
  }

  /** Ends the task on request of the client. */
  cancel(): void {
    this.move('cancelled', 'The task was cancelled by request.');
    if (this.host.keeps('stop-cancelled-tasks')) this.abort.abort();
  }

  /** Stops whatever still runs; the task is about to be forgotten. */
  discard(): void {
    this.discarded = true;
    this.abort.abort();
    this.end();
  }

  /**
   * The outcome, once there is one.
   * @throws RpcError of the work itself; -32602 if the task ended without an outcome
   */
  async result(signal: AbortSignal): Promise<JsonObject> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([this.ended, aborted]);
    if (this.outcome instanceof RpcError) throw this.outcome;
    if (this.outcome !== undefined) return this.outcome;
    throw new RpcError(
      -32602,
      this.status === 'cancelled' ? 'The task was cancelled and has no result' : 'The task has expired',
      { reason: 'task-without-result' },
    );
  }

  private move(status: TaskStatus, statusMessage: string): void {
    if (this.discarded) return;
    if (this.terminal && this.host.keeps('keep-tasks-cancelled')) return;
    this.status = status;
    this.statusMessage = statusMessage;
    this.lastUpdatedAt = new Date().toISOString();
    this.onChange(this);
    if (this.terminal) this.end();
  }
}

/** The text of a failed tool result. */
function diagnosis(result: JsonObject): string {
  const blocks = Array.isArray(result.content) ? (result.content as JsonObject[]) : [];
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.join(' ') || 'The tool failed.';
}
