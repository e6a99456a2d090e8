/**
 * A client's handling of a task of the tasks extension of 2026-07-28: polls it, no more often than the server wishes,
 * and answers its input requests, until the task or the time is over. It makes no judgement.
 */
import { asObject, asText } from '../../../core/model/json.ts';
import { terminalStatuses } from '../../../core/model/tasks.ts';
import type { Answer, Peer } from '../../peer/peer.ts';
import type { Scope } from '../support/step-scope.ts';
import { mostPolls, pause, pauseAfter } from '../../peer/task-polls.ts';
import { elsewhere } from './round-trip-steps.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';

export const extensionTaskSteps: readonly ObjectStep[] = [
  {
    name: 'followTask',
    says: 'Tasks extension of 2026-07-28: tasks/get for the task of a request, at once and then at pollIntervalMs, until it is over or the answer deadline has passed. tasks/update answers input requests; with `partly` it first answers one of several. Left out if the request did not create a task.',
    schema: { followTask: partOf('name'), meta: { type: 'object' }, partly: { const: true } },
    required: ['followTask'],
    run: followTask,
  },
  {
    name: 'taskElsewhere',
    says: 'Tasks extension of 2026-07-28, over HTTP: tasks/get for the task that a request became, then twice on another connection, and once more where the task was made, in pollIntervalMs. Left out when the request became no task.',
    schema: { taskElsewhere: partOf('name'), meta: { type: 'object' } },
    required: ['taskElsewhere'],
    traits: { opensAnother: true },
    run: askElsewhere,
  },
];

async function askElsewhere(step: Json, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  const made = resultOf(await scope.pending.get(asText(step.taskElsewhere))?.answer);
  if (
    peer.transport !== 'http' ||
    context.oneAtATime() ||
    made?.resultType !== 'task' ||
    typeof made.taskId !== 'string'
  )
    return;
  const ask = async (on: Peer): Promise<Json | undefined> => {
    const answer = await on.request(
      'tasks/get',
      { taskId: made.taskId },
      step.meta === undefined ? {} : { meta: step.meta as Json },
    ).answer;
    await pause(Math.min(longestPause, pauseAfter(made.pollIntervalMs)));
    return resultOf(answer);
  };
  if ((await ask(peer)) === undefined) return;
  await elsewhere(context, async (other) => {
    await ask(other);
    await ask(other);
  });
  await ask(peer);
}

/** The longest pollIntervalMs that a server is granted; milliseconds. */
const longestPause = 5000;

async function followTask(step: Json, { scope, context: { timing } }: StepWork): Promise<void> {
  const request = scope.pending.get(asText(step.followTask));
  const made = resultOf(await request?.answer);
  if (made?.resultType !== 'task' || typeof made.taskId !== 'string') return;
  const { peer } = scope;
  const meta = step.meta === undefined ? {} : { meta: step.meta as Json };
  const asked: Asked = { taskId: made.taskId, answered: new Set(), partly: step.partly === true };
  const until = performance.now() + timing.answerMs;
  // The first question comes at once: a task that was announced can be found.
  for (let polls = 0; polls < mostPolls && peer.alive; polls += 1) {
    const task = resultOf(await peer.request('tasks/get', { taskId: made.taskId }, meta).answer);
    if (task === undefined || terminalStatuses.has(task.status)) return;
    if (task.status === 'input_required') await answer(task, asked, meta, scope);
    const ms = Math.min(longestPause, pauseAfter(task.pollIntervalMs));
    if (performance.now() + ms > until) return;
    await pause(ms);
  }
}

/** Requests and answers of a task. */
interface Asked {
  taskId: string;
  answered: Set<string>;
  /** Of several questions one is answered alone. */
  partly: boolean;
}

/** Answers the questions that were not answered yet. */
async function answer(task: Json, asked: Asked, meta: { meta?: Json }, { peer }: Scope): Promise<void> {
  const due = Object.entries(asObject(task.inputRequests) ?? {}).filter(([key]) => !asked.answered.has(key));
  const open = asked.partly && due.length > 1 ? due.slice(0, 1) : due;
  if (open.length === 0) return;
  const inputs = await inputsFor(peer, Object.fromEntries(open));
  if (inputs === undefined) return;
  const acknowledged =
    resultOf(await peer.request('tasks/update', { taskId: asked.taskId, inputResponses: inputs }, meta).answer) !==
    undefined;
  // A server may want all answers at once: then it gets them so.
  if (acknowledged || open.length === due.length) for (const [key] of open) asked.answered.add(key);
  asked.partly = false;
}

/** Which tool asks is not known here, so that nothing is agreed to in its name: questions of a tool are declined. */
async function inputsFor(peer: Peer, inputRequests: Json): Promise<Json | undefined> {
  const inputs = await peer.inputsFor(
    { resultType: 'input_required', inputRequests },
    { method: 'tools/call', params: {} },
  );
  return asObject(inputs?.members.inputResponses);
}

function resultOf(answer: Answer | undefined): Json | undefined {
  return answer?.kind === 'response' ? asObject(answer.message.result) : undefined;
}
