/** What is remembered of a handshake: long texts are cut, everything else is as it came. */
import { expect, test } from 'vitest';
import { withoutLongTexts } from '../../src/core/facts/values/long-texts.ts';

test('long texts are cut at any depth, and types and members stay', () => {
  const long = `${'x'.repeat(9_999)}\ud83d\ude00${'y'.repeat(100_000)}`;
  const cut = withoutLongTexts({ serverInfo: { name: long, title: 'short' }, list: [1, long, null], capabilities: {} });
  expect(cut).toEqual({
    serverInfo: { name: long.slice(0, 10_000), title: 'short' },
    list: [1, long.slice(0, 10_000), null],
    capabilities: {},
  });
});

test('what has no long text is not copied', () => {
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, list: ['a', { b: 1 }] };
  expect(withoutLongTexts(result)).toBe(result);
});
