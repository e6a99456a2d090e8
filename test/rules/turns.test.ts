/** Examples are played by turns: each once, and each rule on all of its transports, with the verdicts spread over them. */
import { describe, expect, test } from 'vitest';
import type { TransportKind } from '../../src/core/model/trace.ts';
import { loadProject, settingsOf } from '../support/rules.ts';
import { inTurns } from '../support/turns.ts';

const project = await loadProject();
const playable = project.sources
  .filter(({ rule }) => rule.role === 'server')
  .map(({ id, rule }) => ({
    id,
    examples: rule.examples.flatMap((example, index) =>
      example.notLive === undefined
        ? [{ index, verdict: example.verdict, settings: settingsOf(project.rule(id), example) }]
        : [],
    ),
  }));

describe('examples', () => {
  const played = playable.map(({ id, examples }) => ({ id, examples, turns: inTurns(id, examples) }));

  test('are played, every one', () => {
    expect(played.length).toBeGreaterThan(200);
    const left = played.filter(({ examples, turns }) =>
      examples.some(({ index }) => !turns.some(({ example }) => example.index === index)),
    );
    expect(left.map(({ id }) => id)).toEqual([]);
  });

  test('meet every transport of their rule', () => {
    const transportsOf = (settings: readonly { transport: TransportKind }[]): string =>
      [...new Set(settings.map(({ transport }) => transport))].sort().join(' ');
    const short = played.filter(
      ({ examples, turns }) =>
        transportsOf(turns.map(({ setting }) => setting)) !==
        transportsOf(examples.flatMap(({ settings }) => settings)),
    );
    expect(short.map(({ id }) => id)).toEqual([]);
  });

  test('play at most one case more than it takes', () => {
    const twice = played.filter(
      ({ examples, turns }) =>
        turns.length > Math.max(examples.length, new Set(turns.map(({ setting }) => setting.transport)).size) + 1,
    );
    expect(twice.map(({ id }) => id)).toEqual([]);
  });
});
