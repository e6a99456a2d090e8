/** The same client gets the same verdicts in two runs, over HTTP and over stdio, and from the saved trace. */
import { expect, test } from 'vitest';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything as everyRule } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { Workspace } from '../cli/harness.ts';
import { runReference, type ClientSetting } from '../support/reference-client.ts';
import { thorough } from '../support/run/options.ts';

const http: ClientSetting = { transport: 'http', revision: '2025-11-25' };
const stdio: ClientSetting = { transport: 'stdio', revision: '2025-11-25' };
/** A client with faults, so that more than passes are compared. */
const faulty = {
  faults: [
    { on: { result: 'roots/list' }, set: '$.result.roots', to: ['file:///project'] },
    { on: { request: 'tools/call' }, set: '$.params.arguments', to: [5, 3] },
  ],
};

function verdictsOf({ parts }: RunReport): Record<string, string> {
  return Object.fromEntries(parts.flatMap(({ verdicts }) => verdicts.map(({ rule, status }) => [rule, status])));
}

/** The first start alone, or all of them. */
const howMuch = thorough ? {} : { rule: [] };

/** The verdicts of both where both decided: whether a call was cancelled before its answer came, say, is chance. */
function expectAlike(one: RunReport, other: RunReport): void {
  const [some, others] = [verdictsOf(one), verdictsOf(other)];
  const isDecided = (rule: string): boolean =>
    [some[rule], others[rule]].every((status) => status === 'pass' || status === 'fail');
  const common = Object.keys(some).filter(isDecided);
  const of = (verdicts: Record<string, string>) => Object.fromEntries(common.map((rule) => [rule, verdicts[rule]]));
  expect(common.length).toBeGreaterThan(20);
  expect(Object.values(of(some))).toContain('fail');
  expect(of(others)).toEqual(of(some));
}

test('in two runs', async () => {
  expectAlike(await runReference(http, faulty, howMuch), await runReference(http, faulty, howMuch));
});

test('from the saved trace, byte for byte', async () => {
  const file = new Workspace().path('client.jsonl');
  const live = await runReference(stdio, faulty, { ...howMuch, traceFile: file });
  const again = await judgeTraceFile(file, { selection: everyRule, toolVersion: 'test' });
  expect(JSON.stringify(again.parts)).toBe(JSON.stringify(live.parts));
});

test('over HTTP and stdio', async () => {
  expectAlike(await runReference(http, faulty, howMuch), await runReference(stdio, faulty, howMuch));
});
