/** One thread serves the checks of a process one after another, as `--watch` makes them; one that had to be ended serves no more. */
import { beforeEach, afterEach, expect, test } from 'vitest';
import { runInThread, type OutsideOptions } from '../../src/check/check-thread/outside.ts';
import { everything } from '../../src/check/plan.ts';
import { exampleServer } from '../cli/harness.ts';

let started = 0;
const count = (): void => void (started += 1);
beforeEach(() => {
  started = 0;
  process.on('worker', count);
});
afterEach(() => void process.off('worker', count));

const silent = ['-e', 'process.stdin.resume()'];

function check(args: readonly string[], more: Partial<OutsideOptions> = {}) {
  return runInThread({
    target: { kind: 'stdio', command: process.execPath, args: [...args] },
    name: 'example',
    fallback: false,
    spec: '2025-11-25',
    selection: { ...everything, only: ['ping/answer-empty-result'] },
    timing: {},
    jobs: 1,
    allowDestructive: false,
    secrets: [],
    toolVersion: '0',
    checkMs: 60_000,
    ...more,
  });
}

test('what two checks say does not differ, and one thread made both', async () => {
  const reports = [await check([exampleServer, 'stdio']), await check([exampleServer, 'stdio'])];
  expect(reports.map(({ parts }) => parts[0]!.counts)).toEqual([
    expect.objectContaining({ pass: 1, fail: 0 }),
    reports[0]!.parts[0]!.counts,
  ]);
  expect(started).toBeLessThanOrEqual(1);
});

test('a check that fails leaves the thread to the next one', async () => {
  await check([exampleServer, 'stdio']);
  started = 0;
  await expect(check(['-e', '0'])).rejects.toThrow();
  await check([exampleServer, 'stdio']);
  expect(started).toBe(0);
});

test('after an interrupted check a new thread is started', async () => {
  await check([exampleServer, 'stdio']);
  started = 0;
  const interrupted = new AbortController();
  const ended = check(silent, { signal: interrupted.signal });
  interrupted.abort();
  await expect(ended).rejects.toMatchObject({ stage: 'interrupted' });
  expect((await check([exampleServer, 'stdio'])).parts[0]!.counts.pass).toBe(1);
  expect(started).toBe(1);
});
