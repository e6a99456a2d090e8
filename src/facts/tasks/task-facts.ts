/** The facts that tell of tasks: of `task` subjects, and of messages, exchanges and the target where they have to do with tasks. */
import type { Definitions } from '../core/plugin.ts';
import type { MessageView } from '../jsonrpc/message-view.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { paramsOf } from '../jsonrpc/rpc.ts';
import { spreadOf, stepBackOf } from './task-insights.ts';
import type { TaskRecord } from './task-record.ts';

export const taskDescription =
  'A task, from the CreateTaskResult on; from is the party that asked for it (the requestor). Sights of it count as later than others only when they were asked for later. Complete at the end of the connection; of tasks that share an id none is given out.';

export const taskFacts: Definitions<TaskRecord> = {
  from: { says: 'Who asked for it: client or server.', rests: [], read: (task) => task.request.from },
  method: { says: 'Method of the request that it runs.', rests: [], read: (task) => task.request.method },
  request: { says: 'That request.', rests: [], read: (task) => task.request.message },
  params: { says: 'Its params.', rests: [], read: (task) => paramsOf(task.request.message) },
  taskSupport: { says: 'tools/call: execution.taskSupport of the tool as listed; forbidden when the entry says nothing.', read: (task) => task.taskSupport },
  hasProgressToken: { says: 'That request has a progress token.', rests: [], read: (task) => task.request.token !== undefined },
  taskId: { says: 'Its id.', rests: [], read: (task) => task.id },
  created: { says: 'The task object in that result.', rests: [], read: (task) => task.created },
  observations: { says: 'Every sight of it in order, at most 200: the task object, with via (create, tasks/get, tasks/list, tasks/cancel or notifications/tasks/status).', rests: [], read: (task) => task.seen.map(({ via, task: shown }) => ({ via, ...shown })) },
  statuses: { says: 'The statuses seen in order, repetitions left out.', rests: ['order'], read: (task) => task.statuses },
  unknownStatuses: { says: 'Values of status that no revision defines.', rests: [], read: (task) => task.unknownStatuses },
  terminal: { says: 'The first terminal status seen: completed, failed or cancelled.', rests: ['order'], read: (task) => task.terminal?.status },
  afterTerminal: { says: 'Statuses that were asked for after that.', rests: ['order'], read: (task) => task.afterTerminal },
  brokenTransitions: { says: 'Other statuses than the terminal one among those, as "completed -> working".', rests: ['order'], read: (task) => task.brokenTransitions },
  createdAtSpreadMs: { says: 'Milliseconds between the earliest and the latest createdAt seen.', read: (task) => spreadOf(task.seen.map((one) => one.task.createdAt)) },
  updatedBackMs: { says: 'The largest step back from one lastUpdatedAt seen to the next in milliseconds; 0 when they never fall.', read: (task) => stepBackOf(task.lastUpdatedAts) },
  polls: { says: 'tasks/get requests that followed another one, while a pollInterval was known and no notification had come in between.', read: (task) => task.polls },
  pollsBelowInterval: { says: 'Those of them that came before half of the pollInterval had passed.', read: (task) => task.pollsBelowInterval },
  gone: { says: 'tasks/get was refused with -32602.', read: (task) => task.gone },
  resultOutcome: { says: 'The outcome of that request.', read: (task) => task.results[0]?.outcome },
  result: { says: 'Its result.', read: (task) => task.results[0]?.reply?.result },
  resultError: { says: 'Its error.', read: (task) => task.results[0]?.reply?.error },
  earlyResults: { says: 'Answers to tasks/result requests that were sent before the end was seen: held (the task was over by then), premature (a sight asked for later shows it unfinished) or open (nothing tells).', read: (task) => task.results.flatMap((one) => one.early ?? []) },
  progressCount: { says: 'Progress notifications for its request.', read: (task) => task.request.progress.length },
  progressBeforeCreated: { says: 'Those before the result that made the task.', read: (task) => task.progressBeforeCreated },
  progressAfterTerminal: { says: 'Those after its end was seen and a request sent later was answered.', read: (task) => task.progressAfterTerminal },
  longOver: { says: 'Its end was seen, and a request that was sent later was answered.', read: (task) => task.longOver },
  inputStatuses: { says: 'Statuses that tasks/get showed between such a request and its answer.', read: (task) => task.inputStatuses },
  inputsAnswered: { says: 'How many of them were answered.', read: (task) => task.inputs.filter((input) => input.answered).length },
  inputPolls: { says: 'Results of tasks/get that show input_required though all of them are answered.', read: (task) => task.inputPolls },
  leftInput: { says: 'tasks/get shows another status after all of them were answered.', read: (task) => task.leftInput },
  inWalks: { says: 'Complete walks through tasks/list, begun after its creation, that show it.', read: (task) => task.inWalks },
  missingWalks: { says: 'Such walks that do not show it, though a tasks/get that was sent later still finds it.', read: (task) => task.missingWalks },
  plainResults: { says: 'tools/call: results of the same call without a task in the trace.' },
  plainErrors: { says: 'tools/call: the different error objects of the same call without a task, at most 10.' },
  plainErrorCodes: { says: 'tools/call: their codes.' },
  plainFailures: { says: 'tools/call: results of the same call without a task that have isError true.' },
  matchesNonTaskResult: { says: 'tools/call: how the result compares to those, _meta aside: equal, same-shape, other-shape, or varies (those differ among themselves).' },
};

