/** Facts about tasks: of `task` subjects, and of related messages, exchanges and the target. */
import type { Definitions } from '../core/plugin.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { isAsTask, isTaskDeclared } from './task-reading.ts';
import type { TaskRecord } from './task-record.ts';

export const taskDescription =
  'A task, from the CreateTaskResult on; from is the party that asked for it (the requestor). Sights of it count as later than others only when they were asked for later. Complete at the end of the connection; of tasks that share an id none is given out.';

export const taskFacts: Definitions<TaskRecord> = {
  from: { says: 'Who asked for it: client or server.', rests: [], read: (task) => task.request.from },
  method: { says: 'Method of the request that it runs.', rests: [], read: (task) => task.request.method },
  request: { says: 'That request.', rests: [], read: (task) => task.request.message },
  taskSupport: {
    says: 'tools/call: execution.taskSupport of the tool as listed; forbidden when the entry says nothing.',
    read: (task) => task.taskSupport,
  },
  hasProgressToken: {
    says: 'That request has a progress token.',
    rests: [],
    read: (task) => task.request.token !== undefined,
  },
  taskId: { says: 'Its id.', rests: [], read: (task) => task.id },
  observations: {
    says: 'Every sight of it in order, at most 200: the task object, with via (create, tasks/get, tasks/list, tasks/cancel, notifications/tasks/status or notifications/tasks), and late where it may be older than the one before.',
    rests: [],
    read: (task) => task.seen.map(({ via, task: shown, late }) => ({ via, ...shown, ...(late ? { late } : {}) })),
  },
  terminal: {
    says: 'The first terminal status seen: completed, failed or cancelled.',
    rests: ['order'],
    read: (task) => task.terminal?.status,
  },
  overInTime: {
    says: 'That status was first seen before its ttl (or ttlMs) was over.',
    rests: ['order'],
    read: (task) => task.terminal && !task.terminal.late,
  },
  afterTerminal: {
    says: 'Statuses that were asked for after that.',
    rests: ['order'],
    read: (task) => task.afterTerminal,
  },
  brokenTransitions: {
    says: 'Other statuses than the terminal one among those, as "completed -> working".',
    rests: ['order'],
    read: (task) => task.brokenTransitions,
  },
  polling: {
    says: 'Of the tasks/get requests that followed another one, while a pollInterval (or pollIntervalMs) was known and no notification had come in between: count, and early (those before half of the pollInterval had passed).',
    read: (task) => task.polling,
  },
  removal: {
    says: 'tasks/get was refused with -32602: in-time (also before its ttl, or ttlMs, was over) or late (only then); absent where it was not.',
    read: (task) => (task.goneInTime ? 'in-time' : task.gone ? 'late' : undefined),
  },
  resultOutcome: { says: 'The outcome of that request.', read: (task) => task.results[0]?.outcome },
  resultReply: { says: 'Its response.', read: (task) => task.results[0]?.reply },
  earlyResults: {
    says: 'Answers to tasks/result requests that were sent before the end was seen: held (the task was over by then), premature (a sight asked for later shows it unfinished) or open (nothing tells).',
    read: (task) => task.results.flatMap((one) => one.early ?? []),
  },
  progress: {
    says: 'Progress notifications for its request: count, beforeCreated (before the result that made the task), afterTerminal (after its end was seen and a request sent later was answered).',
    read: (task) => ({ count: task.request.progress.length, ...task.progress }),
  },
  longOver: {
    says: 'Its end was seen, and a request that was sent later was answered.',
    read: (task) => task.longOver,
  },
  input: {
    says: 'Of requests of its receiver that name it as their reason: answered (how many were), statuses (what tasks/get showed between one and its answer), polls (results of tasks/get that show input_required though all are answered), left (tasks/get shows another status after that).',
    read: inputOf,
  },
  updates: {
    says: 'Tasks extension of 2026-07-28, of inputRequests as tasks/get shows them: changed (keys under which another question stood at first), again (keys shown though the tasks/update with their answer had been acknowledged), reused (such keys with another question, or shown anew after they were gone), empty (sights of input_required without a question, though no answer was under way), partial (such sights with an open question after a part of them was answered).',
    read: ({ updates }) => updates.told,
  },
  afterCancel: {
    says: 'Statuses that tasks/get shows after the result of a tasks/cancel that was sent before the end of the task was seen (tasks extension of 2026-07-28).',
    read: ({ updates }) => updates.afterCancel,
  },
  attention: {
    says: 'Acts of its requestor: polls (tasks/get requests), cancels (it sent tasks/cancel), status (the last one seen). Questions (how many keys of inputRequests it was shown), answered and open (how many of them it answered, or not). Unheeded: results of tasks/get that showed input_required before a tasks/result was sent. Left: it sent no more requests about the task, which was under way and had no subscription, but others. They came a second later or more, three times its longest pause before, and ten times the pollInterval.',
    read: attentionOf,
  },
  notices: {
    says: 'Of notifications that showed it under way: count, polls (tasks/get requests behind the first of them, until a notification showed the end), and awaited (that one came when its requestor had polled no more, as attention has left, and waited for no result).',
    read: ({ attention: { notices } }) => ({ count: notices.count, polls: notices.polls, awaited: notices.awaited }),
  },
  walks: {
    says: 'Complete walks through tasks/list, begun after its creation: showing (those that show it) and lacking (those that do not, though a tasks/get that was sent later still finds it).',
    read: (task) => task.walks,
  },
  plain: {
    says: 'tools/call: the same call without a task in the trace: results, failures (those with isError true), errors (the different error objects, at most 10), errorCodes, match (how the result compares to those, _meta aside: equal, same-shape, other-shape, or varies when those differ among themselves).',
  },
};

