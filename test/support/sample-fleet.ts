/**
 * Hand-made runs over a fleet: a small one with every status, an older run of it to compare with, and a large one
 * of any size. Names try to break out of each format. Also writes a run directory as `mcpc fleet check` leaves it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diffFleet } from '../../src/fleet/compare/diff.ts';
import { judgePolicies } from '../../src/fleet/compare/policies.ts';
import type { FleetPastRun } from '../../src/core/model/reports/fleet-compare.ts';
import type { FleetReport, FleetServer } from '../../src/core/model/reports/fleet.ts';
import { ofPart, runOf, type PartReport } from '../../src/core/model/reports/run-parts.ts';
import type { DisabledOutcome, ReportVerdict, RunReport } from '../../src/core/model/reports/run-report.ts';
import { encodeVerdicts, fleetRules } from '../../src/core/model/reports/verdict-codes.ts';
import type { FleetMaterial } from '../../src/report/fleet/render.ts';
import { scoreVerdicts } from '../../src/core/score/scorecard.ts';
import { defaultScoring } from '../../src/core/score/scoring.ts';
import { hostile, sampleReport, seen } from './sample-report.ts';
import { verdictWith } from './verdicts.ts';

export interface SampleRun {
  report: FleetReport;
  /** By id of the server. */
  reports: Map<string, RunReport>;
}

/** The report with other verdicts, and all numbers that follow from them. */
function withVerdicts(report: PartReport, change: (verdict: ReportVerdict) => ReportVerdict): PartReport {
  const verdicts = report.verdicts.map(change);
  return { ...report, verdicts, ...scoreVerdicts(verdicts, defaultScoring) };
}

const passing = (verdict: ReportVerdict): ReportVerdict => {
  const { known: _known, open: _open, remedy: _remedy, ...rest } = verdict;
  return { ...rest, status: 'pass', message: 'Seen as required.', expected: null, actual: null, fix: null, failed: 0 };
};
const failing = (verdict: ReportVerdict, known = false): ReportVerdict => ({
  ...verdict,
  status: 'fail',
  message: 'Not as required.',
  expected: 'This',
  actual: 'That',
  fix: 'Mend it.',
  failed: 1,
  ...(known ? { known } : {}),
});

function lineOf(
  name: string,
  id: string,
  report: PartReport | null,
  rules: FleetReport['rules'],
  more: Partial<FleetServer> = {},
): FleetServer {
  return {
    name,
    id,
    status: 'checked',
    reason: report?.incomplete ?? null,
    report: report === null ? null : `servers/${id}/report.json`,
    trace: report === null ? null : `servers/${id}/trace.jsonl`,
    compliant: report?.compliant ?? null,
    score: report?.score ?? null,
    grade: report?.grade ?? null,
    decided: report?.decided ?? 0,
    applicable: report?.applicable ?? 0,
    conditional: report?.conditional ?? 0,
    counts: report?.counts ?? null,
    revision: report?.revision ?? null,
    transport: report?.transport ?? null,
    serverInfo: report?.target.serverInfo ?? null,
    sdk: report === null ? null : { name: 'TypeScript SDK', version: '1.32.2' },
    startUpMs: report === null ? null : 412.5,
    durationMs: report?.durationMs ?? 30_000,
    attempts: 1,
    tags: [],
    failures: (report?.verdicts ?? [])
      .filter(({ status }) => status === 'fail')
      .map(({ rule, level, severity, known }) => ({ rule, level, severity, ...(known === true ? { known } : {}) })),
    verdicts: report === null ? null : encodeVerdicts(rules, report.verdicts),
    ...(report?.features === undefined
      ? {}
      : { features: report.features.filter(({ status }) => status === 'used').map(({ rule }) => rule) }),
    ...more,
  };
}

function assemble(startedAt: string, digest: string, rules: FleetReport['rules'], servers: FleetServer[]): FleetReport {
  return {
    format: 'mcpc-fleet-report',
    version: 1,
    tool: { name: 'mcpc', version: '0.1.0' },
    ruleSet: { digest, rules: rules.length },
    rules,
    features: fleetRules(sampleReport().features!.map(({ rule, title }) => ({ id: rule, title }))),
    startedAt,
    durationMs: 95_500,
    incomplete: null,
    servers,
  };
}

const allRules = (): FleetReport['rules'] =>
  fleetRules(sampleReport().verdicts.map(({ rule, title }) => ({ id: rule, title })));

/** Eight servers: sound, broken, warned, hostile, unreachable, timed out, in error, new. */
const disabledRules: DisabledOutcome[] = [
  { rule: 'stdio/stdout-messages-only', reason: `Until ${hostile}`, from: 'mcpc.yaml:9', state: 'fails' },
  { rule: 'ping/answer-empty-result', reason: 'Old.', until: '2026-01-31', from: 'mcpc.yaml:10', state: 'expired' },
];

