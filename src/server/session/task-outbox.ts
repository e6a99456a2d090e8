/**
 * Where messages of a running task go. Questions to the client wait until it asks for the result
 * of the task, and travel with the reply to that; other messages do not wait. Must not change what
 * it carries.
 */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { isObject } from '../protocol/json-rpc.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { Session } from './session.ts';

export class TaskOutbox implements ReplySink {
  private readonly session: Session;
  /** The requests for the result that are waiting, the latest last. */
  private readonly waiting: ReplySink[] = [];
  private questions: JsonObject[] = [];

  constructor(session: Session) {
    this.session = session;
  }

  related(message: JsonObject): void {
    const reply = this.waiting.at(-1);
    const isQuestion = 'method' in message && 'id' in message;
    if (reply !== undefined) reply.related(message);
    else if (isQuestion && this.session.host.keeps('hold-questions-of-tasks')) this.questions.push(message);
    else if (!this.withdraw(message)) this.session.deliver(message, !isQuestion);
  }

  /** A task has no reply of its own that could end. */
  finish(): void {}

  /** From now on messages travel with this reply, waiting ones first. */
  attach(reply: ReplySink): void {
    this.waiting.push(reply);
    const due = this.questions;
    this.questions = [];
    for (const question of due) reply.related(question);
  }

  detach(reply: ReplySink): void {
    const index = this.waiting.indexOf(reply);
    if (index >= 0) this.waiting.splice(index, 1);
  }

  /** Takes back a question that is cancelled before the client has seen it. */
  private withdraw(message: JsonObject): boolean {
    if (message.method !== 'notifications/cancelled' || !isObject(message.params)) return false;
    const { requestId } = message.params;
    const before = this.questions.length;
    this.questions = this.questions.filter(({ id }) => id !== requestId);
    return this.questions.length < before;
  }
}
