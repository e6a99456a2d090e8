/** Steps that send messages: single ones, several in one, and what is no message at all. */
import type { Peer, Pending } from '../../peer/peer.ts';
import { callsTool, partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';
import { cancelsByClosing, methodFor, sendOptions, sendRequest } from '../support/send-request.ts';
import type { Scope } from '../support/step-scope.ts';
import { asText, isObject } from '../../../core/model/json.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';

export const messageSteps: readonly ObjectStep[] = [
  {
    name: 'request',
    says: 'Send a request and wait for its answer.',
    schema: {
      request: { type: 'string' },
      params: {},
      meta: {
        description:
          'Changes to params._meta; a null member is left out, null instead of the object leaves out _meta itself.',
        type: ['object', 'null'],
      },
      id: {},
      as: partOf('name'),
      progressToken: { type: ['boolean', 'string', 'integer'] },
      headers: partOf('headers'),
      wait: { description: 'false: go on without waiting; see await.', type: 'boolean' },
      deviation: partOf('deviation'),
    },
    traits: (step) => ({ setsLogLevel: step.request === 'logging/setLevel', callsTools: callsTool(step) }),
    async run(step, { scope }) {
      const method = await methodFor(asText(step.request), step, scope.peer);
      if (method !== undefined) await sendRequest(method, step.params, step, scope);
    },
  },
  {
    name: 'notify',
    says: 'Send a notification.',
    schema: { notify: { type: 'string' }, params: {}, headers: partOf('headers'), deviation: partOf('deviation') },
    async run(step, { scope }) {
      const method = await methodFor(asText(step.notify), step, scope.peer);
      if (method === undefined) return;
      const sent = scope.peer.notify(method, step.params, sendOptions(step));
      await sent.exchange?.response;
    },
  },
  {
    name: 'message',
    says: 'Send any JSON as a message, as it is.',
    schema: {
      message: {},
      headers: partOf('headers'),
      brief: {
        description:
          'true: wait much longer than replies of this server take, but not the full time, also without an id; for requests that many servers leave unanswered. If it has an id, other steps go on meanwhile.',
        type: 'boolean',
      },
      deviation: partOf('deviation'),
    },
    traits: ({ message, brief }) => ({ callsTools: callsTool(message), ...(brief === true ? { waits: true } : {}) }),
    run: (step, { scope }) =>
      sendAsIs(
        JSON.stringify(step.message),
        step.message,
        step,
        scope,
        step.brief === true ? scope.peer.briefMs : undefined,
      ),
  },
  {
    name: 'raw',
    says: 'Send bytes as they are: a line on stdio, a POST body over HTTP.',
    schema: { raw: { type: 'string' }, headers: partOf('headers'), deviation: partOf('deviation') },
    traits: ({ raw }) => ({ spendsConnection: true, callsTools: callsTool(raw) }),
    run: (step, { scope }) => sendAsIs(asText(step.raw), undefined, step, scope),
  },
  {
    name: 'batch',
    says: 'Send several messages as one JSON array, and wait for the answers.',
    schema: { batch: { type: 'array', minItems: 1, items: partOf('message') }, deviation: partOf('deviation') },
    traits: ({ batch }) => ({ callsTools: callsTool(batch) }),
    run: sendBatch,
  },
  {
    name: 'joined',
    says: 'stdio: several messages in one write; elsewhere one after another. Waits for the answers.',
    schema: { joined: { type: 'array', minItems: 2, items: partOf('message') } },
    traits: ({ joined }) => ({ callsTools: callsTool(joined) }),
    run: (step, { scope }) => sendFramed(step.joined as Json[], 'joined', scope),
  },
  {
    name: 'split',
    says: 'stdio: one message in two writes. Waits for the answer.',
    schema: { split: partOf('message') },
    traits: ({ split }) => ({ callsTools: callsTool(split) }),
    run: (step, { scope }) => sendFramed([step.split as Json], 'split', scope),
  },
  {
    name: 'cancel',
    says: 'Send notifications/cancelled for a request; over HTTP in the stateless era its reply is closed instead.',
    schema: { cancel: partOf('name'), reason: { type: 'string' } },
    traits: { cancels: true },
    async run(step, { scope }) {
      const pending = scope.pending.get(asText(step.cancel));
      if (pending) await cancelCall(pending, scope.peer, step.reason);
    },
  },
];

/** Cancels a request as its era does. */
export async function cancelCall(pending: Pending, peer: Peer, reason?: unknown): Promise<void> {
  if (cancelsByClosing(peer)) {
    pending.exchange?.abort('cancelled by the client');
    return;
  }
  const sent = peer.notify('notifications/cancelled', {
    requestId: pending.id,
    ...(typeof reason === 'string' ? { reason } : {}),
  });
  await sent.exchange?.response;
}

async function sendAsIs(
  text: string,
  message: unknown,
  step: Json,
  { peer, unawaited }: Scope,
  deadlineMs?: number,
): Promise<void> {
  const id = typeof message === 'object' && message !== null && 'method' in message ? (message as Json).id : undefined;
  // Over HTTP the end of the reply says that no answer comes.
  const briefMs = peer.transport === 'http' ? undefined : deadlineMs;
  if (typeof id === 'string' || typeof id === 'number') {
    const over = peer.sendWritten(message as Json, {
      ...sendOptions(step),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
    if (briefMs === undefined) return over;
    unawaited.push(over);
    await Promise.race([over, peer.waiter.wait(isRefusalOrEnd, briefMs / shareAtOnce)]);
    return;
  }
  // Its answer has no id, and must not be taken for the answer to an earlier message.
  if (briefMs !== undefined) await Promise.all(unawaited);
  const refused = briefMs === undefined ? undefined : peer.waiter.wait(isRefusalOrEnd, briefMs / 2);
  const sent = peer.sendRaw(text, { message, ...sendOptions(step) });
  await sent.exchange?.response;
  await refused;
}

/** Of the time for an answer that may well not come, what nothing else is sent in; for the rest of it other steps go on. */
const shareAtOnce = 10;

/**
 * Answers to a message without an id, and failures caused by it, come soon: they are awaited before anything else is
 * sent.
 */
function isRefusalOrEnd({ from, kind, message }: TraceEvent): boolean {
  return (
    from === 'server' &&
    (kind === 'exit' || kind === 'closed' || (kind === 'message' && isObject(message) && 'error' in message))
  );
}

function messageOf(one: Json, scope: Scope): Json {
  const method = asText(one.request ?? one.notify);
  const params = scope.peer.paramsFor(one.params);
  const id = one.request === undefined ? {} : { id: one.id ?? scope.peer.nextId() };
  return { jsonrpc: '2.0', ...id, method, ...(params === undefined ? {} : { params }) };
}

async function sendBatch(step: Json, { scope }: StepWork): Promise<void> {
  await scope.peer.sendWritten(
    (step.batch as Json[]).map((one) => messageOf(one, scope)),
    sendOptions(step),
  );
}

async function sendFramed(list: Json[], framing: 'joined' | 'split', scope: Scope): Promise<void> {
  const { peer } = scope;
  const messages = list.map((one) => messageOf(one, scope));
  if (peer.transport !== 'stdio') {
    for (const message of messages) await peer.sendWritten(message);
    return;
  }
  const seqs = peer.channel.sendFramed(
    messages.map((one) => JSON.stringify(one)),
    framing,
    messages,
  );
  await Promise.all(messages.map((one, index) => peer.awaitId(one.id, { seq: seqs[index] ?? seqs.at(-1) ?? 0 })));
}
