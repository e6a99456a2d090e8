/** A case for each server that suites name: a whole check of it. */
import type { CheckServer, ServerBlock, SuiteCase } from '../model.ts';

/** @param file path of the suite, for reports; equal servers are checked once */
export function complianceCases(
  servers: ReadonlyMap<string, ServerBlock>,
  file: string,
  how: Pick<CheckServer, 'level' | 'minGrade'>,
): SuiteCase[] {
  const met = new Set<string>();
  return [...servers]
    .filter(([, server]) => {
      const key = JSON.stringify(server);
      return !met.has(key) && met.add(key);
    })
    .map(([name, server], index) => {
      const place = { line: 1, column: 1 };
      return {
        id: `${file}#${index + 1}`,
        name: `compliance of ${name}`,
        file,
        place,
        form: 'native',
        block: 'compliance',
        about: name,
        tags: [],
        server,
        steps: [
          {
            id: 'check',
            phase: 'main',
            title: 'check',
            act: { kind: 'check', only: [], skip: [], ...how },
            capture: {},
            demands: [],
            place,
          },
        ],
      };
    });
}
