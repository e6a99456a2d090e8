/** Loads what the expectations of cases need, so that judging itself never waits. */
import type { Expectation } from '../expectation.ts';
import { preparePatterns } from '../expectations/patterns.ts';
import type { Demand, Step, SuiteCase } from '../model.ts';

/** The demands of a case, by the steps that make them, that are about the case as a whole. */
export function demandsOfCase({ steps }: SuiteCase): (Demand & { step: Step })[] {
  const within = (list: readonly Step[]): (Demand & { step: Step })[] =>
    list.flatMap((step) => [
      ...step.demands.flatMap((demand) => (demand.expectation.ofCase === true ? [{ ...demand, step }] : [])),
      ...(step.act.kind === 'parallel' ? within(step.act.steps) : []),
    ]);
  return within(steps);
}

/** Awaited before any of the cases is judged. */
export async function prepareCases(cases: readonly SuiteCase[]): Promise<void> {
  const used = new Set<Expectation>();
  let matches = false;
  const look = (steps: readonly Step[]): void => {
    for (const { demands, act, capture } of steps) {
      if (Object.values(capture).some((path) => typeof path !== 'string')) matches = true;
      for (const { expectation } of demands) used.add(expectation);
      if (act.kind === 'parallel') look(act.steps);
    }
  };
  for (const { steps } of cases) look(steps);
  await Promise.all([
    ...[...used].map(async (expectation) => expectation.prepare?.()),
    matches ? preparePatterns() : undefined,
  ]);
}
