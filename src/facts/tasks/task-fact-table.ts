/** The part of the dictionary of facts (fact-table.ts) that tells of tasks. */

/** Facts that the exchange of a request gets for what it has to do with tasks. */
export const taskExchangeFacts: Record<string, string> = {
  asTask: 'It asks to be run as a task: its params have a task member.',
  taskDeclared: 'Its receiver declared that requests of the method can run as tasks.',
  taskSupport: 'tools/call: execution.taskSupport of the tool as it was listed earlier; forbidden when the entry says nothing, absent when the tool was not listed.',
  plainOutcomes: 'tools/call and tools/list with a task member: how the same request without one ended earlier in the trace (as outcome).',
  plainErrorCodes: 'The error codes of those.',
  relatedTask: 'The taskId in the related-task metadata of the request.',
  taskState:
    'tasks/get, tasks/result, tasks/cancel: the last status seen of the named task when the request was sent; gone (the receiver did not know it any more), elsewhere (made on another connection), mentioned (the server named it before it had answered that it made it) ambiguous (the id was given to more than one task) or never-created.',
  taskExpired: 'tasks/get, tasks/result, tasks/cancel: the ttl of the named task was over when the request was answered.',
  taskAgeMs: 'tasks/get, tasks/result, tasks/cancel: milliseconds from the creation of the named task to the answer.',
  overtaken: 'tasks/get, tasks/result, tasks/cancel: requests of the client that were sent later and answered before it was, or before it was given up.',
  taskOverdueMs: 'tasks/get, tasks/result, tasks/cancel: milliseconds for which the named task had outlived its ttl when the request was sent (counted from its creation, or from the first sight of its end).',
  foreignTasks: 'tasks/list: how many of the tasks in the result were made on other connections.',
  tasksElsewhere: 'tasks/list: how many tasks the server had made on other connections whose ttl was not over.',
  taskMethod: 'tasks/get, tasks/result, tasks/cancel: method of the request that the named task runs.',
};

/** Facts that a message gets for what it has to do with tasks. */
export const taskMessageFacts: Record<string, string> = {
  relatedTask: 'The taskId in its related-task metadata (params._meta, or result._meta of a response).',
  relatedTaskState: 'The last status seen of that task, or gone, elsewhere, ambiguous or never-created.',
  soleTask: 'Requests of the server: id of the task that must be their reason, since it is the only unfinished one and no other request of the client is in flight.',
  soleTaskState: 'The last status seen of that task.',
  statusTaskState: 'notifications/tasks/status: the status seen of the task with this notification, or ambiguous or never-created.',
  tokenTask: 'Progress: id of the task that the request with the token became.',
  tokenTaskState: 'Progress: the last status seen of that task.',
  tokenTaskOver: 'Progress: the end of that task was seen, and a request that was sent later was answered.',
};

export const taskTargetFacts: Record<string, string> = {
  taskIds: 'Ids of the tasks that the server made, at most 2000.',
  taskIdCount: 'How many.',
  foreseeableTaskIds: 'Those that differ from the one before in a single number only, and by little (counters, times).',
  shortestTaskId: 'Length of the shortest.',
  repeatedTaskIds: 'Ids that the server gave to a second task (processes of their own may give the same ones).',
};

export const taskDescription =
  'A task, from the CreateTaskResult on; from is the party that asked for it (the requestor). Sights of it count as later than others only when they were asked for later. Complete at the end of the connection; of tasks that share an id none is given out.';

export const taskFactTable: Record<string, string> = {
  from: 'Who asked for it: client or server.',
  method: 'Method of the request that it runs.',
  request: 'That request.',
  params: 'Its params.',
  taskSupport: 'tools/call: execution.taskSupport of the tool as listed; forbidden when the entry says nothing.',
  hasProgressToken: 'That request has a progress token.',
  taskId: 'Its id.',
  createResult: 'The result that made it.',
  created: 'The task object in that result.',
  createMs: 'Milliseconds from the request to that result.',
  observations: 'Every sight of it in order, at most 200: the task object, with via (create, tasks/get, tasks/list, tasks/cancel or notifications/tasks/status).',
  observationCount: 'How many.',
  statuses: 'The statuses seen in order, repetitions left out.',
  lastStatus: 'The last of them.',
  unknownStatuses: 'Values of status that no revision defines.',
  terminal: 'The first terminal status seen: completed, failed or cancelled.',
  afterTerminal: 'Statuses that were asked for after that.',
  afterTerminalCount: 'How many.',
  brokenTransitions: 'Other statuses than the terminal one among those, as "completed -> working".',
  createdAts: 'The different values of createdAt.',
  createdAtSpreadMs: 'Milliseconds between the earliest and the latest of these.',
  lastUpdatedAts: 'The values of lastUpdatedAt in order, at most 50.',
  updatedBackMs: 'The largest step back between them in milliseconds; 0 when they never fall.',
  getCount: 'Results of tasks/get that showed it.',
  notificationCount: 'Status notifications that showed it.',
  polls: 'tasks/get requests that followed another one, while a pollInterval was known and no notification had come in between.',
  hastyPolls: 'Those of them that came before half of the pollInterval had passed.',
  gone: 'tasks/get was refused with -32602.',
  resultAsked: 'The first tasks/result: the last status seen when it was sent.',
  resultOutcome: 'The outcome of that request.',
  result: 'Its result.',
  resultError: 'Its error.',
  earlyResults:
    'Answers to tasks/result requests that were sent before the end was seen: held (the task was over by then), premature (a sight asked for later shows it unfinished) or open (nothing tells).',
  cancels: 'tasks/cancel requests for it: asked (last status seen), outcome, result, error.',
  progressCount: 'Progress notifications for its request.',
  progressBeforeCreated: 'Those before the result that made the task.',
  progressAfterTerminal: 'Those after its end was seen and a request sent later was answered.',
  longOver: 'Its end was seen, and a request that was sent later was answered.',
  inputMethods: 'Methods of the requests of the receiver that name the task as their reason.',
  inputStatuses: 'Statuses that tasks/get showed between such a request and its answer.',
  inputsAnswered: 'How many of them were answered.',
  inputPolls: 'Results of tasks/get that show input_required though all of them are answered.',
  leftInput: 'tasks/get shows another status after all of them were answered.',
  inWalks: 'Complete walks through tasks/list, begun after its creation, that show it.',
  missingWalks: 'Such walks that do not show it, though a tasks/get that was sent later still finds it.',
  plainResults: 'tools/call: results of the same call without a task in the trace.',
  plainErrors: 'tools/call: the different error objects of the same call without a task, at most 10.',
  plainErrorCodes: 'tools/call: their codes.',
  plainFailures: 'tools/call: results of the same call without a task that have isError true.',
  likePlain: 'tools/call: how the result compares to those, _meta aside: equal, same-shape, other-shape, or varies (those differ among themselves).',
};
