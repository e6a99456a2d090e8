/**
 * `npm run official`: runs every server scenario of the official conformance suite against the reference server
 * over Streamable HTTP, prints a table, and ends with 1 when any of them fails. With `-- --revision 2026-07-28` it is the
 * suite of that revision; scenarios that it does not score are shown and not counted. The suites need a newer Node than
 * mcpc does; both are installed into a temporary folder (or the one given with --prefix, which is kept).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';
import {
  installOfficialSuite,
  isSkipped,
  isSound,
  laterSuites,
  officialPackage,
  passesScenario,
  runOfficialSuite,
  statefulSuite,
  type OfficialScenario,
  type OfficialSuite,
} from '../support/official-suite.ts';

const { values } = parseArgs({ options: { prefix: { type: 'string' }, revision: { type: 'string' } } });
const suite = values.revision === undefined ? statefulSuite : laterSuites[values.revision];
if (!suite)
  throw new Error(
    `There is a suite of its own for ${Object.keys(laterSuites).join(', ')}; the others are run without --revision.`,
  );
const work = mkdtempSync(join(tmpdir(), 'mcpc-official-'));
try {
  const prefix = values.prefix ?? work;
  await installOfficialSuite(prefix, suite);
  const scenarios = await scenariosOf(prefix, suite);
  process.stdout.write(`${tableOf(scenarios)}\n`);
  const scored = scenarios.filter((one) => one.scored);
  const passed = scored.filter(passesScenario).length;
  const unscored = scenarios.filter((one) => !one.scored);
  const skipped = unscored.filter(isSkipped).length;
  const beside =
    unscored.length === 0
      ? ''
      : `; of ${unscored.length} that do not count, ${unscored.filter(passesScenario).length}${skipped === 0 ? '' : `; the suite itself leaves out ${skipped}`}`;
  process.stdout.write(
    `${passed} of ${suite.scenarios} scenarios of ${officialPackage} ${suite.version} passed${beside}\n`,
  );
  process.exitCode = passed === suite.scenarios && scored.length === suite.scenarios ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function scenariosOf(prefix: string, chosen: OfficialSuite): Promise<OfficialScenario[]> {
  const server = await startReferenceServer({ transport: 'http', host: 'localhost', fixtures: true });
  try {
    return (await runOfficialSuite(prefix, server.url, join(work, 'results'), chosen)).scenarios;
  } finally {
    await server.close();
  }
}

function tableOf(scenarios: readonly OfficialScenario[]): string {
  const table = new Table({
    head: ['scenario', 'result', 'checks', 'what failed'],
    style: { head: [], border: [] },
    colWidths: [34, 10, 8, 60],
    wordWrap: true,
  });
  for (const one of scenarios) {
    const { name, scored, checks } = one;
    const told = checks
      .filter((check) => !isSound(check))
      .map(({ id, status, errorMessage }) => `${id} ${status}${errorMessage === undefined ? '' : `: ${errorMessage}`}`);
    table.push([
      scored ? name : `${name} (not counted)`,
      passesScenario(one) ? 'pass' : isSkipped(one) ? 'left out' : 'FAIL',
      String(checks.filter(({ status }) => status !== 'INFO').length),
      told.join('\n'),
    ]);
  }
  return table.toString();
}
