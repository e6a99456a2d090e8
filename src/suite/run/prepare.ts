/** Loads what the expectations of cases need, so that judging itself never waits. */
import type { Expectation } from '../expectations/expectation.ts';
import type { Step, SuiteCase } from '../model.ts';

/** Awaited before any of the cases is judged. */
export async function prepareCases(cases: readonly SuiteCase[]): Promise<void> {
  const used = new Set<Expectation>();
  const look = (steps: readonly Step[]): void => {
    for (const { demands, act } of steps) {
      for (const { expectation } of demands) used.add(expectation);
      if (act.kind === 'parallel') look(act.steps);
    }
  };
  for (const { steps } of cases) look(steps);
  await Promise.all([...used].map(async (expectation) => expectation.prepare?.()));
}
