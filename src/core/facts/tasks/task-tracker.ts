/**
 * Follows tasks (2025-11-25: basic/utilities/tasks; the tasks extension of 2026-07-28) from the CreateTaskResult on, in both directions: the party
 * that asked is the requestor, the other one the receiver. Makes the `task` subjects, and adds to exchanges and
 * messages what they have to do with tasks. What one task shows is put together in task-record.ts.
 */
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import { terminalStatuses } from '../../model/tasks.ts';
import { perSession } from '../state/per-session.ts';
import type { Facts, Feature, Given, Hooks } from '../core/plugin.ts';
import { factsFrom } from '../core/reading.ts';
import type { Subject } from '../state/subject.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { methodOf, paramsOf, typedKey, type RpcItem } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import { listenedTasks, noteAsked, noteNotice, noteReply, turnedAway } from './task-attention.ts';
import { createPlainCalls } from './plain-calls.ts';
import { createSessionTasks, type Asked, type SessionTasks } from './session-tasks.ts';
import { taskDescription, taskExchangeFacts, taskFacts, taskMessageFacts, taskTargetFacts } from './task-facts.ts';
import { createTaskIds } from './task-ids.ts';
import { isAsTask, otherSide, relatedTaskOf, taskSupportOf, type Side } from './task-reading.ts';
import {
  citeTask,
  createdTaskOf,
  createTaskRecord,
  finalResultOf,
  isExpired,
  noteGone,
  notePoll,
  noteSeen,
  overdueMs,
  wishedInterval,
  type TaskRecord,
} from './task-record.ts';
import { noteAcknowledged, noteAnswers } from './task-updates.ts';
import { stepWalk } from './task-walk.ts';
import { createTasksElsewhere } from './tasks-elsewhere.ts';

