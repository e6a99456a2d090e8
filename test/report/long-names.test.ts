/** A server whose name is megabytes long: reports stay short, and are there in no time. */
import { expect, test } from 'vitest';
import { renderReport } from '../support/render-part.ts';
import { sampleReport } from '../support/sample-report.ts';

test.each(['terminal', 'html', 'markdown'] as const)('%s', (format) => {
  const report = sampleReport();
  const whole = renderReport(report, format, { color: false, width: 100 });
  const named = {
    ...report,
    target: { ...report.target, serverInfo: { name: 'n'.repeat(3_000_000), version: 'v'.repeat(3_000_000) } },
  };
  const text = renderReport(named, format, { color: false, width: 100 });
  // HTML holds the report itself as well, in which nothing is cut.
  expect(text).toContain('nnn');
  if (format !== 'html') expect(text.length).toBeLessThan(whole.length + 20_000);
});
