/** Lines of examples that stand for several. */
import { describe, expect, test } from 'vitest';
import { NotationError, parseNotation } from '../../src/core/trace/notation.ts';

describe('repetition', () => {
  test('gives the line so many times, numbered from 1', () => {
    const acts = parseNotation([
      '> {"id":1,"method":"ping"}',
      '3 times < {"method":"notifications/progress","params":{"progress":{{n}}}}',
      'timeout',
    ]);
    expect(acts.map(({ act }) => act)).toEqual([
      'client-message',
      'server-message',
      'server-message',
      'server-message',
      'timeout',
    ]);
    expect(acts.slice(1, 4).map((act) => 'message' in act && act.message)).toEqual(
      [1, 2, 3].map((progress) => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress } })),
    );
  });

  test.each(['1 times timeout', '1001 times timeout', '2 times nonsense'])(
    '"%s" is refused, with the place of the line',
    (line) => {
      expect(() => parseNotation(['timeout', line])).toThrow(NotationError);
      expect(() => parseNotation(['timeout', line])).toThrow(/^line 2 /);
    },
  );
});
