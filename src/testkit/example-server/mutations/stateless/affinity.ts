/** Mutations of what a server gives out that are good on the connection alone on which it was given (2026-07-28: basic/index, Statelessness). */
import type { BehaviourChange } from '../../../../server/session/behaviour.ts';
import type { Host } from '../../../../server/session/host.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import type { Session } from '../../../../server/session/session.ts';
import { refuse } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { httpOnly, mutation } from '../mutation.ts';

/** Connections on which something was given out. */
function homesOf({ scratch }: Host, handle: string): WeakSet<object> {
  const key = `homes ${handle}`;
  const homes = (scratch.get(key) as WeakSet<object> | undefined) ?? new WeakSet();
  scratch.set(key, homes);
  return homes;
}

function socketOf({ memo }: Session): object {
  return memo.get('socket') as object;
}

/** Values of one kind of result are refused in one kind of request, when it comes on another connection. */
function homebound(given: (result: JsonObject) => unknown, brought: (message: JsonObject) => unknown): BehaviourChange {
  return {
    incoming(message, session, sink) {
      const handle = brought(message);
      if (typeof handle !== 'string' || homesOf(session.host, handle).has(socketOf(session))) return false;
      return refuse(message, sink, errorCode.invalidParams, 'Nothing of that kind was given out here');
    },
    outgoing(message, { session, era }) {
      const handle = era === 'stateless' && isObject(message.result) ? given(message.result) : undefined;
      if (typeof handle === 'string' && session.memo.has('socket'))
        homesOf(session.host, handle).add(socketOf(session));
      return [message];
    },
  };
}

function paramsOf({ params }: JsonObject): JsonObject {
  return isObject(params) ? params : {};
}

const rule = 'versioning/stateless-handle-affinity';

export const affinityMutations: readonly Mutation[] = [
  mutation({
    rule,
    transports: httpOnly,
    revisions: [statelessRevision],
    description: 'A requestState is good on the connection alone on which it was given out.',
    change: homebound(
      ({ resultType, requestState }) => (resultType === 'input_required' ? requestState : undefined),
      (message) => (message.method === 'tools/call' ? paramsOf(message).requestState : undefined),
    ),
  }),
  mutation({
    rule,
    id: `${rule}@tasks`,
    // A second connection of the same client, in parallel with a stream, is a different one for such a server.
    alsoBreaks: ['ext-tasks/creation-durability'],
    transports: httpOnly,
    revisions: [statelessRevision],
    description: 'A task can be asked for on the connection alone on which it was made.',
    change: homebound(
      ({ resultType, taskId }) => (resultType === 'task' ? taskId : undefined),
      (message) => (message.method === 'tasks/get' ? paramsOf(message).taskId : undefined),
    ),
  }),
];
