/** The step that opens a subscription of the stateless era, which stays open beside other steps until `cancel` or `drop` ends it. */
import type { TraceEvent } from '../../../model/trace.ts';
import { sendRequest } from '../send-request.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../step-kind.ts';

export const subscriptionSteps: readonly ObjectStep[] = [
  {
    name: 'listen',
    says: 'Stateless era: open a subscription (subscriptions/listen) under a name, and wait for its acknowledgement, at most the time for late answers. It stays open until it is cancelled or dropped.',
    schema: { listen: partOf('name'), filter: { type: 'object' }, id: {}, deviation: partOf('deviation') },
    required: ['listen', 'filter'],
    traits: { listens: true, spendsConnection: true },
    run: listen,
  },
];

/** A subscription is answered when it ends; nobody waits for that. */
const never = 2_000_000_000;

async function listen(step: Json, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  const name = String(step.listen);
  await sendRequest('subscriptions/listen', { notifications: step.filter }, { ...step, as: name, wait: false, deadlineMs: never }, scope);
  const pending = scope.pending.get(name);
  if (!pending) return;
  const acknowledges = (event: TraceEvent): boolean => {
    const { method, params } = (event.kind === 'message' && event.from === 'server' ? event.message : {}) as { method?: unknown; params?: Json };
    const meta = params?._meta as Json | undefined;
    return method === 'notifications/subscriptions/acknowledged' && meta?.['io.modelcontextprotocol/subscriptionId'] === pending.id;
  };
  await peer.waiter.wait(acknowledges, context.timing.lateMs, pending.answer);
}
