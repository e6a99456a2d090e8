/** How long a server is waited for that may leave something unanswered: longer than it takes for what it does answer. */
import { expect, test } from 'vitest';
import { createReplyTimes } from '../../src/client/peer/reply-times.ts';
import { defaultTiming as timing } from '../../src/client/target/timing.ts';

test('a server that answers at once is waited for half as long as for a late answer', () => {
  const times = createReplyTimes();
  expect(times.briefMs('stdio', timing)).toBe(timing.lateMs / 2);
  times.note('ping', 3);
  expect(times.briefMs('sse', timing)).toBe(timing.lateMs / 2);
});

test('a slow one is waited for three times as long as its slowest reply, and never longer than for any answer', () => {
  const times = createReplyTimes();
  times.note('ping', 1_500);
  times.note('tools/list', 40);
  expect(times.briefMs('stdio', timing)).toBe(4_500);
  times.note('server/discover', 5_000);
  expect(times.briefMs('stdio', timing)).toBe(timing.answerMs);
});

test('work that a tool does, and the start of the server, say nothing about its replies', () => {
  const times = createReplyTimes();
  for (const method of ['initialize', 'tools/call', 'resources/read']) times.note(method, 8_000);
  expect(times.briefMs('stdio', timing)).toBe(timing.lateMs / 2);
});

test('over HTTP, where nothing is seen of an answer that comes later, it is the full time', () => {
  expect(createReplyTimes().briefMs('http', timing)).toBe(timing.answerMs);
});
