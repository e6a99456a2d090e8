/** Reports of suites in every format: what each reader takes from them, and that no text of a server breaks out. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { suiteFormats } from '../../src/report/suite/formats.ts';
import { renderSuite } from '../../src/report/suite/render.ts';
import { parseSuiteReport } from '../../src/report/suite/validate-suite.ts';
import { launchBrowser } from '../support/browser.ts';
import { sampleSuite } from '../support/sample-suite.ts';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const report = sampleSuite();
const text = (format: (typeof suiteFormats)[number]): string =>
  renderSuite(report, format, { color: false, verbose: true });

describe('a report of suites', () => {
  it('fits its schema, and is refused when it does not', () => {
    expect(parseSuiteReport(JSON.stringify(report), 'r.json')).toEqual(report);
    expect(() => parseSuiteReport(JSON.stringify({ ...report, cases: [{}] }), 'r.json')).toThrow(/cases\/0/);
  });

  it.each(suiteFormats)('%s holds no control character of a server', (format) => {
    // eslint-disable-next-line no-control-regex -- finding them is the point
    expect(text(format)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202e]/);
    expect(text(format)).toMatch(/\n$/);
  });

  it('as JUnit: counts, failures with words, skips, reliability (A-108, A-109)', () => {
    const xml = text('junit');
    expect(XMLValidator.validate(xml)).toBe(true);
    const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml) as {
      testsuites: {
        testsuite: {
          tests: string;
          failures: string;
          skipped: string;
          time: string;
          properties: { property: { name: string; value: string }[] };
          testcase: {
            name: string;
            classname: string;
            time: string;
            failure?: { message: string };
            skipped?: unknown;
          }[];
        };
      };
    };
    const { testsuite: suite } = testsuites;
    expect([suite.tests, suite.failures, suite.skipped, suite.time]).toEqual(['5', '1', '1', '1.500']);
    expect(suite.properties.property).toEqual([
      { name: 'pass_at_k', value: '3/5' },
      { name: 'pass_up_k', value: '2/5' },
    ]);
    expect(suite.testcase[1]).toMatchObject({
      classname: 'read_file',
      time: '0.013',
      failure: { message: expect.stringContaining('expected result to contain') },
    });
    expect(suite.testcase[2]).toHaveProperty('skipped');
  });

  it('as Markdown: a table, the failures folded (A-110)', () => {
    expect(text('markdown')).toMatch(/^### mcpc: 2 passed, 1 failed\n/);
    expect(text('markdown')).toContain('pass@k 3/5, pass^k 2/5');
    expect(text('markdown').replace(/^```[\s\S]*?^```$/gm, '')).not.toContain('<script>');
  });

  it('as badges (A-111)', () => {
    expect(JSON.parse(text('badge-json'))).toMatchObject({
      schemaVersion: 1,
      label: 'MCP suite',
      message: '2/5',
      color: 'red',
    });
    const good = { ...report, counts: { ...report.counts, failed: 0, passed: 5 } };
    expect(JSON.parse(renderSuite(good, 'badge-json'))).toMatchObject({ message: '5/5', color: 'brightgreen' });
    expect(
      JSON.parse(renderSuite({ ...good, counts: { ...good.counts, passed: 4, skipped: 1 } }, 'badge-json')),
    ).toMatchObject({ message: '4/5', color: 'yellow' });
  });

  it('as annotations of GitHub, at the line of the suite', () => {
    expect(text('github').split('\n')[0]).toMatch(
      /%0AExpected: x%0AActual: .*%0A→ request 2 tools\/call \{"id": 2\}%0A← result 2 .*%0Astderr: warning .*%0AAlone: mcpc run evals\/case-2\.yaml$/,
    );
    expect(text('github').split('\n')[0]).toMatch(
      /^::error file=evals\/case-2\.yaml,line=7,col=5,title=case 2%3A .*::expected result to contain/,
    );
    expect(text('github')).toMatch(
      /^::warning file=evals\/case-5\.yaml,line=1,title=Flaky::case 5: .* both passed and failed/m,
    );
  });

  it('as SARIF and CTRF', () => {
    const sarif = JSON.parse(text('sarif')) as {
      runs: {
        results: {
          properties: { story: string; failures: unknown[] };
          ruleId: string;
          level: string;
          message: { text: string };
          locations: { physicalLocation: { region: { startLine: number } } }[];
        }[];
      }[];
    };
    expect(
      sarif.runs[0]!.results.map(({ ruleId, level, locations }) => [
        ruleId,
        level,
        locations[0]!.physicalLocation.region.startLine,
      ]),
    ).toEqual([
      ['suite/case', 'error', 7],
      ['suite/flaky', 'warning', 1],
    ]);
    expect(sarif.runs[0]!.results[1]!.message.text).toContain('both passed and failed');
    expect(sarif.runs[0]!.results[0]!.properties).toMatchObject({
      story: expect.stringMatching(/← result 2[^]*stderr: [^]*Alone: /),
      failures: [{ line: 7, expectation: 'contains', expected: 'x' }],
    });
    const steady = JSON.parse(renderSuite({ ...report, cases: report.cases.slice(0, 1) }, 'sarif')) as typeof sarif;
    expect(steady.runs[0]!.results).toEqual([]);
    const ctrf = JSON.parse(text('ctrf')) as {
      results: {
        summary: Record<string, number>;
        tests: { status: string; flaky: boolean; line: number; trace?: string; stderr?: string[] }[];
      };
    };
    expect(ctrf.results.tests[1]).toMatchObject({
      line: 7,
      trace: expect.stringMatching(
        /^at evals\/case-2\.yaml:7:5 \(contains\)\nExpected: x\nActual: [^]*→ request 2[^]*Alone: mcpc run/,
      ),
      stderr: [expect.stringContaining('warning')],
    });
    expect(ctrf.results.summary).toMatchObject({ tests: 5, passed: 2, failed: 1, skipped: 1, other: 1 });
    expect(ctrf.results.tests.map(({ status }) => status)).toEqual(['passed', 'failed', 'skipped', 'other', 'passed']);
  });

  it('as TAP 14', () => {
    const lines = text('tap').split('\n');
    expect(lines.slice(0, 2)).toEqual(['TAP version 14', '1..5']);
    expect(
      lines.filter((line) => /^(?:not )?ok \d+ - /.test(line)).map((line) => /^((?:not )?ok \d+)/.exec(line)![1]),
    ).toEqual(['ok 1', 'not ok 2', 'ok 3', 'ok 4', 'ok 5']);
    const told = parse(text('tap').slice(text('tap').indexOf('  ---\n') + 6, text('tap').indexOf('  ...\n'))) as Record<
      string,
      unknown
    >;
    expect(told).toMatchObject({
      at: { line: 7, column: 5 },
      expected: 'x',
      failures: [
        { line: 7, expected: 'x', exchange: ['request 2 tools/call', '{"id": 2}', 'result 2', expect.anything()] },
      ],
      stderr: expect.stringContaining('warning'),
      alone: 'mcpc run evals/case-2.yaml',
    });
    expect(lines.find((line) => line.startsWith('ok 3'))).toMatch(/ # SKIP environment variable TOKEN is not set$/);
    expect(lines.find((line) => line.startsWith('ok 1'))).not.toMatch(/[^\\]#/);
  });

  it('shows what breaks rules of the specification, of cases that pass as well', () => {
    const violations = [
      { rule: 'ping/answer-empty-result', level: 'MUST', severity: 'error', message: 'not empty', link: null },
      { rule: 'ping/other', level: 'SHOULD', severity: 'warning', message: 'less', link: null },
    ];
    const broken = {
      ...report,
      cases: report.cases.map((one) => ({ ...one, trials: one.trials.map((trial) => ({ ...trial, violations })) })),
    };
    expect(renderSuite(broken, 'markdown')).toMatch(
      /- MUST `ping\/answer-empty-result`: not empty \(in 5 cases of the suite, first in case 1/,
    );
    expect(
      renderSuite(broken, 'github').match(
        /^::warning file=evals\/case-1\.yaml,line=1,title=ping\/answer-empty-result::MUST .*in 5 cases/gm,
      ),
    ).toHaveLength(1);
    expect(renderSuite(broken, 'tap').match(/^# violates MUST ping\/answer-empty-result: not empty$/gm)).toHaveLength(
      5,
    );
    const xml = renderSuite(broken, 'junit');
    expect([XMLValidator.validate(xml), xml.match(/<system-out>violates MUST ping/g)?.length]).toEqual([true, 5]);
  });

  it('with several failures of a case, and with empty texts, tells each of them', () => {
    const one = report.cases[1]!;
    const [failure] = one.trials[0]!.failures;
    const both = {
      ...report,
      cases: [
        {
          ...one,
          trials: [
            {
              ...one.trials[0]!,
              failures: [
                { ...failure!, expected: '', actual: 'first' },
                { ...failure!, expected: 'second', actual: '', line: 9 },
              ],
            },
          ],
        },
      ],
    };
    const tap = renderSuite(both, 'tap');
    expect(parse(tap.slice(tap.indexOf('  ---\n') + 6, tap.indexOf('  ...\n')))).toMatchObject({
      expected: '',
      actual: 'first',
      failures: [
        { expected: '', actual: 'first', line: 7 },
        { expected: 'second', actual: '', line: 9 },
      ],
    });
    expect(renderSuite(both, 'html').match(/<p class="value">\(empty\)<\/p>/g)).toHaveLength(2);
    expect(renderSuite(both, 'junit')).toMatch(/Expected: \nActual: first\n[^]*Expected: second\nActual: \n/);
    expect(renderSuite(both, 'markdown')).toMatch(/Expected:\n\n```[^]*Actual:\n\n```text\nfirst\n```/);
  });

  it('in the terminal: a line each, the words indented, the sum (A-105)', () => {
    const lines = text('terminal').split('\n');
    expect(lines[0]).toMatch(/^ {2}PASS case 1: .*13ms$/);
    expect(lines.filter((line) => /^ {6}expected result to contain/.test(line))).toHaveLength(1);
    expect(text('terminal')).toContain('5 assertions, 2 passed, 1 failed, 1 skipped, 1 undecided, 1 flaky');
  });
});

describe('the page', () => {
  /** Axe takes seconds for so much: in one run of four. */
  const isLookedAt = thorough;
  it.runIf(thorough)(
    'with 1,000 cases: nothing for axe to find, filter and search work',
    { timeout: 300_000 },
    async () => {
      const work = new Workspace();
      const file = work.path('suite.html');
      writeFileSync(file, renderSuite(sampleSuite(1000), 'html'));
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({ bypassCSP: true });
        await page.goto(pathToFileURL(file).href);
        expect(await page.locator('script').count()).toBe(1);
        expect(await page.locator('#shown').textContent()).toBe('1000 cases');
        await page.locator('#q').fill('case-2.yaml');
        await page.locator('#shown', { hasText: 'of 1000 cases shown' }).waitFor();
        expect(await page.locator('.verdict:visible').count()).toBe(1);
        if (isLookedAt) {
          await page.addScriptTag({ content: axe.source });
          const found = (await page.evaluate(
            'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] })',
          )) as AxeResults;
          expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        }
        await page.locator('button[type=reset]').click();
        await page.locator('#shown', { hasText: '1000 cases' }).waitFor();
        await page.locator('.chip', { hasText: 'Passed' }).click();
        await page.locator('#shown', { hasText: '600 of 1000 cases shown' }).waitFor();
        // However many are shown, only those near the screen are laid out: that is what keeps the filter quick.
        const laidOut = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve([...document.querySelectorAll('.verdict summary')].filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length))))`;
        for (const act of [page.locator('.chip', { hasText: 'Passed' }), page.locator('button[type=reset]')]) {
          await act.click();
          expect(await page.evaluate<number>(laidOut)).toBeLessThanOrEqual(200);
        }
        expect(
          await page.evaluate<number>(
            "Math.max(...[...document.querySelectorAll('.piece')].map((one) => one.children.length))",
          ),
        ).toBeLessThanOrEqual(40);
      } finally {
        await browser.close();
      }
    },
  );
});
