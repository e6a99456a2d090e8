/** `mcpc/vitest`: matchers, tests from suites, and a fixture with a server. Importing it adds the matchers to `expect`. */
import { expect } from 'vitest';
import { connect, type ConnectOptions, type Session, type TargetOption } from '../index.ts';
import { matchers, type McpcMatchers } from '../matchers/index.ts';

export { describeSuite } from './describe-suite.ts';
export type { DescribeSuiteOptions } from './describe-suite.ts';
export type { McpcMatchers } from '../matchers/index.ts';

expect.extend(matchers as never);

declare module 'vitest' {
  // The same parameters as that of vitest has.
  // oxlint-disable-next-line typescript/no-explicit-any
  interface Assertion<T = any> extends McpcMatchers<void> {}
}

/**
 * A fixture for `test.extend`: a session that is open while a test runs. With `[withServer(target), { scope: 'file' }]` all
 * tests of a file share it.
 */
export function withServer(
  target: TargetOption,
  options: ConnectOptions = {},
): (context: object, use: (session: Session) => Promise<void>) => Promise<void> {
  // vitest reads from the pattern that nothing of the context is used.
  // oxlint-disable-next-line no-empty-pattern
  return async ({}, use) => {
    const session = await connect(target, { listOnError: true, ...options });
    try {
      await use(session);
    } finally {
      await session.close();
    }
  };
}
