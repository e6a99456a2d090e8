/**
 * Tasks of the extension io.modelcontextprotocol/tasks (2026-07-28): one task, and the store of all. Any connection may
 * ask for a task by its id, which is all that gives the right to. It is independent of the work.
 */
import { randomUUID } from 'node:crypto';
import type { Host } from './host.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { Questions } from './request-context.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Milliseconds that a task is kept, and between two looks at it. */
const ttlMs = 60_000;
const pollIntervalMs = 20;

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** True if a request declares the extension in its own capabilities. */
export function declaresTasks(clientCapabilities: JsonObject): boolean {
  return isObject(clientCapabilities.extensions) && isObject(clientCapabilities.extensions[tasksExtension]);
}

/** @throws RpcError -32021 for a request that does not declare the extension */
export function demandTasks(clientCapabilities: JsonObject): void {
  if (declaresTasks(clientCapabilities)) return;
  throw new RpcError(errorCode.capabilityMissing, 'The client has to declare the tasks extension', {
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    reason: 'tasks-undeclared',
    status: 400,
  });
}

export class ExtensionTask {
  readonly id: string;
  private readonly onChange: (task: ExtensionTask) => void;
  private readonly abort = new AbortController();
  private readonly createdAt = new Date().toISOString();
  private lastUpdatedAt = this.createdAt;
  private status: Status = 'working';
  private statusMessage = 'The work has begun.';
  private outcome: JsonObject = {};
  private readonly open = new Map<string, { question: JsonObject; answered: (answer: JsonObject) => void }>();

  constructor(id: string, onChange: (task: ExtensionTask) => void) {
    this.id = id;
    this.onChange = onChange;
  }

  get terminal(): boolean {
    return this.status === 'completed' || this.status === 'failed' || this.status === 'cancelled';
  }

  /** Aborts when the task is cancelled or deleted. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Part of the task in every answer. */
  seed(): JsonObject {
    const { id: taskId, status, statusMessage, createdAt, lastUpdatedAt } = this;
    return { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs };
  }

  /** The task with what belongs to its status. */
  detailed(): JsonObject {
    const questions = Object.fromEntries([...this.open].map(([key, { question }]) => [key, question]));
    return {
      ...this.seed(),
      ...(this.status === 'input_required' ? { inputRequests: questions } : {}),
      ...this.outcome,
    };
  }

  /** Puts questions to the client and waits for all the answers. */
  async ask(questions: Questions): Promise<Record<string, JsonObject>> {
    const answers = Object.entries(questions).map(
      ([key, question]) =>
        new Promise<[string, JsonObject]>((resolve) =>
          this.open.set(key, { question: { ...question }, answered: (answer) => resolve([key, answer]) }),
        ),
    );
    this.move('input_required', 'The work waits for an answer of the client.');
    return Object.fromEntries(await Promise.all(answers));
  }

  /** Takes the answers to open questions; others are ignored. */
  update(inputResponses: JsonObject): void {
    for (const [key, answer] of Object.entries(inputResponses)) {
      const asked = this.open.get(key);
      if (asked === undefined || !isObject(answer)) continue;
      this.open.delete(key);
      asked.answered(answer);
    }
    if (this.open.size === 0 && this.status === 'input_required') this.move('working', 'The work goes on.');
  }

  finish(outcome: JsonObject | RpcError): void {
    if (this.terminal) return;
    if (outcome instanceof RpcError) {
      const { code, message, data } = outcome;
      this.outcome = { error: { code, message, ...(data === undefined ? {} : { data }) } };
      this.move('failed', message);
    } else {
      this.outcome = { result: outcome };
      this.move('completed', 'The work is done.');
    }
  }

  /** A requested end of the work; a finished task stays unchanged. */
  cancel(): void {
    if (this.terminal) return;
    this.move('cancelled', 'The task was cancelled by request.');
    this.abort.abort();
  }

  private move(status: Status, statusMessage: string): void {
    this.status = status;
    this.statusMessage = statusMessage;
    this.lastUpdatedAt = new Date().toISOString();
    this.onChange(this);
  }
}

export class ExtensionTasks {
  private readonly host: Host;
  private readonly tasks = new Map<string, ExtensionTask>();
  private created = 0;

  constructor(host: Host) {
    this.host = host;
  }

  create(): ExtensionTask {
    this.created += 1;
    const id = String(this.host.behaviour.tasks.id(randomUUID(), this.created, undefined));
    const task = new ExtensionTask(id, (changed) => this.announce(changed));
    this.tasks.set(id, task);
    setTimeout(() => this.tasks.delete(id), ttlMs).unref();
    return task;
  }

  /** @throws RpcError -32602 for an id that leads nowhere */
  find(taskId: unknown): ExtensionTask {
    const task = typeof taskId === 'string' ? this.tasks.get(taskId) : undefined;
    if (task === undefined)
      throw new RpcError(errorCode.invalidParams, 'There is no such task; it may have expired', {
        reason: 'unknown-extension-task',
      });
    return task;
  }

  private announce(task: ExtensionTask): void {
    for (const listener of this.host.listeners)
      listener({ method: 'notifications/tasks', filter: 'taskIds', taskId: task.id, params: task.detailed() });
  }
}
