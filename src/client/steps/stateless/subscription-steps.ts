/**
 * The step that opens a subscription of the stateless era, which stays open during other steps until `cancel` or `drop`
 * ends it.
 */
import { metaOf, methodOf } from '../../../core/facts/values/rpc.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import { isStateless, sendRequest } from '../support/send-request.ts';
import type { Peer, Pending } from '../../peer/peer.ts';
import { askSentinel, type Scope } from '../support/step-scope.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';
import { asText } from '../../../core/model/json.ts';

export const subscriptionSteps: readonly ObjectStep[] = [
  {
    name: 'listen',
    says: 'Stateless era (left out in the other one): open a subscription (subscriptions/listen) under a name, and wait for its acknowledgement, at most the time for late answers. It stays open until it is cancelled or dropped.',
    schema: {
      listen: partOf('name'),
      filter: { type: 'object' },
      id: {},
      meta: { type: 'object' },
      deviation: partOf('deviation'),
    },
    required: ['listen', 'filter'],
    traits: { listens: true, spendsConnection: true },
    run: listen,
  },
];

/** Subscriptions that are open on one connection at a time, and messages of all of them; servers may be asked for no more. */
const mostOpen = 20;
const mostMessages = 10_000;

interface Subscribed {
  open: Set<string>;
  messages: number;
}

const subscribed = new WeakMap<Peer, Subscribed>();

const method = 'subscriptions/listen';

/** A subscription is answered when it ends; that is not awaited. */
const never = 2_000_000_000;

async function listen(step: Json, { scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  if (!isStateless(peer)) return;
  const name = asText(step.listen);
  const known = subscribed.get(peer) ?? { open: new Set<string>(), messages: 0 };
  if (known.open.size >= mostOpen || known.messages > mostMessages) {
    context.skip({
      what: 'a subscription',
      why:
        known.open.size >= mostOpen
          ? `${mostOpen} were open on the same connection`
          : `others on the same connection had brought ${mostMessages} messages`,
    });
    return;
  }
  const others = [...known.open].map((one) => scope.pending.get(one)?.id);
  // An earlier subscription of the same name is not waited for.
  scope.pending.delete(name);
  await sendRequest(
    method,
    { notifications: step.filter },
    { ...step, as: name, wait: false, deadlineMs: never },
    scope,
  );
  const pending = scope.pending.get(name);
  if (!pending) return;
  known.open.add(name);
  void pending.answer.then(() => known.open.delete(name));
  if (!subscribed.has(peer)) {
    subscribed.set(peer, known);
    void endFlood(known, scope, context);
  }
  await acknowledgement(pending, others, scope, context);
}

/**
 * Waits for the acknowledgement. The first time that none comes it is waited for as long as for any answer, and the trace
 * says so if the server still answers other requests.
 *
 * @param others ids of the subscriptions that were open before on the connection, whose acknowledgements may come late
 */
async function acknowledgement(
  pending: Pending,
  others: readonly unknown[],
  { peer }: Scope,
  { timing, unanswered, sink }: StepWork['context'],
): Promise<void> {
  const acknowledges = (event: TraceEvent): boolean => {
    const message = event.kind === 'message' && event.from === 'server' ? event.message : undefined;
    // One under no id, or a wrong one, may be meant for it; other rules say what is wrong with that.
    return (
      methodOf(message) === 'notifications/subscriptions/acknowledged' && !others.includes(subscriptionOf(message))
    );
  };
  const waitedMs = unanswered.has(method) ? timing.lateMs : timing.answerMs;
  let refused = false;
  const over = pending.answer.then(() => (refused = true));
  if ((await peer.waiter.wait(acknowledges, waitedMs, over)) !== undefined || refused || unanswered.has(method)) return;
  unanswered.add(method);
  const sentinel = await askSentinel(peer);
  if (sentinel.kind !== 'response' || refused || !peer.alive) return;
  sink({
    session: peer.session,
    from: 'harness',
    kind: 'timeout',
    what: 'acknowledgement',
    awaited: pending.seq,
    waitedMs,
    reason: 'no acknowledgement came',
  });
}

/** Ends all subscriptions of a connection, as a client may, once so many messages came on them that nothing more can be learnt. */
async function endFlood(known: Subscribed, { peer, pending }: Scope, { skip }: StepWork['context']): Promise<void> {
  const flooded = (event: TraceEvent): boolean => {
    if (event.kind === 'message' && event.from === 'server' && subscriptionOf(event.message) !== undefined)
      known.messages += 1;
    return known.messages > mostMessages;
  };
  if ((await peer.waiter.wait(flooded, never)) === undefined) return;
  skip({
    what: 'what came later on subscriptions',
    why: `they were ended after ${mostMessages} messages on one connection`,
  });
  for (const name of known.open) {
    const one = pending.get(name);
    if (one?.exchange) one.exchange.abort('more messages came than are looked at');
    else if (one && peer.alive) peer.notify('notifications/cancelled', { requestId: one.id });
  }
}

/** The subscription that a message of the server names, which may be of any form. */
function subscriptionOf(message: unknown): unknown {
  return metaOf(message)?.['io.modelcontextprotocol/subscriptionId'];
}
