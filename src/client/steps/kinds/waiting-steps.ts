/** Steps that wait for what an earlier step brought about; each for at most a time of its own. */
import type { TraceEvent } from '../../../core/model/trace.ts';
import type { Peer } from '../../peer/peer.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';
import { asText } from '../../../core/model/json.ts';

export const waitingSteps: readonly ObjectStep[] = [
  {
    name: 'await',
    says: 'Wait for the answer of a request that was sent with "wait": false.',
    schema: { await: partOf('name') },
    run: async (step, { scope }) => void (await scope.pending.get(asText(step.await))?.answer),
  },
  {
    name: 'awaitLate',
    says: 'Wait for an answer that ought not to come, at most the time for late answers.',
    traits: { waits: true },
    schema: { awaitLate: partOf('name') },
    run: (step, work) => awaitLate(asText(step.awaitLate), work),
  },
  {
    name: 'awaitProgress',
    says: 'Wait for a first progress notification, or the answer, of a request.',
    schema: { awaitProgress: partOf('name') },
    run: (step, work) => awaitProgress(asText(step.awaitProgress), work),
  },
  {
    name: 'awaitNotification',
    says: 'Wait for a notification of that method, at most the time for late answers. Earlier ones do not count, so use it in parallel with its cause.',
    traits: { waits: true },
    schema: { awaitNotification: { type: 'string' } },
    run: ({ awaitNotification: method }, { scope: { peer }, context }) =>
      untilNotified(peer, asText(method), context.timing.lateMs),
  },
];

/** Waits for a notification of that method, so many milliseconds at most. */
export async function untilNotified({ waiter }: Peer, method: string, ms: number): Promise<void> {
  await waiter.wait(
    (event) => event.kind === 'message' && event.from === 'server' && (event.message as Json | null)?.method === method,
    ms,
  );
}

async function awaitLate(name: string, { scope, context }: StepWork): Promise<void> {
  const pending = scope.pending.get(name);
  if (!pending) return;
  const gone = scope.peer.waiter.wait((event) => event.kind === 'exit', context.timing.lateMs);
  await Promise.race([pending.answer, gone]);
}

async function awaitProgress(name: string, { scope, context }: StepWork): Promise<void> {
  const pending = scope.pending.get(name);
  if (!pending) return;
  // An event id on its reply stream shows as well that the work has begun, and is all that resuming needs.
  const isIdentified = (event: TraceEvent): boolean =>
    event.exchange !== undefined && event.exchange === pending.exchange?.id && Boolean(event.sse?.id);
  const isProgress = (event: TraceEvent): boolean =>
    event.kind === 'message' &&
    event.from === 'server' &&
    ((event.message as Json | null)?.params as Json | undefined)?.progressToken === pending.token &&
    pending.token !== undefined;
  await scope.peer.waiter.wait(
    (event) => isProgress(event) || isIdentified(event),
    context.timing.answerMs,
    pending.answer,
  );
}
