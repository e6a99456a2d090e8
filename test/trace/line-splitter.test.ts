/** Bytes are cut at LF and nothing else, whatever the chunks; what is too long is told once, by its start. */
import { expect, test } from 'vitest';
import { createLineSplitter, type Line } from '../../src/core/trace/line-splitter.ts';

function linesOf(
  chunks: readonly string[],
  maxLineBytes = 100,
  mayHold?: (bytes: number) => boolean,
): [string, Line['end']][] {
  const splitter = createLineSplitter({ maxLineBytes, ...(mayHold ? { mayHold } : {}) });
  const found: [string, Line['end']][] = [];
  const take = (lines: Iterable<Line>): void => {
    for (const { bytes, end } of lines) found.push([bytes.toString(), end]);
  };
  for (const chunk of chunks) take(splitter.push(Buffer.from(chunk)));
  take(splitter.end());
  return found;
}

test.each([[['a\nbb\n\nc']], [['a', '\nb', 'b\n', '\n', 'c']], [[...'a\nbb\n\nc']]])(
  'lines come out as they are, in chunks %j',
  (chunks) => {
    expect(linesOf(chunks)).toEqual([
      ['a', 'newline'],
      ['bb', 'newline'],
      ['', 'newline'],
      ['c', 'none'],
    ]);
  },
);

test('CR stays, and nothing is decoded', () => {
  const splitter = createLineSplitter({ maxLineBytes: 10 });
  expect([...splitter.push(Buffer.from([0xff, 0x0d, 0x0a]))].map(({ bytes }) => [...bytes])).toEqual([[0xff, 0x0d]]);
});

test.each([[['0123456789\nok\n']], [['01234', '56789', '\nok\n']], [[...'0123456789\nok\n']]])(
  'of a line over the limit the start is given once, in chunks %j',
  (chunks) => {
    expect(linesOf(chunks, 4)).toEqual([
      ['0123', 'too-long'],
      ['ok', 'newline'],
    ]);
  },
);

test('a line of just the limit is none of those', () => {
  expect(linesOf(['0123\n', '4567'], 4)).toEqual([
    ['0123', 'newline'],
    ['4567', 'none'],
  ]);
});

test('a line that may not be held is skipped, the next one is not', () => {
  const held: number[] = [];
  const mayHold = (bytes: number): boolean => held.push(bytes) > 0 && bytes <= 3;
  expect(linesOf(['ab', 'cd', 'ef\nok\n'], 100, mayHold)).toEqual([
    ['ab', 'not-held'],
    ['ok', 'newline'],
  ]);
  // What was held is given back.
  expect(held.at(-1)).toBe(0);
});
