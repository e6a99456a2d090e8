/**
 * Starts the files that take longest first, so that no worker is left with one of them while the other has nothing to
 * do. How long they take is kept in times.json, which MCPC_TEST_TIMES=test/support/run/times.json npm test writes anew.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import type { KeptTimes } from './reporter.ts';

const kept = JSON.parse(readFileSync(new URL('times.json', import.meta.url), 'utf8')) as KeptTimes;
const root = path.join(import.meta.dirname, '../../..');
/** Of a file that was not there when the times were taken. */
const unknownSeconds = 10;

/** The paths, from the root of the project, in the order in which they start. */
export function longestFirst<T>(files: readonly T[], pathOf: (file: T) => string, times: KeptTimes = kept): T[] {
  const secondsOf = (file: T): number => times[pathOf(file)]?.[0] ?? unknownSeconds;
  return [...files].sort((a, b) => secondsOf(b) - secondsOf(a));
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(files, ({ moduleId }) => path.relative(root, moduleId).replaceAll(path.sep, '/'));
  }
}