export const taskExchangeFacts: Definitions<RpcRecord> = {
  asTask: { says: 'It asks to be run as a task: its params have a task member.', rests: [] },
  taskDeclared: { says: 'Its receiver declared that requests of the method can run as tasks.', rests: ['start'] },
  taskSupport: { says: 'tools/call: execution.taskSupport of the tool as it was listed earlier; forbidden when the entry says nothing, absent when the tool was not listed.', rests: ['order', 'start'] },
  plainOutcomes: { says: 'tools/call and tools/list with a task member: how the same request without one ended earlier in the trace (as outcome).' },
  relatedTask: { says: 'The taskId in the related-task metadata of the request.', rests: [] },
  taskState: { says: 'tasks/get, tasks/result, tasks/cancel: the last status seen of the named task when the request was sent; gone (the receiver did not know it any more), elsewhere (made on another connection), mentioned (the server named it before it had answered that it made it) ambiguous (the id was given to more than one task) or never-created.' },
  taskExpired: { says: 'tasks/get, tasks/result, tasks/cancel: the ttl of the named task was over when the request was answered.' },
  laterRequestsAnsweredFirst: { says: 'tasks/get, tasks/result, tasks/cancel: requests of the client that were sent later and answered before it was, or before it was given up.' },
  taskOverdueMs: { says: 'tasks/get, tasks/result, tasks/cancel: milliseconds for which the named task had outlived its ttl when the request was sent (counted from its creation, or from the first sight of its end).' },
  foreignTasks: { says: 'tasks/list: how many of the tasks in the result were made on other connections.' },
  tasksElsewhere: { says: 'tasks/list: how many tasks the server had made on other connections whose ttl was not over.' },
};

export const taskMessageFacts: Definitions<MessageView> = {
  relatedTask: { says: 'The taskId in its related-task metadata (params._meta, or result._meta of a response).', rests: [] },
  soleTask: { says: 'Requests of the server: id of the task that must be their reason, since it is the only unfinished one and no other request of the client is in flight.' },
  soleTaskState: { says: 'The last status seen of that task.' },
  tokenTask: { says: 'Progress: id of the task that the request with the token became.' },
};

export const taskTargetFacts: Definitions = {
  taskIds: { says: 'Ids of the tasks that the server made, at most 2000.' },
  foreseeableTaskIds: { says: 'Those that differ from the one before in a single number only, and by little (counters, times).' },
  repeatedTaskIds: { says: 'Ids that the server gave to a second task (processes of their own may give the same ones).' },
};