export function sampleFleet(): SampleRun {
  const rules = allRules();
  const base = { ...sampleReport(), incomplete: null };
  const named = (report: PartReport, name: string): PartReport => ({
    ...report,
    target: { name, url: `https://${name}.example/mcp`, serverInfo: { name, version: '2.0.1' } },
    transport: 'http',
  });
  const sound = withVerdicts(named(base, 'billing'), passing);
  const broken = withVerdicts(named(base, 'search'), (v) =>
    v.rule === 'tools/list-answered'
      ? failing(v)
      : v.rule === 'ping/answer-empty-result' || v.status === 'error'
        ? passing(v)
        : v,
  );
  broken.features = broken.features!.map((one) =>
    one.rule === 'progress/receiver-permission'
      ? { ...one, status: 'not-seen', uses: 0, evidence: null }
      : one.rule === 'tools/result-embedded-resource'
        ? { ...one, status: 'used', uses: 1, evidence: seen(8) }
        : one,
  );
  const warned = withVerdicts(named(base, 'mail'), (v) =>
    v.rule === 'tools/unknown-name-refused' ? failing(v) : passing(v),
  );
  const known = withVerdicts(named(base, 'legacy'), (v) =>
    v.rule === 'stdio/stdout-messages-only' ? failing(v, true) : passing(v),
  );
  known.disabled = disabledRules;
  const fresh = withVerdicts(named(base, 'fresh'), (v) =>
    v.rule === 'jsonrpc/response-id-echoed' ? failing(v) : passing(v),
  );
  const reports = new Map<string, PartReport>([
    ['billing', sound],
    ['search', broken],
    ['mail', warned],
    ['script-alert-1', sampleReport()],
    ['legacy', known],
    ['fresh', fresh],
  ]);
  const line = (name: string, id: string, more: Partial<FleetServer> = {}): FleetServer =>
    lineOf(name, id, reports.get(id) ?? null, rules, more);
  return {
    reports: new Map([...reports].map(([id, one]) => [id, runOf(one)])),
    report: assemble('2026-11-22T05:15:00.000Z', '9c1f00aa77e4b210', rules, [
      line('billing', 'billing', { tags: ['prod'], owner: 'payments', expectedGrade: 'A' }),
      line('search', 'search', { tags: ['prod', 'edge'], owner: 'discovery', expectedGrade: 'A' }),
      line('mail', 'mail', { tags: ['prod'], owner: '=HYPERLINK("http://evil.example")' }),
      line(hostile, 'script-alert-1', { tags: ['edge', '<b>tag</b>'], owner: hostile, startUpMs: 12_345 }),
      line('legacy', 'legacy', { tags: ['old'], stale: ['tools/list-answered'], disabled: disabledRules }),
      line('gone', 'gone', {
        status: 'unreachable',
        reason: `The server did not answer within 10 s. ${hostile}`,
        tags: ['prod'],
        owner: 'payments',
      }),
      line('slow', 'slow', { status: 'timeout', reason: 'The check did not end within 5 min.', attempts: 2 }),
      line('uninstalled', 'uninstalled', { status: 'error', reason: 'npm could not install no-such-package@1.0.0.' }),
      line('fresh', 'fresh', { tags: ['edge'], carriedFrom: '20261121T051500Z' }),
    ]),
  };
}

/** The reports of a run, flat, so that they can be changed. */
function partsOf({ reports }: SampleRun): Map<string, PartReport> {
  return new Map([...reports].map(([id, report]) => [id, ofPart(report)]));
}

/** The night before: `search` was sound, `mail` was broken, `gone` was there, `fresh` was not, one rule did not exist yet. */
export function olderFleet(): SampleRun {
  const rules = allRules().filter(({ id }) => id !== 'tools/unknown-name-refused');
  const now = partsOf(sampleFleet());
  const without = (report: PartReport): PartReport => {
    const verdicts = report.verdicts.filter(({ rule }) => rule !== 'tools/unknown-name-refused');
    return { ...report, verdicts, ...scoreVerdicts(verdicts, defaultScoring), startedAt: '2026-11-21T05:16:00.000Z' };
  };
  const reports = new Map<string, PartReport>([
    ['billing', without(now.get('billing')!)],
    ['search', { ...without(withVerdicts(now.get('search')!, passing)), features: now.get('billing')!.features! }],
    ['mail', without(withVerdicts(now.get('mail')!, (v) => (v.rule === 'ping/answer-empty-result' ? failing(v) : v)))],
    ['script-alert-1', without(sampleReport())],
    [
      'legacy',
      without(withVerdicts(now.get('legacy')!, (v) => (v.rule === 'progress/value-increases' ? failing(v) : v))),
    ],
    ['gone', without(now.get('billing')!)],
    ['retired', without(now.get('billing')!)],
  ]);
  const line = (name: string, id: string): FleetServer => lineOf(name, id, reports.get(id) ?? null, rules);
  return {
    reports: new Map([...reports].map(([id, one]) => [id, runOf(one)])),
    report: assemble('2026-11-21T05:15:00.000Z', '5d0e11bb66f3c321', rules, [
      line('billing', 'billing'),
      line('search', 'search'),
      line('mail', 'mail'),
      line('hostile before', 'script-alert-1'),
      line('legacy', 'legacy'),
      line('gone', 'gone'),
      line('retired', 'retired'),
    ]),
  };
}

