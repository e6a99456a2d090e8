/** Members of foreign values have any name, also that of what each object inherits. */
import { expect, test } from 'vitest';
import { differenceLines } from '../../src/check/commands/support/difference-text.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';
import { compareConversations } from '../../src/core/trace/compare.ts';
import { conversationsOf } from '../../src/core/trace/conversation.ts';

const conversationWith = async (result: unknown) => {
  const sent = [
    { from: 'client', message: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    { from: 'server', message: { jsonrpc: '2.0', id: 1, result } },
  ];
  async function* events(): AsyncGenerator<TraceEvent> {
    for (const [at, one] of sent.entries())
      yield { seq: at + 1, t: at, session: 's1', kind: 'message', ...one } as TraceEvent;
  }
  return conversationsOf(events());
};

test.each(['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__'])(
  'a member %s that only one of them has is absent in the other',
  async (name) => {
    const value = JSON.parse(`{"${name}":null}`) as object;
    const [plain, odd] = [await conversationWith({}), await conversationWith(value)];
    for (const [left, right, told] of [
      [plain, odd, { right: null }],
      [odd, plain, { left: null }],
    ] as const) {
      const found = compareConversations(left, right);
      expect(found).toEqual([
        expect.objectContaining({
          what: 'changed',
          path: `ping/result/${name}`,
          left: undefined,
          right: undefined,
          ...told,
        }),
      ]);
      expect(differenceLines(found, 'a', 'b', false).join('\n')).toMatch(/absent/);
    }
    expect(compareConversations(odd, odd)).toEqual([]);
  },
);
