import { describe, expect, it } from 'vitest';
import { ciViewsOf } from '../../src/report/check/ci-views.ts';
import { tones } from '../../src/report/tones.ts';
import { viewOf } from '../../src/report/check/view-model.ts';
import { sampleReport, seen } from '../support/sample-report.ts';
import { verdictWith } from '../support/verdicts.ts';

describe('order', () => {
  it('goes by tone, then area, then rule, whatever the report says', () => {
    const report = sampleReport();
    const rules = (r = report): string[] => viewOf(r).groups.flatMap((group) => group.verdicts.map((v) => v.rule));
    expect(viewOf(report).groups.map((group) => group.tone)).toEqual(tones);
    expect(rules().slice(0, 4)).toEqual([
      'lifecycle/protocol-version-echoed',
      'ping/answer-empty-result',
      'stdio/stdout-messages-only',
      'cancellation/cancelled-request-unanswered',
    ]);
    const turned = { ...report, verdicts: [...report.verdicts].reverse(), wire: [...report.wire].reverse() };
    expect(viewOf(turned)).toEqual(viewOf(report));
  });

  it('does not change the report', () => {
    const report = sampleReport();
    ciViewsOf(report, viewOf(report));
    expect(report).toEqual(sampleReport());
  });
});

it('holds nothing undefined, for strict templates', () => {
  const report = sampleReport();
  delete report.baseline;
  report.target = { name: 'bare' };
  delete report.ruleSet.set;
  const seen: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (value === undefined) seen.push(path);
    if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) walk(member, `${path}.${key}`);
  };
  const view = viewOf(report);
  walk({ ...view, ...ciViewsOf(report, view) }, '$');
  expect(seen).toEqual([]);
});

it('lets no text through with a control, wherever it stands', () => {
  const report = sampleReport();
  const poison = 'x\u001b]0;t\u0007\u202e\u0000\ud800';
  const fixed = ['status', 'severity', 'level', 'transport', 'from', 'format'];
  const poisoned = JSON.parse(
    JSON.stringify(report, (key, value: unknown) =>
      typeof value === 'string' && !fixed.includes(key) ? value + poison : value,
    ),
  ) as typeof report;
  const view = viewOf(poisoned);
  const bad: string[] = [];
  let escaped = 0;
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      // eslint-disable-next-line no-control-regex -- looking for them is the test
      if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]|\p{Cs}/u.test(value)) bad.push(path);
      if (value.includes('\\u001b')) escaped += 1;
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) walk(member, `${path}.${key}`);
    }
  };
  walk({ ...view, ...ciViewsOf(poisoned, view) }, '$');
  expect(bad).toEqual([]);
  expect(escaped).toBeGreaterThan(100);
});

describe('wire log', () => {
  it('shows what is cited, in order, once, and says how much is missing', () => {
    const report = sampleReport();
    report.verdicts = [verdictWith({ evidence: [seen(7, 2, 2, 98, 99)] })];
    const [verdict] = viewOf(report).groups[0]!.verdicts;
    expect(verdict!.wire.map((entry) => entry.seq)).toEqual([2, 7]);
    expect(verdict!.moreWire).toBe('2 further events in the trace');
  });

  it('is cut at forty entries', () => {
    const report = sampleReport();
    report.wire = Array.from({ length: 60 }, (_, i) => ({
      seq: i + 1,
      t: i,
      session: 's1',
      from: 'server' as const,
      kind: 'message',
      label: 'x',
      body: '',
    }));
    report.verdicts = [verdictWith({ evidence: [seen(...report.wire.map((entry) => entry.seq))] })];
    const [verdict] = viewOf(report).groups[0]!.verdicts;
    expect(verdict!.wire).toHaveLength(40);
    expect(verdict!.moreWire).toBe('20 further events in the trace');
  });
});

it('gives every verdict an id of its own', () => {
  const report = sampleReport();
  report.verdicts = ['a/b-c', 'a/b_c', 'a/b c'].map((rule) => verdictWith({ rule }));
  expect(
    viewOf(report)
      .groups[0]!.verdicts.map((v) => v.id)
      .sort(),
  ).toEqual(['v-a-b-c', 'v-a-b-c-2', 'v-a-b-c-3']);
});

it('fills every bar exactly', () => {
  const report = sampleReport();
  report.verdicts = (['pass', 'fail', 'error'] as const).map((status, i) => verdictWith({ rule: `r${i}`, status }));
  const { segments } = viewOf(report);
  let end = 0;
  for (const segment of segments) {
    expect(segment.x).toBeCloseTo(end, 5);
    end = segment.x + segment.width;
  }
  expect(end).toBeCloseTo(100, 5);
});

describe('headline', () => {
  const head = (more: object) => {
    const { headline, reason, headlineTone } = viewOf({ ...sampleReport(), ...more });
    return { headline, reason, headlineTone };
  };
  it('speaks of compliance', () => {
    expect(head({ compliant: true, verdicts: [verdictWith()] })).toEqual({
      headline: 'Compliant',
      reason: 'No requirement of MCP 2025-11-25 violated.',
      headlineTone: 'good',
    });
    expect(head({ compliant: false, verdicts: [verdictWith({ status: 'fail' })] })).toEqual({
      headline: 'Not compliant',
      reason: '1 requirement of MCP 2025-11-25 violated.',
      headlineTone: 'bad',
    });
  });
  it('never calls a run green that decided nothing', () => {
    expect(head({ compliant: true, decided: 0, verdicts: [] }).headlineTone).toBe('open');
  });
});

describe('file that a SARIF result points at', () => {
  const artifact = (command: string[] | undefined, trace: string | null = null) => {
    const report = sampleReport();
    report.trace = trace;
    if (command === undefined) delete report.target.command;
    else report.target.command = command;
    const { artifact: uri, results } = ciViewsOf(report, viewOf(report)).sarif;
    return [uri, results[0]!.line];
  };
  it.each<[string[] | undefined, string | null, [string | null, number]]>([
    [['node', './src/my server.js'], null, ['src/my%20server.js', 1]],
    [['python', '-m', 'server.py'], null, ['server.py', 1]],
    [['node', '/abs/server.js'], null, [null, 1]],
    [['node', '/abs/server.js'], 'run.trace.jsonl', ['run.trace.jsonl', 4]],
    [['node', '../server.js'], '/tmp/x.jsonl', [null, 4]],
    [['npx', 'server'], 'traces\\run.jsonl', ['traces/run.jsonl', 4]],
    [undefined, 'run.jsonl', ['run.jsonl', 4]],
  ])('%j with trace %j is %j', (command, trace, expected) => {
    expect(artifact(command, trace)).toEqual(expected);
  });
});
