/**
 * Checks of a server on the official SDK of revision 2026-07-28: both eras and this one alone, on stdio and over HTTP.
 * sdk-servers.json has what each is known to fail, read against the specification by hand (fleet-findings.md), what
 * nothing in a run decides, and which optional features its code has; a verdict or feature that comes or goes makes this
 * test fail. One of the four is checked in `npm test`; all in the full run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything as allRules } from '../../src/check/plan.ts';
import { parseHints } from '../../src/check/target/hints-file.ts';
import { freePort } from '../support/free-port.ts';
import { everything, thorough } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { check, rulesWith, type Checked } from './run-check.ts';

interface Known {
  package: string;
  version: string;
  hints: object;
  /** What nothing decides on any of them. */
  undecided: string[];
  /** What some runs decide: the change that would has to come while a subscription is open. */
  undecidedAtTimes: string[];
  /** Optional features that the code has on all of them, by rule of level MAY, with the place that uses it. */
  uses: Record<string, string>;
  servers: Record<string, { fails: Record<string, string>; undecided: string[]; uses?: Record<string, string> }>;
}

const {
  package: name,
  version,
  hints,
  undecided,
  undecidedAtTimes,
  uses,
  servers,
} = JSON.parse(readFileSync(new URL('sdk-servers.json', import.meta.url), 'utf8')) as Known;
const program = fileURLToPath(new URL('servers/sdk-server.mjs', import.meta.url));

let work = '';
beforeAll(() => {
  work = mkdtempSync(path.join(tmpdir(), 'mcpc-sdk-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Which revision is checked is left to mcpc. */
async function start(server: string, run: string): Promise<Checked> {
  const [eras, transport] = server.split('-') as [string, string];
  const mode = eras === 'modern' ? ['modern-only'] : [];
  const common = { name: server, traceFile: traceOf(server, run), hints: parseHints(JSON.stringify(hints), server) };
  const process_ = { command: process.execPath, env: { PATH: process.env['PATH'] ?? '', HOME: work }, cwd: work };
  if (transport === 'stdio')
    return check({ ...common, target: { kind: 'stdio', args: [program, 'stdio', ...mode], ...process_ } });
  const port = await freePort();
  return check({
    ...common,
    target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
    serve: { args: [program, String(port), ...mode], port, ...process_ },
  });
}

const traceOf = (server: string, run: string): string => path.join(work, `${server}-${run}.jsonl`);
const named = Object.keys(servers);
const due = someOf(named, 4, String);

test('the findings are about the version that is installed', () => {
  const file = createRequire(import.meta.url)
    .resolve(name)
    .replace(/dist.*/, 'package.json');
  expect((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version).toBe(version);
});

describe.each(due)('%s', { timeout: 300_000 }, (server) => {
  test.runIf(thorough)('fails what was read by hand, and is decided but for what nothing shows', async () => {
    const outcome = await start(server, 'first');
    const { revision, verdicts } = outcome.report.parts[0]!;
    expect(outcome.report.parts.length).toBe(1);
    expect(revision).toBe('2026-07-28');
    expect(outcome.report.incomplete).toBe(null);
    expect(rulesWith(outcome, 'error')).toEqual([]);
    const fails = verdicts.filter(({ status }) => status === 'fail').map(({ rule, level }) => [rule, level]);
    expect(Object.fromEntries(fails)).toEqual(servers[server]!.fails);
    const always = rulesWith(outcome, 'not-exercised').filter((rule) => !undecidedAtTimes.includes(rule));
    expect(always).toEqual(
      [...undecided, ...servers[server]!.undecided].filter((rule) => !undecidedAtTimes.includes(rule)).sort(),
    );

    const used = outcome.report.parts[0]!.features!.filter(({ status }) => status === 'used').map(({ rule }) => rule);
    expect(used.sort()).toEqual(Object.keys({ ...uses, ...servers[server]!.uses }).sort());

    const again = await judgeTraceFile(traceOf(server, 'first'), { selection: allRules, toolVersion: '0' });
    expect(statuses(again.parts[0]!.verdicts)).toEqual(statuses(verdicts));
  });

  test.runIf(everything)('a second run ends as the first', async () => {
    const second = await start(server, 'second');
    const first = await judgeTraceFile(traceOf(server, 'first'), { selection: allRules, toolVersion: '0' });
    const lasting = (all: typeof first): Record<string, string> =>
      statuses(all.parts[0]!.verdicts.filter(({ rule }) => !undecidedAtTimes.includes(rule)));
    expect(lasting(second.report)).toEqual(lasting(first));
  });
});

const statuses = (verdicts: readonly { rule: string; status: string }[]): Record<string, string> =>
  Object.fromEntries(verdicts.map(({ rule, status }) => [rule, status]));