/** All that a rendering takes: the small run against the older one, with policies and two earlier runs. */
export function sampleMaterial(): FleetMaterial {
  const { report, reports } = sampleFleet();
  const older = olderFleet().report;
  const past = (name: string, startedAt: string, change: number): FleetPastRun => ({
    name,
    startedAt,
    ruleSet: older.ruleSet.digest,
    incomplete: false,
    servers: Object.fromEntries(
      older.servers.map(({ id, status, score, grade, compliant, revision }) => [
        id,
        { status, grade, compliant, revision, score: score === null ? null : Math.max(0, score - change) },
      ]),
    ),
  });
  const diff = diffFleet(older, report);
  return {
    report,
    diff,
    history: [past('20261120T051500Z', '2026-11-20T05:15:00.000Z', 12.5), past('20261121T051500Z', older.startedAt, 0)],
    policies: judgePolicies(report, {
      diff,
      minScore: 60,
      maxRegressions: 0,
      tagPolicies: [{ tag: 'prod', minGrade: 'B', compliant: true }],
    }),
    reportOf: ({ id }) => reports.get(id) ?? null,
  };
}

/** A fleet of any size, without reports. Which rules fail where is the same each time. */
export function largeFleet(servers: number, rules: number, startedAt = '2026-11-22T05:15:00.000Z'): FleetReport {
  const list = fleetRules(
    Array.from({ length: rules }, (_, r) => ({
      id: `area-${String(r % 20).padStart(2, '0')}/rule-number-${String(r).padStart(3, '0')}`,
      title: `What rule ${r} demands`,
    })),
  );
  // A plain generator of numbers, for the same fleet each time.
  let seed = 42;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const lines = Array.from({ length: servers }, (_, s): FleetServer => {
    const id = `server-${String(s).padStart(4, '0')}`;
    if (s % 50 === 49)
      return lineOf(id, id, null, list, { status: 'unreachable', reason: 'Connection refused.', tags: ['dead'] });
    const verdicts = list.map(({ id: rule, title }, r) => {
      const roll = next();
      const status =
        roll < 0.3 / (1 + (r % 37)) ? 'fail' : roll < 0.75 ? 'pass' : roll < 0.9 ? 'not-exercised' : 'not-applicable';
      return verdictWith({
        rule,
        title,
        status,
        severity: r % 3 === 0 ? 'error' : 'warning',
        level: r % 3 === 0 ? 'MUST' : 'SHOULD',
      });
    });
    const card = scoreVerdicts(verdicts, defaultScoring);
    const run = { ...sampleReport(), ...card, verdicts, incomplete: null };
    return lineOf(id, id, run, list, {
      tags: [s % 2 === 0 ? 'even' : 'odd', s % 10 === 0 ? 'prod' : 'lab'],
      owner: `team-${s % 7}`,
      startUpMs: 100 + ((s * 37) % 900),
    });
  });
  return assemble(startedAt, '9c1f00aa77e4b210', list, lines);
}

/** Writes fleet.json, run.json and the servers' reports. */
export function writeSampleRun(
  dir: string,
  { report, reports }: { report: FleetReport; reports: Iterable<readonly [string, RunReport]> },
): void {
  const write = (name: string, value: unknown): void => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), JSON.stringify(value));
  };
  for (const [id, run] of reports) write(`servers/${id}/report.json`, run);
  const { tool, ruleSet, rules, startedAt, servers } = report;
  write('run.json', {
    format: 'mcpc-fleet-run',
    version: 1,
    tool,
    ruleSet,
    rules,
    id: `run-${startedAt}`,
    startedAt,
    selection: { only: [], skip: [] },
    policies: [{ tag: 'prod', minGrade: 'B', compliant: true }],
    servers: servers.map(({ id, name, tags }) => ({ id, name, digest: id, tags })),
  });
  write('fleet.json', report);
}
