/** A run that is not whole says INCOMPLETE in every format, has a grey badge and no grade; alone and in a fleet. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import { summarise } from '../../src/fleet/run/summary.ts';
import { runOf, type PartReport } from '../../src/core/model/reports/run-parts.ts';
import { serverBadge } from '../../src/report/fleet/badges.ts';
import { fleetFormats, renderFleet } from '../../src/report/fleet/render.ts';
import { reportFormats } from '../../src/report/parts/render.ts';
import { renderReport } from '../support/render-part.ts';
import { sampleFleet, sampleMaterial } from '../support/sample-fleet.ts';
import { sampleReport } from '../support/sample-report.ts';
import { verdictWith } from '../support/verdicts.ts';

const why = '12 of 164 requests were not answered by the server: 502';

/** As a check makes it: nothing violated, nothing whole. */
function brokenReport(): PartReport {
  const { baseline: _none, ...base } = sampleReport();
  const requests = { sent: 164, unanswered: 12, causes: [{ cause: '502', count: 12 }], ended: 0, events: [7, 9] };
  return {
    ...base,
    verdicts: [verdictWith()],
    compliant: false,
    score: 100,
    grade: null,
    counts: { ...base.counts, fail: 0, error: 0 },
    incomplete: why,
    requests,
  };
}

it.each(reportFormats)('%s', (format) => {
  const text = renderReport(brokenReport(), format, { color: false, width: 200 });
  if (format === 'badge-json' || format === 'badge-svg') {
    expect(text).toContain('incomplete');
    expect(text).toMatch(/"color": "lightgrey"|fill="#5f6368"/);
    expect(text).not.toMatch(/green/);
    return;
  }
  if (format === 'json')
    return expect(JSON.parse(text)).toMatchObject({
      compliant: false,
      parts: [{ compliant: false, grade: null }],
      incomplete: why,
      requests: { sent: 164, unanswered: 12, causes: [{ cause: '502', count: 12 }] },
    });
  expect(text).toContain('INCOMPLETE');
  expect(text).toContain(why);
  expect(text).not.toMatch(/\bCompliant\b|COMPLIANT/);
});

it('the short form in the terminal says it, too', () => {
  expect(renderReport(brokenReport(), 'terminal', { color: false, width: 200, quiet: true })).toMatch(
    /^INCOMPLETE .*\n {2}INCOMPLETE: 12 of 164/,
  );
});

it('a violation does not hide it', () => {
  const report = { ...brokenReport(), verdicts: [verdictWith({ status: 'fail' })] };
  expect(renderReport(report, 'terminal', { color: false, width: 200 })).toMatch(
    /NOT COMPLIANT[^]*INCOMPLETE: 12 of 164/,
  );
  expect(JSON.parse(renderReport(report, 'badge-json'))).toMatchObject({ message: 'incomplete', color: 'lightgrey' });
});

it('junit counts it as one test in error', () => {
  const xml = renderReport(brokenReport(), 'junit');
  expect(XMLValidator.validate(xml)).toBe(true);
  const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml) as {
    testsuites: { tests: string; errors: string };
  };
  expect(testsuites).toMatchObject({ tests: '2', errors: '1' });
});

it('sarif says that the run did not succeed', () => {
  const { runs } = JSON.parse(renderReport(brokenReport(), 'sarif')) as {
    runs: {
      invocations: {
        executionSuccessful: boolean;
        toolExecutionNotifications: { level: string; message: { text: string } }[];
      }[];
    }[];
  };
  expect(runs[0]!.invocations[0]).toMatchObject({
    executionSuccessful: false,
    toolExecutionNotifications: [{ level: 'error', message: { text: `INCOMPLETE: ${why}` } }],
  });
});

const material = () => {
  const fleet = sampleMaterial();
  const entry = { name: 'breaks', id: 'breaks', tags: [] } as unknown as Parameters<typeof summarise>[1];
  const server = summarise(runOf(brokenReport()), entry, sampleFleet().report.rules, 1);
  return {
    server,
    fleet: {
      ...fleet,
      report: { ...fleet.report, servers: [server] },
      reportOf: () => runOf(brokenReport()),
      diff: null,
      history: [],
      policies: null,
    },
  };
};

it('is neither compliant nor graded in a fleet, and has a grey badge', () => {
  const { server } = material();
  expect(server).toMatchObject({ status: 'checked', compliant: null, grade: null, reason: why });
  expect(serverBadge(server)).toMatchObject({ message: 'incomplete', colorName: 'lightgrey' });
});

it.each(fleetFormats.filter((format) => !['json', 'csv', 'chat', 'badge-json', 'badge-svg'].includes(format)))(
  'fleet %s',
  (format) => {
    const text = [...renderFleet(material().fleet, format, { color: false, width: 140 })].join('');
    expect(text).toContain('INCOMPLETE');
    expect(text).toContain(why);
    expect(text).not.toMatch(/1 of 1 server compliant|The server is compliant/);
  },
);
