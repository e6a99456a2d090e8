/** `mcpc/jest`: importing it, as in `setupFilesAfterEnv`, adds the matchers to the `expect` of Jest. */
import { usageError } from '../../core/model/errors.ts';
import { matchers, type McpcMatchers } from '../matchers/index.ts';

export type { McpcMatchers } from '../matchers/index.ts';

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends McpcMatchers<R> {}
  }
}

const { expect } = globalThis as { expect?: { extend?(matchers: object): void } };
if (expect?.extend === undefined)
  throw usageError(
    'mcpc/jest needs the global expect of Jest.',
    'Name it in setupFilesAfterEnv, or use expect.extend(matchers) with the matchers of mcpc/matchers.',
  );
expect.extend(matchers);
