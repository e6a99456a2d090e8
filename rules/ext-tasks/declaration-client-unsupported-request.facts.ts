/** Tasks in answer to requests that cannot become one (2026-07-28: tasks extension). */
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const exchangeFacts: Definitions<RpcRecord> = {
  misplacedTask: {
    says: 'The taskId of a result with the resultType task, where the method is not tools/call (tasks extension of 2026-07-28).',
    rests: [],
    read: ({ method, reply }) => {
      const result = asObject(asObject(reply)?.result);
      return method !== 'tools/call' && result?.resultType === 'task' ? result.taskId : undefined;
    },
  },
};

export const feature: Feature = { name: 'misplaced-tasks', facts: { exchange: exchangeFacts } };
