/** Legal but unusual servers of the stateless era (2026-07-28), which no rule may fail. */
import type { About, BehaviourChange } from '../../../server/session/behaviour.ts';
import type { JsonObject, RpcRequest } from '../../../server/protocol/json-rpc.ts';
import { errorCode, idKey, isObject } from '../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../server/protocol/revisions.ts';
import { sealState } from '../../../server/dispatch/sealed-state.ts';
import { metaKey } from '../../../server/dispatch/stateless-meta.ts';
import { editing, refuse, resultOf, withResult } from '../mutations/edits.ts';
import type { Variant } from '../mutations/mutation.ts';
import { stdioOnly } from '../mutations/mutation.ts';

type Incoming = NonNullable<BehaviourChange['incoming']>;

function stateless(given: Omit<Variant, 'transports' | 'revisions'> & Partial<Variant>): Variant {
  return { transports: ['stdio', 'http'], revisions: [statelessRevision], ...given };
}

/** An incoming seam that changes the params of requests and leaves the rest of the work to the server. */
const rewriting =
  (
    change: (params: JsonObject, request: RpcRequest, scratch: Map<string, unknown>) => JsonObject | undefined,
  ): Incoming =>
  (message, session) => {
    if (!isObject(message.params) || typeof message.method !== 'string') return false;
    const params = change(message.params, message as unknown as RpcRequest, session.host.scratch);
    if (params !== undefined) message.params = params;
    return false;
  };

const asksFirst = (_about: About, { result }: JsonObject): boolean => {
  if (!isObject(result) || !isObject(result.inputRequests) || typeof result.requestState !== 'string') return false;
  const [body = ''] = result.requestState.split('.');
  const { answers } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as { answers: object };
  return Object.keys(answers).length === 0;
};

/** Takes a retry that brings answers, and no state that the server sealed, for the retry of a first question. */
const takingAnswersAlone = rewriting((params, request) => {
  const sealed = typeof params.requestState === 'string' && params.requestState.includes('.');
  if (sealed || (params.inputResponses === undefined && params.requestState === undefined)) return undefined;
  return { ...params, requestState: sealState(request, {}) };
});

const askedAgain = 3;
const laterState = 'not-yet';
const unhurried = 'echo';

function declines({ inputResponses }: JsonObject): boolean {
  return (
    isObject(inputResponses) &&
    Object.values(inputResponses).some((one) => isObject(one) && one.action !== undefined && one.action !== 'accept')
  );
}

/** Answers each first call of one tool with a state alone, by which the client asks again. */
const shedding: BehaviourChange = {
  incoming: rewriting((params, { id, method }, scratch) => {
    if (method !== 'tools/call' || params.name !== unhurried) return undefined;
    const again = params.requestState === laterState;
    scratch.set(`shed ${idKey(id)}`, !again);
    return again ? Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'requestState')) : undefined;
  }),
  outgoing: editing(
    (about, message) =>
      resultOf('tools/call')(about, message) && about.session.host.scratch.get(`shed ${idKey(message.id)}`) === true,
    (message) => ({
      ...message,
      result: { resultType: 'input_required', requestState: laterState, _meta: (message.result as JsonObject)._meta },
    }),
  ),
};

/** Ends each subscription behind its first change: by a cancellation and a result. */
const endingEarly: BehaviourChange['outgoing'] = (message, about) => {
  const { memo } = about.session;
  if (about.kind === 'result' && about.method === 'subscriptions/listen')
    return memo.has(`over ${idKey(message.id)}`) ? [] : [message];
  const meta = isObject(message.params) ? message.params._meta : undefined;
  const id = isObject(meta) ? meta[metaKey.subscriptionId] : undefined;
  if (id === undefined || message.method === 'notifications/subscriptions/acknowledged') return [message];
  if (memo.has(`over ${idKey(id)}`)) return [];
  // Notifications of a stopping server.
  if (message.method === 'notifications/cancelled') return [message];
  memo.set(`over ${idKey(id)}`, true);
  const _meta = { [metaKey.subscriptionId]: id, [metaKey.serverInfo]: about.session.host.serverInfo };
  return [
    message,
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } },
    { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } },
  ];
};

