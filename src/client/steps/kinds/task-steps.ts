/** The step that polls a task until it is over, or the deadline of an answer has passed. */
import { asText } from '../../../core/model/json.ts';
import { terminalStatuses } from '../../../core/model/tasks.ts';
import { createdTask, mostHeldMs, mostPolls, noteCreatedTask, pollTask, untilNextPoll } from '../../peer/task-polls.ts';
import type { Answer } from '../../peer/peer.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';

export const taskSteps: readonly ObjectStep[] = [
  {
    name: 'pollTask',
    says: "tasks/get for the task of a request, at the server's pollInterval, until it is over or the answer deadline has passed. Asks for its result if the server waits for input. Left out if the request did not create a task.",
    schema: {
      pollTask: partOf('name'),
      times: { description: 'So many times, whatever is seen.', type: 'integer', minimum: 1, maximum: 20 },
    },
    traits: { waitsForTask: true },
    run: runPollTask,
  },
];

/**
 * tasks/get until the task is over; with `times` so many times, whatever it shows. When the
 * server says that it waits for the client, the client asks for the result, on which the server's requests come.
 */
async function runPollTask(step: Json, { scope, context: { timing } }: StepWork): Promise<void> {
  const { peer } = scope;
  const answer = await scope.pending.get(asText(step.pollTask))?.answer;
  const made = createdTask(answer);
  if (!made) return;
  const { taskId } = made;
  noteCreatedTask(peer, answer);
  const until = performance.now() + timing.answerMs;
  const times = Number(step.times ?? mostPolls);
  let result: Promise<Answer> | undefined;
  for (let polls = 0; polls < times; polls += 1) {
    if (performance.now() + untilNextPoll(peer, taskId) > until) break;
    const task = await pollTask(peer, taskId);
    if (!task || (step.times === undefined && terminalStatuses.has(task.status))) break;
    if (task.status !== 'input_required' || result) continue;
    const answered = peer.waiter.wait(
      (event) => event.kind === 'message' && event.from === 'client' && isAnswer(event.message),
      mostHeldMs * 2,
    );
    result = peer.request('tasks/result', { taskId }).answer;
    await Promise.race([result, answered]);
  }
  await result;
}

function isAnswer(message: unknown): boolean {
  return typeof message === 'object' && message !== null && !('method' in message);
}
