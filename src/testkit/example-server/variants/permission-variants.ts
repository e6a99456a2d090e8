/**
 * Legal behaviour of servers that end sessions, drop tasks, slow clients down or batch messages: each uses a permission
 * (`uses`), and shows little else.
 */
import type { BehaviourChange } from '../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../server/protocol/revisions.ts';
import type { Session } from '../../../server/session/session.ts';
import { editing, refuse, withParams, withResult } from '../mutations/edits.ts';
import type { Variant } from '../mutations/mutation.ts';
import { from, httpOnly, stdioOnly } from '../mutations/mutation.ts';

/** Maximum number of messages of a session; the sentinel of a check is the one that is not served. */
const enough = 60;
const seen = new WeakMap<Session, number>();

/** Counts the messages of a session. */
function count(session: Session): number {
  const now = (seen.get(session) ?? 0) + 1;
  seen.set(session, now);
  return now;
}

const over = new WeakSet<Session>();

/** Milliseconds that a task of the extension is kept, and that a client is to wait between two looks at it. */
const briefTtlMs = 40;
const longPollMs = 400;

const taskIdOf = ({ params }: JsonObject): string | undefined =>
  isObject(params) && typeof params.taskId === 'string' ? params.taskId : undefined;

/** A seam that shows tasks of the extension with other times. */
const showingTimes = (times: JsonObject): NonNullable<BehaviourChange['outgoing']> => {
  const inResults = editing(
    ({ era, kind, method }, { result }) =>
      era === 'stateless' &&
      kind === 'result' &&
      isObject(result) &&
      (method === 'tasks/get' || result.resultType === 'task'),
    withResult(() => times),
  );
  const inNotifications = editing(
    ({ kind, method }) => kind === 'notification' && method === 'notifications/tasks',
    withParams(() => times),
  );
  return (message, about) => inResults(message, about).flatMap((one) => inNotifications(one, about));
};

export const permissionVariants: readonly Variant[] = [
  {
    id: 'sessions-that-end',
    solitary: true,
    transports: httpOnly,
    revisions: from('2025-03-26'),
    uses: ['session/end-server-termination'],
    unseen: { 'tasks/ttl-expiry-deletion': 'the session of a task is over before its ttl is' },
    description: 'A session is over after some sixty messages.',
    change: {
      incoming(message, session, sink) {
        if (count(session) > enough && message.method === 'ping') over.add(session);
        if (!over.has(session)) return false;
        if (message.id !== undefined && message.method !== undefined)
          sink.finish([{ jsonrpc: '2.0', id: message.id, error: { code: -32001, message: 'This session is over' } }], {
            status: 404,
          });
        else sink.finish([]);
        return true;
      },
    },
  },
  {
    id: 'ends-by-itself',
    solitary: true,
    transports: stdioOnly,
    uses: ['stdio/shutdown-server-initiation'],
    unseen: { 'tools/list-variability': 'the server is gone before its lists change' },
    description: 'A server ends, in order, once it has served some hundred messages and nothing is left to do.',
    change: {
      incoming(message, session) {
        const asksNothing = message.method === 'ping' || message.method === 'server/discover';
        // Earlier requests are answered first.
        if (count(session) > 1.8 * enough && asksNothing) setImmediate(() => setImmediate(() => session.host.exit(0)));
        return false;
      },
    },
  },
  {
    id: 'batched-events',
    transports: httpOnly,
    revisions: ['2025-03-26'],
    uses: ['http/get-batched-messages', 'http/sse-batched-interim', 'http/sse-batched-responses'],
    description: 'Each event of a stream is a batch, if of one message.',
    change: { http: { eventMessage: (message) => [message] } },
  },
  {
    id: 'extension-tasks-brief',
    solitary: true,
    transports: ['stdio', 'http'],
    revisions: [statelessRevision],
    uses: ['ext-tasks/get-expiry'],
    unseen: { 'ext-tasks/update-partial': 'a task is gone before a part of its questions is answered' },
    description: 'Tasks of the extension are kept for a moment only.',
    change: {
      incoming(message, { host }, sink) {
        const born = host.scratch.get(`born ${String(taskIdOf(message))}`);
        if (
          typeof born !== 'number' ||
          !String(message.method).startsWith('tasks/') ||
          performance.now() - born < briefTtlMs
        )
          return false;
        return refuse(message, sink, -32602, 'This task has expired');
      },
      outgoing(message, about) {
        const { result } = message;
        if (isObject(result) && result.resultType === 'task')
          about.session.host.scratch.set(`born ${String(result.taskId)}`, performance.now());
        return showingTimes({ ttlMs: briefTtlMs })(message, about);
      },
    },
  },
  {
    id: 'extension-tasks-in-peace',
    solitary: true,
    transports: ['stdio', 'http'],
    revisions: [statelessRevision],
    uses: ['ext-tasks/get-rate-limit'],
    description: 'A client that polls a task of the extension sooner than pollIntervalMs allows must wait.',
    change: {
      incoming(message, { host }, sink) {
        const key = `asked ${String(taskIdOf(message))}`;
        const asked = host.scratch.get(key);
        if (
          message.method !== 'tasks/get' ||
          !JSON.stringify(message.params).includes('"io.modelcontextprotocol/tasks"')
        )
          return false;
        host.scratch.set(key, performance.now());
        if (typeof asked !== 'number' || performance.now() - asked > longPollMs / 2) return false;
        return refuse(message, sink, 429, 'Rate limit: ask less often');
      },
      outgoing: showingTimes({ pollIntervalMs: longPollMs }),
    },
  },
];