const lifetimes: Readonly<Record<string, JsonObject>> = {
  'server/discover': { ttlMs: Number.MAX_SAFE_INTEGER, cacheScope: 'public' },
  'tools/list': { ttlMs: 0, cacheScope: 'private' },
  'prompts/list': { ttlMs: Number.MAX_SAFE_INTEGER, cacheScope: 'private' },
  'resources/list': { ttlMs: 0, cacheScope: 'public' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
};

const grown = 'grown-';

/** Each time the prompts are listed to their end, by whomever, there is one more. */
const growing: BehaviourChange = {
  incoming: rewriting((params, { method }) =>
    method === 'prompts/get' && String(params.name).startsWith(grown) ? { ...params, name: 'summary' } : undefined,
  ),
  outgoing: editing(
    (about, message) =>
      resultOf('prompts/list')(about, message) && (message.result as JsonObject).nextCursor === undefined,
    (message, { session: { host } }) => {
      const times = Number(host.scratch.get('listed prompts') ?? 0) + 1;
      host.scratch.set('listed prompts', times);
      return withResult(({ prompts }) => ({
        prompts: [
          ...(prompts as JsonObject[]),
          ...Array.from({ length: times }, (_, at) => ({ name: `${grown}${at}` })),
        ],
      }))(message);
    },
  ),
};

/** All versions that a server speaks, those of the other era as well, oldest first. */
const allVersions = ({ session }: About): string[] => [...session.host.stateful, statelessRevision];

/** Each requestState has a number, and works for one retry. */
const servingOnce: BehaviourChange = {
  incoming(message, { host: { scratch } }, sink) {
    const state = message.method === 'tools/call' && isObject(message.params) ? message.params.requestState : undefined;
    if (typeof state !== 'string') return false;
    if (scratch.has(`used ${state}`))
      return refuse(message, sink, errorCode.invalidParams, 'This requestState has served');
    scratch.set(`used ${state}`, true);
    return false;
  },
  outgoing: editing(
    (about, { result }) =>
      resultOf('tools/call')(about, {}) && isObject(result) && typeof result.requestState === 'string',
    (
      message,
      {
        session: {
          host: { scratch },
        },
      },
    ) => {
      const count = Number(scratch.get('states') ?? 0) + 1;
      scratch.set('states', count);
      return withResult(({ requestState }) => ({ requestState: `${String(requestState)}.${count}` }))(message);
    },
  ),
};

export const statelessVariants: readonly Variant[] = [
  stateless({
    id: 'states-that-serve-once',
    solitary: true,
    description: 'Each requestState serves for one retry.',
    change: servingOnce,
  }),
  stateless({
    id: 'questions-without-state',
    solitary: true,
    description: 'The first question of a call comes without requestState.',
    change: {
      incoming: takingAnswersAlone,
      outgoing: editing(asksFirst, (message) => ({
        ...message,
        result: Object.fromEntries(
          Object.entries(message.result as JsonObject).filter(([name]) => name !== 'requestState'),
        ),
      })),
    },
  }),
  stateless({
    id: 'state-is-a-label',
    solitary: true,
    description: 'The requestState of a first question is the same word for every client, and is ignored.',
    change: {
      incoming: takingAnswersAlone,
      outgoing: editing(
        asksFirst,
        withResult(() => ({ requestState: 'first' })),
      ),
    },
  }),
  stateless({
    id: 'state-without-questions',
    solitary: true,
    description: 'One tool answers with a requestState alone at first, and is to be called again.',
    change: shedding,
  }),
  stateless({
    id: 'asks-again-after-decline',
    solitary: true,
    description: 'Who declines is asked the same three times more.',
    change: {
      incoming: rewriting((params, { method }, scratch) => {
        if (method === 'tasks/update' || !declines(params)) return undefined;
        const key = `declined ${method} ${String(params.name ?? params.uri)}`;
        const times = Number(scratch.get(key) ?? 0);
        scratch.set(key, times === askedAgain ? 0 : times + 1);
        return times === askedAgain
          ? undefined
          : Object.fromEntries(
              Object.entries(params).filter(([name]) => name !== 'requestState' && name !== 'inputResponses'),
            );
      }),
    },
  }),
  stateless({
    id: 'grants-less',
    solitary: true,
    lacks: ['ext-tasks/notification-emission'],
    description: 'Of every filter nothing but changes of tools is granted.',
    change: {
      incoming: rewriting((params, { method }) => {
        if (method !== 'subscriptions/listen' || !isObject(params.notifications)) return undefined;
        const { toolsListChanged } = params.notifications;
        return { ...params, notifications: toolsListChanged === true ? { toolsListChanged } : {} };
      }),
    },
  }),
  stateless({
    id: 'grants-nothing',
    solitary: true,
    lacks: ['ext-tasks/notification-emission'],
    description: 'Every filter is acknowledged with nothing granted.',
    change: {
      incoming: rewriting((params, { method }) =>
        method === 'subscriptions/listen' && isObject(params.notifications)
          ? { ...params, notifications: {} }
          : undefined,
      ),
    },
  }),
  stateless({
    id: 'refuses-unknown-filters',
    description: 'A filter with a member that the revision does not define is refused as invalid.',
    change: {
      incoming(message, _session, sink) {
        const params = isObject(message.params) ? message.params : {};
        const isUnknown =
          message.method === 'subscriptions/listen' &&
          isObject(params.notifications) &&
          'mcpcNeverDefinedChanged' in params.notifications;
        return isUnknown && refuse(message, sink, errorCode.invalidParams, 'The filter has a member that is not known');
      },
    },
  }),
  stateless({
    id: 'ends-subscriptions',
    solitary: true,
    transports: stdioOnly,
    description: 'Each subscription ends behind its first change, by notifications/cancelled and a result.',
    change: { outgoing: endingEarly },
  }),
  stateless({
    id: 'lifetimes-of-all-kinds',
    description: 'Results may be kept for no time or forever, by every client or by one.',
    change: {
      outgoing: editing(
        (about) => about.kind === 'result' && about.method !== undefined && about.method in lifetimes,
        (message, { method }) => {
          const result = message.result as JsonObject;
          return result.ttlMs === undefined ? message : { ...message, result: { ...result, ...lifetimes[method!] } };
        },
      ),
    },
  }),
  stateless({
    id: 'list-grows',
    solitary: true,
    description: 'Each list of the prompts has one more, for every client.',
    change: growing,
  }),
  stateless({
    id: 'all-versions-named',
    description: 'A server of both eras names the revisions of either one, oldest first.',
    change: {
      outgoing(message, about) {
        if (isObject(message.result) && Array.isArray(message.result.supportedVersions))
          return [withResult(() => ({ supportedVersions: allVersions(about) }))(message)];
        if (
          !isObject(message.error) ||
          message.error.code !== errorCode.versionUnsupported ||
          !isObject(message.error.data)
        )
          return [message];
        return [
          { ...message, error: { ...message.error, data: { ...message.error.data, supported: allVersions(about) } } },
        ];
      },
    },
  }),
  stateless({
    id: 'era-of-the-process-plainly',
    solitary: true,
    transports: stdioOnly,
    description:
      'The first request on stdio chooses the era of the process; a later initialize is refused with -32600.',
    change: {
      neglects: ['serve-both-eras'],
      outgoing: editing(
        ({ kind, method }) => kind === 'error' && method === 'initialize',
        (message) =>
          (message.error as JsonObject).code === errorCode.versionUnsupported
            ? { ...message, error: { code: errorCode.invalidRequest, message: 'This process serves 2026-07-28' } }
            : message,
      ),
    },
  }),
];
