/** Rules of level MAY: what they say, that they change nothing else, and what is wrong with a file of one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import { lintRules } from '../../src/check/authoring/lint-rules.ts';
import { joinRuns, ofPart } from '../../src/core/model/reports/run-parts.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import type { Trace } from '../../src/core/model/trace.ts';
import { planProbes } from '../../src/client/schedule/plan/planner.ts';
import type { ProbePlan } from '../../src/client/schedule/plan/probe.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { renderReport } from '../../src/report/parts/render.ts';
import { parseReport } from '../../src/report/validate-report.ts';
import { revisions } from '../../src/core/spec/revisions.ts';
import { judgeWhole, loadProject, settingsOf } from '../support/rules.ts';

const above = mkdtempSync(path.join(tmpdir(), 'mcpc-features-'));
/** Ids of rules end with their folder, which is in kebab-case. */
const folder = path.join(above, 'house');
mkdirSync(folder);
afterAll(() => rmSync(above, { recursive: true, force: true }));

const { plan, sources } = await loadProject();
const rules = plan.rules.filter(({ feature }) => feature !== true);
const features = plan.rules.filter(({ feature }) => feature === true);
const id = 'tools/result-resource-link';
const source = sources.find((one) => one.id === id)!;
const compiled = features.find((one) => one.id === id)!;

function traceOf(example: RuleExample): Trace {
  return exampleTrace(example, settingsOf(compiled, example)[0]!);
}

const used = traceOf(source.rule.examples.find(({ verdict }) => verdict === 'used')!);
const unseen = traceOf(source.rule.examples.find(({ verdict }) => verdict === 'not-seen')!);

describe('a check', () => {
  test('sends what it would send without them', () => {
    const sent = ({ shared, chains }: ProbePlan) =>
      JSON.stringify([shared, chains], (name, value: unknown) => (name === 'rules' ? undefined : value));
    for (const transport of ['stdio', 'http', 'sse'] as const) {
      for (const revision of revisions) {
        expect(sent(planProbes(plan.rules, transport, revision)), `${transport}, ${revision}`).toBe(
          sent(planProbes(rules, transport, revision)),
        );
      }
    }
  });
});

describe('judging', () => {
  test('a use is told with its events, and no use is no verdict', async () => {
    const told = async (trace: Trace) =>
      (await judgeWhole(plan.rules, trace, 'server')).features.find(({ rule }) => rule.id === id)!;
    const [seen, not] = [await told(used), await told(unseen)];
    expect([seen.status, not.status]).toEqual(['used', 'not-seen']);
    expect(seen.shown?.events).toEqual(seen.evidence);
    expect(seen.evidence.length).toBeGreaterThan(0);
    expect(not.shown).toBeUndefined();
    expect(not.evidence).toEqual([]);
  });

  test('changes no outcome of the rules that can be broken', async () => {
    for (const trace of [used, unseen]) {
      const plain = (outcomes: Awaited<ReturnType<typeof judgeWhole>>['outcomes']) =>
        outcomes.map(({ rule, status, judged, failed, selected, evidence }) => ({
          id: rule.id,
          status,
          judged,
          failed,
          selected,
          evidence,
        }));
      const [without, both] = [await judgeWhole(rules, trace, 'server'), await judgeWhole(plan.rules, trace, 'server')];
      expect(plain(both.outcomes)).toEqual(plain(without.outcomes));
      expect(without.features).toEqual([]);
    }
  });

  test('json-rules-engine says the same', async () => {
    const said = async (evaluator: 'fast' | 'engine') =>
      (await judgeWhole(features, used, 'server', evaluator)).features.map(({ rule, status, judged }) => [
        rule.id,
        status,
        judged,
      ]);
    expect(await said('engine')).toEqual(await said('fast'));
  });

  test('what holds on other transports, in other revisions or for the other party is not told', async () => {
    const { features: told } = await judgeWhole(plan.rules, used, 'server');
    const { transport, revision } = used.header;
    for (const { rule } of told) {
      expect(rule.role).toBe('server');
      expect(rule.transports).toContain(transport);
      expect(rule.at[revision!]?.level).toBe('MAY');
    }
    expect((await judgeWhole(plan.rules, used, 'client')).features.map(({ rule }) => rule.role)).toContain('client');
  });

  test('one use is a use, though another was not recorded', async () => {
    const trace: Trace = {
      ...used,
      header: {
        ...used.header,
        recorded: {
          transport: true,
          exchanges: false,
          streams: false,
          timing: false,
          bytes: false,
          start: true,
          order: true,
          direction: true,
        },
      },
    };
    expect((await judgeWhole([compiled], trace, 'server')).features[0]?.status).toBe('used');
  });
});