const keptMentions = 1000;
const keptTasks = 2000;
const namingMethods = new Set<unknown>(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']);

const readTask = factsFrom([['tasks', taskFacts]]);

export const tasks: Feature = {
  name: 'tasks',
  // The entry of the called tool shows if it may run as a task; the target comes first in the evidence.
  after: ['listing', 'target'],
  kinds: { task: taskDescription },
  facts: { task: taskFacts, exchange: taskExchangeFacts, message: taskMessageFacts, trace: taskTargetFacts },
  create: createTasks,
};

function createTasks(): Hooks {
  const sessions = perSession(createSessionTasks);
  const plain = createPlainCalls();
  /** State when a request was sent; forgotten with the request. */
  const asked = new WeakMap<RpcRecord, Asked>();
  const ids = createTaskIds();
  const elsewhere = createTasksElsewhere();

  function find(session: SessionState, requestor: Side, id: unknown): TaskRecord | undefined {
    return typeof id === 'string' ? sessions.find(session)?.byId.get(`${requestor} ${id}`) : undefined;
  }

  /** The last status seen of a task that the requestor may name. */
  function stateOf(session: SessionState, requestor: Side, id: unknown): string {
    const task = find(session, requestor, id);
    // Of two tasks with one id the named one is unknown.
    if (task?.idRepeated) return 'ambiguous';
    if (task) return task.gone ? 'gone' : asText(task.last);
    return ids.knows(session, id) ? 'elsewhere' : 'never-created';
  }

  function create(record: RpcRecord, listed: unknown): Subject[] {
    const made = createdTaskOf(record);
    if (!made) return [];
    const tasks = sessions.of(record.session);
    const task = createTaskRecord(record, made.id, made.created);
    const support = taskSupportOf(record, listed);
    if (support !== undefined) task.taskSupport = support;
    const before = tasks.byId.get(`${record.from} ${made.id}`);
    if ((record.from === 'client' && ids.note(task)) || before) task.idRepeated = true;
    if (before) before.idRepeated = true;
    elsewhere.note(task);
    const tooMany = tasks.byRequest.size >= keptTasks ? giveOut(tasks, tasks.byRequest.values().next().value!) : [];
    tasks.byId.set(`${record.from} ${made.id}`, task);
    tasks.byRequest.set(record, task);
    tasks.unfinished.add(task);
    see(task, 'create', made.created, record.seq, task.createdSeq, task.createdT);
    return tooMany;
  }

  function see(task: TaskRecord, via: string, shown: JsonObject, askedSeq: number, seq: number, t: number): void {
    noteSeen(task, { via, task: shown, askedSeq, seq, t });
    citeTask(task, askedSeq === 0 ? [seq] : [askedSeq, seq]);
    const tasks = sessions.of(task.session);
    if (task.terminal && tasks.unfinished.delete(task)) tasks.justOver.add(task);
  }

  function giveOut(tasks: SessionTasks, task: TaskRecord): Subject[] {
    tasks.byRequest.delete(task.request);
    if (tasks.byId.get(`${task.request.from} ${task.id}`) === task)
      tasks.byId.delete(`${task.request.from} ${task.id}`);
    tasks.unfinished.delete(task);
    tasks.justOver.delete(task);
    // Whatever was seen of the one may have been meant of the other.
    if (task.idRepeated) return [];
    const lastT = tasks.lastT[task.request.from];
    task.left = !task.terminal && !isExpired(task, lastT) && turnedAway(task.attention, lastT, wishedInterval(task));
    const isCall = task.request.from === 'client' && task.request.method === 'tools/call';
    const { events, ...plainCall } = isCall ? plain.likeness(task.request, finalResultOf(task)) : { events: [] };
    citeTask(task, events);
    return [
      {
        kind: 'task',
        session: task.session,
        facts: Object.assign(readTask(task), plainCall),
        events: [...task.events],
      },
    ];
  }

  /** The only task that is under way for the client, when nothing but it can be the reason for a request. */
  function soleTask(session: SessionState): TaskRecord | undefined {
    const tasks = sessions.find(session);
    const [first, ...more] = [...(tasks?.unfinished ?? [])].filter(
      (task) => task.request.from === 'client' && !task.gone,
    );
    return more.length === 0 && tasks?.others.size === 0 ? first : undefined;
  }

  function noteNamed(record: RpcRecord, task: TaskRecord, state: string): void {
    const reply = asObject(record.reply);
    const result = asObject(reply?.result);
    const seq = record.replySeq ?? record.events.at(-1)!;
    const t = record.replyT ?? record.t;
    citeTask(task, record.events);
    if (record.method === 'tasks/result') {
      if (task.results.length >= keptTasks) return;
      const unfinished = state === 'working' || state === 'input_required';
      const answered = (record.outcome === 'result' || record.outcome === 'error') && record.cancelSeq === undefined;
      const expired = isExpired(task, t);
      const early =
        unfinished && answered && !expired ? { early: task.terminal ? ('held' as const) : ('open' as const) } : {};
      task.results.push({
        asked: state,
        outcome: record.outcome,
        ...(reply ? { reply } : {}),
        answeredSeq: seq,
        expired,
        ...early,
      });
      return;
    }
    if (asObject(reply?.error)?.code === -32602 && record.method === 'tasks/get') noteGone(task, t);
    // A server's message about another task is no evidence about this one.
    if (result && 'status' in result && (result.taskId === undefined || result.taskId === task.id)) {
      see(task, asText(record.method), result, record.seq, seq, t);
    }
  }

  function noteList(record: RpcRecord): void {
    const result = asObject(asObject(record.reply)?.result);
    if (!Array.isArray(result?.tasks)) return;
    const tasks = sessions.of(record.session);
    const seq = record.replySeq ?? record.seq;
    const shown = (result.tasks as unknown[]).filter(isObject);
    for (const one of shown) {
      const task = find(record.session, record.from, one.taskId);
      if (task && 'status' in one) see(task, 'tasks/list', one, record.seq, seq, record.replyT ?? record.t);
    }
    if (record.from !== 'client') return;
    stepWalk(tasks.walks, record, shown, tasks.byRequest.values());
  }

  /** Facts that a request with a task adds to its exchange. */
  function namedFacts(record: RpcRecord, { task, state, looks, early, inputKeys }: Asked): Facts {
    const tasks = sessions.of(record.session);
    const laterRequestsAnsweredFirst = tasks.laterRequestsAnsweredFirst.get(record) ?? 0;
    tasks.laterRequestsAnsweredFirst.delete(record);
    if (!task) return { laterRequestsAnsweredFirst, taskState: state };
    const t = record.replyT ?? record.t;
    const known = {
      earlierLooks: looks,
      polledEarly: early,
      inputKeys,
      taskExpired: isExpired(task, t),
      taskOverdueMs: overdueMs(task, record.t),
    };
    noteAcknowledged(task.updates, record, state, inputKeys);
    noteNamed(record, task, state);
    noteReply(task.attention, record);
    return { laterRequestsAnsweredFirst, taskState: state, ...known };
  }

  function noteAnswerTime(record: RpcRecord): void {
    const tasks = sessions.of(record.session);
    tasks.others.delete(record);
    if (record.from === 'server') {
      const key = typedKey(record.id);
      const task = tasks.inputs.get(key);
      const input = task?.inputs.find((one) => one.seq === record.seq);
      if (task && input) {
        tasks.inputs.delete(key);
        input.answered = true;
        if (record.outcome === 'result') task.inputAnsweredSeq = record.replySeq!;
        citeTask(task, record.events);
      }
    }
    if (record.reply === undefined) return;
    if (record.from === 'client')
      for (const [open, count] of tasks.laterRequestsAnsweredFirst)
        if (open.seq < record.seq) tasks.laterRequestsAnsweredFirst.set(open, count + 1);
    for (const task of tasks.justOver) {
      if (task.request.from !== record.from || record.seq < task.terminal!.seq) continue;
      task.longOver = true;
      citeTask(task, record.events);
      tasks.justOver.delete(task);
    }
  }

  function noteMention(session: SessionState, id: unknown): void {
    if (id === undefined || find(session, 'client', id)) return;
    const { mentioned } = sessions.of(session);
    if (mentioned.size < keptMentions) mentioned.add(id);
  }

  function noteRequest(item: RpcItem, session: SessionState, record: RpcRecord | undefined): void {
    if (!record) return;
    const method = methodOf(item.message);
    const tasks = sessions.of(session);
    if (record.from === 'client' && !asText(method).startsWith('tasks/')) tasks.others.add(record);
    if (method === 'subscriptions/listen')
      for (const id of listenedTasks(item.message)) {
        const task = find(session, record.from, id);
        if (task) task.attention.listens = true;
      }
    if (namingMethods.has(method)) {
      const id = paramsOf(item.message)?.taskId;
      const task = find(session, record.from, id);
      if (record.from === 'client') tasks.laterRequestsAnsweredFirst.set(record, 0);
      const state = stateOf(session, record.from, id);
      const inputKeys = task && method === 'tasks/update' ? noteAnswers(task.updates, item.message) : undefined;
      const early = task && method === 'tasks/get' ? notePoll(task, record) : undefined;
      asked.set(record, {
        task,
        looks: task?.named ?? 0,
        early,
        inputKeys,
        state: state === 'never-created' && record.from === 'client' && tasks.mentioned.has(id) ? 'mentioned' : state,
      });
      if (task) task.named += 1;
      if (task) noteAsked(task.attention, record);
    }
    const related = record.from === 'server' ? find(session, 'client', relatedTaskOf(item.message)) : undefined;
    if (!related || asText(method).startsWith('tasks/') || related.inputs.length >= keptTasks) return;
    related.inputs.push({ method, seq: item.seq, answered: false });
    Object.assign(related.input, { polls: 0, left: false });
    tasks.inputs.set(typedKey(record.id), related);
    citeTask(related, [item.seq]);
  }

  function noteNotification({ item, session, place: { record }, http, method }: MessageView): Facts | undefined {
    const params = paramsOf(item.message);
    if (method === 'notifications/tasks/status' || method === 'notifications/tasks') {
      const task = find(session, otherSide(item.from), params?.taskId);
      // On a channel of its own a notification may have been overtaken: it is no later sight than what is known.
      const askedSeq = session.transport === 'http' ? (task?.terminal ? 0 : item.seq) : item.seq;
      if (!task || !params) return undefined;
      if (!task.terminal)
        noteNotice(task.attention, terminalStatuses.has(params.status), item.event.t, wishedInterval(task));
      see(task, method, params, askedSeq, item.seq, item.event.t);
      return undefined;
    }
    if (method !== 'notifications/progress' || !record) return undefined;
    const task = sessions.find(session)?.byRequest.get(record);
    if (!task) return undefined;
    citeTask(task, [item.seq]);
    // A message that waited for a stream is late without a fault of its sender: only a stream that was open all the
    // time is evidence.
    const over =
      task.longOver && (session.transport !== 'http' || (http !== undefined && http.seq < task.terminal!.seq));
    if (over) task.progress.afterTerminal += 1;
    return { tokenTask: task.id };
  }

  /** Relation of a message to tasks. */
  function messageFacts(view: MessageView): Facts | undefined {
    const { item, session, place } = view;
    if (item.from === 'harness') return undefined;
    sessions.of(session).lastT[item.from] = item.event.t;
    const related = relatedTaskOf(item.message);
    const sole = item.from === 'server' && item.shape === 'request' ? soleTask(session) : undefined;
    if (item.from === 'server') noteMention(session, related ?? paramsOf(item.message)?.taskId);
    if (item.shape === 'request') noteRequest(item, session, place.record);
    const reported = item.shape === 'notification' ? noteNotification(view) : undefined;
    if (related === undefined && sole === undefined) return reported;
    return {
      ...(related === undefined ? {} : { relatedTask: related }),
      ...(sole ? { sole: { id: sole.id, status: sole.last } } : {}),
      ...reported,
    };
  }

  /** Comparison of a client request with equal requests without a task, and the listing of its tool. */
  function withPlain(record: RpcRecord, listed: unknown): Facts | undefined {
    if (record.from !== 'client') return undefined;
    const support = taskSupportOf(record, listed);
    const facts = support === undefined ? undefined : { taskSupport: support };
    if (isAsTask(record)) return { ...facts, ...plain.besides(record) };
    plain.observe(record);
    return facts;
  }

  /** Facts of a request about tasks, or of one that names a task. */
  function ownFacts(record: RpcRecord): Facts | undefined {
    const isList = record.method === 'tasks/list';
    const related = relatedTaskOf(record.message);
    const named = asked.get(record);
    if (!isList && related === undefined && named === undefined) return undefined;
    const listed =
      isList && record.from === 'client'
        ? elsewhere.besides(record, (id) => find(record.session, 'client', id) !== undefined)
        : {};
    if (isList) noteList(record);
    return {
      ...listed,
      ...(related === undefined ? {} : { relatedTask: related }),
      ...(named && namedFacts(record, named)),
    };
  }

  return {
    trace(event) {
      if (event.kind === 'spawn') ids.restarted();
      return undefined;
    },

    message(view) {
      const facts = view.replay ? undefined : messageFacts(view);
      return facts && { facts };
    },

    answered(record, { listed }): Given | undefined {
      noteAnswerTime(record);
      const plainly = withPlain(record, listed);
      const subjects = create(record, listed);
      const own = ownFacts(record);
      return plainly === undefined && own === undefined && subjects.length === 0
        ? undefined
        : { facts: { ...plainly, ...own }, subjects };
    },

    letGo(record) {
      const { others, laterRequestsAnsweredFirst } = sessions.of(record.session);
      others.delete(record);
      laterRequestsAnsweredFirst.delete(record);
    },

    sessionOver(session) {
      const known = sessions.find(session);
      const subjects = known && [...known.byRequest.values()].flatMap((task) => giveOut(known, task));
      sessions.forget(session);
      return subjects && { subjects };
    },

    traceOver: ids.targetFacts,
  };
}
