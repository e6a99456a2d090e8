/** Several connections in one stream without names: one after another they are told apart, beside each other they are not judged. */
import { expect, test } from 'vitest';
import { createConnections } from '../../../src/core/trace/importers/connections.ts';
import type { Captured } from '../../../src/core/trace/importers/captured.ts';

/** `>` the client's, `<` the server's: `5 ping`, `5` (an answer), `n/initialized` (a notification). */
function placed(lines: readonly string[], more: Partial<Captured> = {}): { places: string[]; warnings: string[] } {
  const warnings: string[] = [];
  const place = createConnections((text) => void warnings.push(text));
  const places = lines.map((line, index) => {
    const [arrow, first = '', method] = line.split(' ');
    const from = arrow === '>' ? 'client' : 'server';
    const message = first.startsWith('n/')
      ? {
          jsonrpc: '2.0',
          method: `notifications/${first.slice(2)}`,
          ...(method === undefined ? {} : { params: { requestId: Number(method) } }),
        }
      : { jsonrpc: '2.0', id: Number(first), ...(method === undefined ? { result: {} } : { method }) };
    const { session, certain } = place(
      { at: index + 1, place: `line ${index + 1}`, kind: 'message', message, ...more },
      from,
    );
    return certain ? session : '?';
  });
  return { places, warnings };
}

const handshake = ['> 1 initialize', '< 1', '> n/initialized'];
const first = ['s1', 's1', 's1'];
const second = ['s2', 's2', 's2'];

test.each<[string, string[], string[]]>([
  [
    'one after another',
    [...handshake, '> 2 ping', '< 2', ...handshake, '> 2 ping', '< 2'],
    [...first, 's1', 's1', ...second, 's2', 's2'],
  ],
  [
    'an unanswered request of the first, whose number comes again',
    [...handshake, '> 2 ping', ...handshake, '> 2 ping', '< 2', '> 3 ping', '< 3'],
    [...first, 's1', ...second, 's2', '?', 's2', 's2'],
  ],
  [
    'a cancelled request needs no answer',
    [...handshake, '> 2 ping', '> n/cancelled 2', ...handshake, '> 2 ping', '< 2'],
    [...first, 's1', 's1', ...second, 's2', 's2'],
  ],
  [
    'a client whose ids go on in the next connection',
    [...handshake, '> 2 ping', '< 2', '> 3 initialize', '< 3', '> n/initialized', '> 4 ping', '< 4'],
    [...first, 's1', 's1', ...second, 's2', 's2'],
  ],
  [
    'a ping before the answer to initialize',
    [...handshake, '> 5 initialize', '> 6 ping', '< 6', '< 5', '> n/initialized'],
    [...first, 's2', 's2', 's2', 's2', 's2'],
  ],
])('%s', (_name, lines, expected) => {
  expect(placed(lines)).toEqual({ places: expected, warnings: [] });
});

test.each<[string, string[], number]>([
  ['two handshakes at once', ['> 1 initialize', '> 1 initialize', '< 1', '< 1', '> n/initialized'], 3],
  ['a request before the answer to the second handshake', [...handshake, '> 1 initialize', '> 2 tools/list', '< 1'], 5],
  ['an answer to the first connection', [...handshake, '> 7 tools/list', ...handshake, '< 7', '> 2 ping'], 8],
  [
    'announced as ready twice',
    ['> 1 initialize', '< 1', '> 1 initialize', '< 1', '> n/initialized', '> n/initialized', '> 2 ping'],
    6,
  ],
  ['the same id while it is open', [...handshake, ...handshake, '> 2 ping', '> 2 tools/list', '< 2'], 8],
  [
    'numbers that go on with those of the first',
    [...handshake, '> 2 ping', '< 2', '> 3 ping', '< 3', ...handshake, '> 4 ping', '< 4'],
    11,
  ],
])('%s: from there on nothing is placed, which is said once', (_name, lines, at) => {
  const { places, warnings } = placed(lines);
  expect(places.indexOf('?')).toBe(at - 1);
  expect(places.slice(at - 1).every((place) => place === '?')).toBe(true);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(`from line ${at} on, messages of several connections`);
});

test('what a capture keeps apart stays placed', () => {
  const lines = ['> 1 initialize', '> 1 initialize', '< 1', '< 1', '> n/initialized', '> n/initialized'];
  expect(placed(lines, { connection: 'abc' })).toMatchObject({
    places: ['s1', 's2', 's2', 's2', 's2', 's2'],
    warnings: [],
  });
});