describe('the report', () => {
  test('has the profile with the messages that show it, and a score without it', async () => {
    const file = path.join(folder, 'trace.jsonl');
    const lines = [used.header, ...used.events, { footer: true, events: used.events.length, complete: true }];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const report = await judgeTraceFile(file, { selection: everything, toolVersion: '0' });
    const part = report.parts[0]!;
    const shown = part.features!.find(({ rule }) => rule === id)!;
    expect(shown).toMatchObject({ requirement: 'tools.result.resource-link', status: 'used', uses: 1, role: 'server' });
    for (const seq of shown.evidence!.events) expect(report.wire.map((entry) => entry.seq)).toContain(seq);
    expect(part.verdicts.map(({ rule }) => rule)).not.toContain(id);
    expect(report.ruleSet.rules).toBe(rules.length);
    expect(Object.values(part.counts).reduce((sum, count) => sum + count, 0)).toBe(part.verdicts.length);
    expect(parseReport(renderReport(report, 'json'), 'report').parts[0]!.features).toEqual(part.features);

    // Events of a part of several have the numbers of its own trace again.
    const both = joinRuns([report, structuredClone(report)]);
    expect(both.parts[1]!.features!.find(({ rule }) => rule === id)!.evidence!.events[0]).toBeGreaterThan(
      shown.evidence!.events.at(-1)!,
    );
    expect(ofPart(both, both.parts[1]).features).toEqual(part.features);

    // The page has a row for each use, and the messages that it is opened on.
    const page = renderReport(report, 'html');
    const table = JSON.parse(/<script type="application\/json" class="wire">(.*?)<\/script>/.exec(page)![1]!) as Record<
      string,
      unknown
    >;
    for (const { evidence, rule } of part.features!.filter(({ status }) => status === 'used')) {
      expect(page).toMatch(
        new RegExp(`<code>${rule}</code></th><td>\\d+ times?</td><td data-seqs="${evidence!.events.join(' ')}">`),
      );
      expect(Object.keys(table)).toEqual(expect.arrayContaining(evidence!.events.map(String)));
    }

    // The report of a compliant server is short.
    expect(renderReport(report, 'terminal', { color: false, width: 100 })).not.toContain('Optional features');
    const verbose = renderReport(report, 'terminal', { color: false, width: 120, verbose: true });
    expect(verbose).toContain('+ tools/result-resource-link  A tool result links to a resource (events');
    expect(verbose).toMatch(/- tools\/result-embedded-resource {2}A tool result embeds a resource: not\s+seen/);
  });

  test('a selection by level leaves permissions out', async () => {
    const file = path.join(folder, 'trace.jsonl');
    const report = await judgeTraceFile(file, { selection: { ...everything, level: 'should' }, toolVersion: '0' });
    expect(report.parts[0]!.features).toEqual([]);
    expect(renderReport(report, 'terminal', { color: false })).not.toContain('Optional features');
  });
});

describe('a rule file', () => {
  const sound = {
    title: 'A tool result links to a resource',
    requirement: ['tools.result.resource-link'],
    role: 'server',
    given: { exchange: { method: 'tools/call' } },
    uses: { fact: 'subject.result', path: '$.link', operator: 'exists', value: true },
    examples: [
      { verdict: 'used', trace: ['> {"id":1,"method":"tools/call"}', '< {"id":1,"result":{"link":1}}'] },
      { verdict: 'not-seen', trace: ['> {"id":1,"method":"tools/call"}', '< {"id":1,"result":{}}'] },
    ],
  };

  async function problemsOf(rule: object): Promise<string[]> {
    const file = path.join(folder, 'links-to-it.json');
    writeFileSync(file, JSON.stringify(rule));
    return (await lintRules([file], [], [])).problems.map(({ path: place, message }) => `${place}: ${message}`);
  }

  test('of level MAY is sound', async () => {
    expect(await problemsOf(sound)).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      'with expect beside uses',
      { ...sound, expect: sound.uses },
      'expect: a rule of level MAY, which has "uses", cannot be broken and has no such member',
    ],
    ['with a text for failures', { ...sound, fix: 'Link to it all the same.' }, 'fix: a rule of level MAY'],
    [
      'of a requirement that is a duty',
      { ...sound, requirement: ['ping.answer.empty-result'] },
      'requirement: a rule with "uses" needs requirements of level MAY',
    ],
    [
      'without an example of no use',
      { ...sound, examples: [sound.examples[0], sound.examples[0]] },
      'examples: has none with the verdict not-seen',
    ],
    [
      'with an example that fails',
      { ...sound, examples: [...sound.examples, { ...sound.examples[1], verdict: 'fail' }] },
      'examples[2].verdict: a rule of level MAY says used or not-seen, never fail',
    ],
    [
      'whose example says something else',
      { ...sound, examples: [sound.examples[0], { ...sound.examples[0], verdict: 'not-seen' }] },
      'examples[1]: gets used on stdio at 2025-11-25, but is labelled not-seen',
    ],
    [
      'that can be broken, with an example that uses',
      { ...sound, uses: undefined, expect: sound.uses, message: 'It is not there.', fix: 'Put it there, please.' },
      'examples[0].verdict: used is of rules of level MAY, which have "uses" in place of "expect"',
    ],
    ['with neither expect nor uses', { ...sound, uses: undefined }, 'required'],
  ])('%s is told', async (_what, rule, problem) => {
    expect((await problemsOf(rule)).join('\n')).toContain(problem);
  });
});
