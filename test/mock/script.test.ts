import { describe, expect, test } from 'vitest';
import { scriptedSessionId } from '../../src/testkit/mock/script/header-match.ts';
import { createIdMap } from '../../src/testkit/mock/script/id-map.ts';
import { compileScript } from '../../src/testkit/mock/script.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import { exampleSessionId } from '../../src/core/rules/examples/example-http.ts';

const setting = { transport: 'stdio', revision: '2025-11-25', era: 'stateful' } as const;

function scriptOf(trace: string[], more: Partial<RuleExample> = {}) {
  return compileScript({ verdict: 'pass', trace, ...more }, setting);
}

test('examples and puppets mean the same session id', () => {
  expect(scriptedSessionId).toBe(exampleSessionId);
});

describe('compileScript', () => {
  test('hangs what the server does on the client line before it', () => {
    const [section] = scriptOf([
      '<< hello',
      '> {"id":1,"method":"ping"}',
      '< {"id":1,"result":{}}',
      'close-stdin',
      'exit 3',
    ]).sections;
    expect(section?.opening).toMatchObject([{ act: 'server-raw', text: 'hello' }]);
    expect(section?.lines.map((line) => line.reactions.map((one) => one.act))).toEqual([['server-message'], ['exit']]);
  });

  test('begins a section with each further connection, and none before the first one', () => {
    const lines = ['session bare', '> {"id":1,"method":"ping"}', 'session'];
    expect(scriptOf(lines).sections.map((one) => one.handshake)).toEqual([true, false, true]);
    expect(scriptOf(lines, { handshake: false }).sections.map((one) => one.handshake)).toEqual([false, true]);
  });

  test('keeps a process that outlives its stdin from ending by itself', () => {
    const [polite] = scriptOf(['close-stdin', 'timeout exit', 'exit SIGTERM']).sections;
    const [stubborn] = scriptOf(['close-stdin', 'timeout exit', 'exit SIGKILL']).sections;
    expect(polite).toMatchObject({ outlivesStdin: { ignoresSigterm: false }, lines: [{ reactions: [] }] });
    expect(stubborn).toMatchObject({ outlivesStdin: { ignoresSigterm: true } });
  });
});

describe('createIdMap', () => {
  const ids = createIdMap(new Set(['s1']));
  ids.learnId(1, 7);
  ids.learnToken('p', 'progress-1');

  test.each([
    ['an id', { id: 1, result: {} }, { id: 7, result: {} }],
    ['an id of the other type', { id: '1', result: {} }, { id: '7', result: {} }],
    ['no id at all', { id: null, error: {} }, { id: null, error: {} }],
    ['ids in a batch', [{ id: 1, result: {} }], [{ id: 7, result: {} }]],
    ['the id of an own request', { id: 's1', method: 'ping' }, { id: 's1', method: 'ping' }],
    [
      'a progress token',
      { method: 'notifications/progress', params: { progressToken: 'p' } },
      { method: 'notifications/progress', params: { progressToken: 'progress-1' } },
    ],
    [
      'a cancelled own request',
      { method: 'notifications/cancelled', params: { requestId: 's1' } },
      { method: 'notifications/cancelled', params: { requestId: 's1' } },
    ],
    [
      'a cancelled request of the client',
      { method: 'notifications/cancelled', params: { requestId: 1 } },
      { method: 'notifications/cancelled', params: { requestId: 7 } },
    ],
  ])('translates %s', (_what, scripted, live) => {
    expect(ids.toLive(scripted)).toEqual(live);
  });

  test('lets no unknown id fall on a number that clients count with', () => {
    expect(ids.liveId(2)).toBeGreaterThan(100_000);
    expect(ids.liveId('other')).toBe('other');
  });
});
