/** Each machine format is read by a parser that did not write it, and its facts are compared with the report. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import { reportFormat } from '../../src/report/parts/render.ts';
import { renderReport } from '../support/render-part.ts';
import { parseReport } from '../support/read-report.ts';
import { sampleReport } from '../support/sample-report.ts';
import { verdictWith } from '../support/verdicts.ts';

it('json reads back as the same report and holds no control', () => {
  const text = renderReport(sampleReport(), 'json');
  expect(parseReport(text, 'x.json')).toEqual(JSON.parse(JSON.stringify(sampleReport())));
  // eslint-disable-next-line no-control-regex -- looking for them is the test
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

describe('junit', () => {
  interface Case {
    name: string;
    classname: string;
    failure?: { message: string; type: string; '#text': string };
    error?: { message: string };
    skipped?: { message: string };
  }
  interface Suite {
    name: string;
    tests: string;
    failures: string;
    errors: string;
    skipped: string;
    testcase: Case[];
  }
  const xml = renderReport(sampleReport(), 'junit', { junitSkipped: true });
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    htmlEntities: true,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  });
  const { testsuites } = parser.parse(xml) as { testsuites: Omit<Suite, 'testcase'> & { testsuite: Suite[] } };
  const cases = testsuites.testsuite.flatMap((suite) => suite.testcase);
  const find = (name: string): Case => cases.find((item) => item.name === name)!;

  it('is well formed', () => {
    expect(XMLValidator.validate(xml)).toBe(true);
    // eslint-disable-next-line no-control-regex -- XML 1.0 cannot hold them
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  });

  it('has one case a rule, and sums that add up', () => {
    expect(cases.map((item) => item.name).sort()).toEqual(
      sampleReport()
        .verdicts.map((v) => v.rule)
        .sort(),
    );
    for (const suite of testsuites.testsuite) {
      expect(Number(suite.tests)).toBe(suite.testcase.length);
      expect(Number(suite.failures)).toBe(suite.testcase.filter((item) => item.failure !== undefined).length);
      expect(Number(suite.errors)).toBe(suite.testcase.filter((item) => item.error !== undefined).length);
      expect(Number(suite.skipped)).toBe(suite.testcase.filter((item) => item.skipped !== undefined).length);
    }
    expect(testsuites).toMatchObject({ tests: '14', failures: '2', errors: '1', skipped: '7', time: '1.234' });
  });

  it('leaves out what has no verdict unless it is asked for, and counts it in a property', () => {
    const short = renderReport(sampleReport(), 'junit');
    const named = new Set([...short.matchAll(/<testcase classname="[^"]*" name="([^"]+)"/g)].map(([, name]) => name!));
    const decided = sampleReport().verdicts.filter(
      ({ status }) => status !== 'not-exercised' && status !== 'not-applicable',
    );
    expect([...named].sort()).toEqual(decided.map(({ rule }) => rule).sort());
    expect(short).toMatch(
      /<property name="mcpc\.undecided" value="\d+ not reached, \d+ conditional, \d+ not applicable"/,
    );
    expect(short.length).toBeLessThan(xml.length);
  });

  it('is red for violations and our errors, skipped for what is undecided, not counted or known, green for passes only', () => {
    expect(find('ping/answer-empty-result').failure?.type).toBe('MUST');
    expect(find('ping/answer-empty-result').failure?.['#text']).toContain('</script> ]]>');
    expect(find('errors/code-is-integer').error?.message).toContain('operator "isInteger" threw');
    expect(find('stdio/stdout-messages-only').skipped?.message).toMatch(/^Known failure/);
    expect(find('cancellation/cancelled-request-unanswered').skipped?.message).toMatch(/^Warning/);
    expect(find('progress/value-increases').skipped?.message).toMatch(/^Conditional/);
    expect(find('resources/list-answered').skipped?.message).toMatch(/^Not applicable/);
    const green = cases.filter((item) => !item.failure && !item.error && !item.skipped).map((item) => item.name);
    expect(green.sort()).toEqual(
      sampleReport()
        .verdicts.filter((v) => v.status === 'pass')
        .map((v) => v.rule)
        .sort(),
    );
  });
});

describe('sarif', () => {
  const log = JSON.parse(renderReport(sampleReport(), 'sarif')) as Log;
  const run = log.runs[0]!;
  const rules = run.tool.driver.rules!;

  it('has the members that the standard asks for', () => {
    expect(log.version).toBe('2.1.0');
    expect(log.$schema).toMatch(/sarif-schema-2\.1\.0\.json$/);
    expect(run.tool.driver.name).toBe('mcpc');
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule.shortDescription?.text).toBeTruthy();
      expect(rule.helpUri ?? 'https://').toMatch(/^https:\/\//);
      expect(['error', 'warning', 'note']).toContain(rule.defaultConfiguration?.level);
    }
    for (const result of run.results!) {
      expect(rules[result.ruleIndex!]!.id).toBe(result.ruleId);
      expect(result.kind).toBe('fail');
      expect(['error', 'warning', 'note']).toContain(result.level);
      expect(result.message.text).toBeTruthy();
      expect(result.locations![0]!.physicalLocation!.artifactLocation!.uri).toBe('dist/server.js');
      expect(result.locations![0]!.physicalLocation!.region!.startLine).toBeGreaterThanOrEqual(1);
      expect(Object.keys(result.partialFingerprints!)).toEqual(['mcpcRule/v1']);
      // A brace that is not doubled would be a placeholder without an argument.
      expect(result.message.text!.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]/);
    }
  });

  it('holds exactly the failures; suppresses what is known; notes what was not judged', () => {
    const failed = sampleReport().verdicts.filter((v) => v.status === 'fail');
    expect(run.results!.map((result) => result.ruleId).sort()).toEqual(failed.map((v) => v.rule).sort());
    expect(run.results!.filter((result) => result.suppressions).map((result) => result.ruleId)).toEqual([
      'stdio/stdout-messages-only',
    ]);
    expect(run.invocations![0]!.executionSuccessful).toBe(false);
    expect(
      run.invocations![0]!.toolExecutionNotifications!.map((note) => [note.level, note.associatedRule!.id]),
    ).toEqual([
      ['error', 'errors/code-is-integer'],
      ['note', 'pagination/cursor-opaque'],
      ['note', 'progress/value-increases'],
    ]);
  });

  it('is valid for a report without any verdict', () => {
    const empty = JSON.parse(
      renderReport(
        {
          ...sampleReport(),
          verdicts: [],
          counts: { fail: 0, error: 0, pass: 0, 'not-exercised': 0, 'not-applicable': 0 },
        },
        'sarif',
      ),
    ) as Log;
    expect(empty.runs[0]!.results).toEqual([]);
    expect(empty.runs[0]!.invocations![0]!.executionSuccessful).toBe(true);
  });
});

describe('github', () => {
  const lines = renderReport(sampleReport(), 'github').trimEnd().split('\n');

  it('is one command a line', () => {
    expect(lines.map((line) => /^::(error|warning|notice) title=[^:,]+::[^\r\n]+$/.exec(line)?.[1])).toEqual([
      'error',
      'error',
      'notice',
      'warning',
      'notice',
      'error',
      'notice',
      'notice',
    ]);
  });

  it('lets no server start a command of its own', () => {
    const report = {
      ...sampleReport(),
      verdicts: [
        verdictWith({
          status: 'fail',
          message: 'x\n::stop-commands::y\r::error::z',
          actual: '\n::set-output name=a::b',
        }),
      ],
    };
    expect(renderReport(report, 'github').trimEnd().split('\n')).toHaveLength(3);
  });
});

describe('badge', () => {
  it('json is an endpoint for shields', () => {
    expect(JSON.parse(renderReport(sampleReport(), 'badge-json'))).toEqual({
      schemaVersion: 1,
      label: 'MCP 2025-11-25',
      message: 'D · 53.1 · not compliant',
      color: 'orange',
      isError: true,
    });
    expect(JSON.parse(renderReport({ ...sampleReport(), score: null, grade: null }, 'badge-json'))).toMatchObject({
      message: 'nothing decided',
      color: 'lightgrey',
    });
  });

  it('is green only for what is compliant', () => {
    const color = (more: object) =>
      (JSON.parse(renderReport({ ...sampleReport(), ...more }, 'badge-json')) as { color: string }).color;
    expect(color({ score: 97, grade: 'B', compliant: false })).toBe('orange');
    expect(color({ score: 97, grade: 'A', compliant: true })).toBe('brightgreen');
    expect(color({ score: 3, grade: 'F', compliant: false })).toBe('red');
  });

  it('svg is well formed, says the same, and runs nothing', () => {
    const svg = renderReport({ ...sampleReport(), revision: '<script>&"' }, 'badge-svg');
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toContain('&lt;script&gt;&amp;&quot;');
    expect(svg).not.toMatch(/<script|href|onload/i);
  });
});

describe('markdown', () => {
  const text = renderReport(sampleReport(), 'markdown');
  it('holds no HTML but details, summary and the mark that mcpc wrote it', () => {
    const outside = text.replace(/(`{3,})text\n[\s\S]*?\n\1/g, '').replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
    expect([...new Set(outside.match(/<\/?[a-z!][^>]*>/gi))].sort()).toEqual([
      '<!-- written by mcpc -->',
      '</details>',
      '</summary>',
      '<details>',
      '<summary>',
    ]);
  });
  it('opens and closes the same number of blocks', () => {
    expect(text.match(/^<details>$/gm)?.length).toBe(text.match(/^<\/details>$/gm)?.length);
    expect((text.match(/^`{3,}/gm)?.length ?? 0) % 2).toBe(0);
  });
});

it('knows its formats by name', () => {
  expect(reportFormat('html')).toBe('html');
  expect(() => reportFormat('pdf')).toThrow(/"pdf" is no report format; use one of json, terminal, html/);
});

it.each(['terminal', 'html', 'markdown', 'junit', 'github'] as const)('%s says why a MUST is a warning', (format) => {
  const report = {
    ...sampleReport(),
    verdicts: [
      verdictWith({ status: 'fail', severity: 'warning', basis: 'prose' }),
      verdictWith({ rule: 'a/b', status: 'fail', severity: 'warning', level: 'SHOULD' }),
    ],
  };
  const text = renderReport(report, format, { color: false, width: 100 });
  expect(text.match(/stated in prose only, so it counts as a warning/g)).toHaveLength(1);
});