/** Requests of the receiver that name the task, and what was seen of it around them. */
function inputOf({ inputs, input }: TaskRecord): object {
  return { answered: inputs.filter(({ answered }) => answered).length, ...input };
}

function attentionOf({
  attention: { polls, cancels, unheeded },
  updates: { shown, sent },
  left,
  last,
}: TaskRecord): object {
  const open = [...shown.keys()].filter((key) => !sent.has(key)).length;
  return { polls, cancels, questions: shown.size, answered: sent.size, open, unheeded, status: last, left };
}

export const taskExchangeFacts: Definitions<RpcRecord> = {
  asTask: { says: 'It asks to be run as a task: its params have a task member.', rests: [], read: isAsTask },
  taskDeclared: {
    says: 'Its receiver declared that requests of the method can run as tasks.',
    rests: ['start'],
    read: isTaskDeclared,
  },
  taskSupport: {
    says: 'tools/call: execution.taskSupport of the tool as it was listed earlier; forbidden when the entry says nothing, absent when the tool was not listed.',
    rests: ['order', 'start'],
  },
  plainOutcomes: {
    says: 'tools/call and tools/list with a task member: how the same request without one ended earlier in the trace (as outcome).',
  },
  relatedTask: { says: 'The taskId in the related-task metadata of the request.', rests: [] },
  taskState: {
    says: 'tasks/get, tasks/result, tasks/update, tasks/cancel: the last status seen of the named task when the request was sent; gone (the receiver did not know it any more), elsewhere (made on another connection), mentioned (the server named it before it had answered that it made it) ambiguous (the id was given to more than one task) or never-created.',
  },
  earlierLooks: {
    says: 'tasks/get, tasks/result, tasks/update, tasks/cancel of a task that is known: how many requests had named it before.',
    rests: ['order', 'start'],
  },
  polledEarly: {
    says: 'tasks/get of a task with a known pollInterval (or pollIntervalMs): that time had not passed since the tasks/get before.',
    rests: ['timing', 'order', 'start'],
  },
  taskExpired: {
    says: 'tasks/get, tasks/result, tasks/update, tasks/cancel: the ttl (or ttlMs) of the named task was over when the request was answered.',
  },
  inputKeys: {
    says: 'tasks/update of a task that is known: the keys of inputResponses by what was known of them when it was sent. Open, answered (an answer was sent before), acknowledged (that answer was acknowledged, and no later sight showed them again) and unknown.',
  },
  laterRequestsAnsweredFirst: {
    says: 'tasks/get, tasks/result, tasks/update, tasks/cancel: requests of the client that were sent later and answered before it was, or before it was given up.',
  },
  taskOverdueMs: {
    says: 'tasks/get, tasks/result, tasks/update, tasks/cancel: milliseconds for which the named task had outlived its ttl when the request was sent (counted from its creation, or from the first sight of its end).',
  },
  elsewhere: {
    says: 'tasks/list: of the tasks that the server had made on other connections, made (how many of them have a ttl that is not over) and shown (how many are in the result).',
  },
};

export const taskMessageFacts: Definitions<MessageView> = {
  relatedTask: {
    says: 'The taskId in its related-task metadata (params._meta, or result._meta of a response).',
    rests: [],
  },
  sole: {
    says: 'Requests of the server: id and last status seen of the task that must be their reason, since it is the only unfinished one and no other request of the client is in flight.',
  },
  tokenTask: { says: 'Progress: id of the task that the request with the token became.' },
};

export const taskTargetFacts: Definitions = {
  taskIds: { says: 'Ids of the tasks that the server made, at most 2000.' },
  foreseeableTaskIds: {
    says: 'Those that differ from the one before in a single number only, and by little (counters, times).',
  },
  repeatedTaskIds: {
    says: 'Ids that the server gave to a second task (processes of their own may give the same ones).',
  },
};
