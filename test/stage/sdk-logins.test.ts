/**
 * Both generations of the SDK at the guarded starts of `mcpc client`: they log in wherever nothing is wrong, and the rules
 * that they break are those that were read by hand (test/e2e/client-findings.md).
 */
import { describe, expect, test } from 'vitest';
import { everything } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import { functionsDriver } from '../../src/stage/drive/functions-driver.ts';
import { runClient } from '../../src/stage/run-client.ts';
import { thorough } from '../support/run/options.ts';
import { sdkFunctions, type Sdk } from '../support/sdk-login.ts';

function runGuarded(sdk: Sdk, spec: Revision, only?: string): Promise<RunReport> {
  return runClient({
    ...{ name: sdk, driver: functionsDriver(sdkFunctions(sdk)), env: process.env, secrets: [] },
    ...{ transport: 'http', spec, selection: everything, keepSecrets: false, toolVersion: 'test', startMs: 20_000 },
    leaveOut: ({ name, rules, situation }) =>
      name !== 'c1' && (situation.guard === undefined || (only !== undefined && !rules.includes(only))),
    signal: new AbortController().signal,
    ...(process.env.MCPC_TRACE === undefined ? {} : { traceFile: process.env.MCPC_TRACE }),
  });
}

function rulesOf({ parts }: RunReport, status: string): string[] {
  return parts.flatMap(({ verdicts }) =>
    verdicts
      .filter((one) => one.status === status && one.rule.startsWith('authorization/') && one.level.startsWith('MUST'))
      .map(({ rule }) => rule),
  );
}

/** Decided by the first guarded start alone. */
const login = ['authorization/pkce-use', 'authorization/prm-client-use', 'authorization/token-bearer-header'];

/** As test/e2e/client-findings.md explains them. */
const unannounced = ['authorization/pkce-oidc-metadata-refusal', 'authorization/pkce-support-check'];
const settings: [sdk: Sdk, revision: Revision, broken: string[]][] = [
  ['SDK 1.32', '2025-06-18', []],
  ['SDK 1.32', '2025-11-25', unannounced],
  ['SDK 2.4', '2025-06-18', []],
  ['SDK 2.4', '2025-11-25', unannounced],
  ['SDK 2.4', '2026-07-28', unannounced],
];

/** The newest revision of each generation in `npm test`. */
const usual = settings.filter(([sdk, revision]) => revision === (sdk === 'SDK 1.32' ? '2025-11-25' : '2026-07-28'));

describe.each(thorough ? settings : usual)('%s of %s', (sdk, revision, broken) => {
  test('logs in at the first guarded start', async () => {
    const report = await runGuarded(sdk, revision, 'authorization/pkce-use');
    expect(rulesOf(report, 'pass')).toEqual(expect.arrayContaining(login));
    expect(rulesOf(report, 'fail')).toEqual([]);
  });

  test.runIf(thorough)('breaks the rules that are known at all guarded starts, and no others', async () => {
    const report = await runGuarded(sdk, revision);
    expect(rulesOf(report, 'fail').toSorted()).toEqual(broken.toSorted());
    expect(rulesOf(report, 'pass').length).toBeGreaterThan(10);
  });
});
