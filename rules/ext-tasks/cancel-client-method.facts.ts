/** Cancellations of requests that have become tasks, by what their sender had asked of the task before. */
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { MessageView } from '../../src/core/facts/requests/message-view.ts';
import { perSession } from '../../src/core/facts/state/per-session.ts';
import { BoundedSet } from '../../src/core/model/bounded.ts';
import { paramsOf } from '../../src/core/facts/values/rpc.ts';

const keptIds = 1_000;

const messageFacts: Definitions<MessageView> = {
  cancelsKnownTask: {
    says: 'notifications/cancelled for a request that had become a task: the sender had asked about that task before (true), or the two may have crossed (false).',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'cancelled-tasks',
  facts: { message: messageFacts },
  create() {
    const named = perSession(() => new BoundedSet<unknown>(keptIds));
    return {
      message({ item, session, method, place: { record } }) {
        const { taskId } = paramsOf(item.message) ?? {};
        if (item.shape === 'request' && item.from === 'client' && String(method).startsWith('tasks/'))
          named.of(session).add(taskId);
        if (method !== 'notifications/cancelled') return undefined;
        const made = asObject(asObject(record?.reply)?.result);
        return made?.resultType === 'task'
          ? { facts: { cancelsKnownTask: named.of(session).has(made.taskId) } }
          : undefined;
      },
      sessionOver(session) {
        named.forget(session);
        return undefined;
      },
    };
  },
};
