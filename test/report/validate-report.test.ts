import { describe, expect, it } from 'vitest';
import schema from '../../rules/language/run-report.schema.json' with { type: 'json' };
import { parseReport, validateReport } from '../../src/report/validate-report.ts';
import { sampleReport } from '../support/sample-report.ts';

const sample = () => JSON.parse(JSON.stringify(sampleReport())) as Record<string, unknown> & { verdicts: Record<string, unknown>[]; wire: Record<string, unknown>[]; target: Record<string, unknown> };

describe('a report from a file', () => {
  it('is taken as it is, with members that we do not know', () => {
    const report = { ...sample(), more: { of: 'it' } };
    expect(validateReport(report, 'x.json')).toBe(report);
  });

  it.each(schema.required)('needs %s', (name) => {
    const report = sample();
    delete report[name];
    expect(() => validateReport(report, 'x.json')).toThrow(new RegExp(`x\\.json is no report.*'${name}'`, 's'));
  });

  it.each(schema.definitions.verdict.required)('needs %s in a verdict', (name) => {
    const report = sample();
    delete report.verdicts[2]![name];
    expect(() => validateReport(report, 'x.json')).toThrow(new RegExp(`/verdicts/2 .*'${name}'`));
  });

  it.each<[string, (report: ReturnType<typeof sample>) => void, RegExp]>([
    ['an unknown status', (r) => (r.verdicts[0]!['status'] = 'green'), /\/verdicts\/0\/status must be equal to one of the allowed values \(\["fail"/],
    ['a score above 100', (r) => (r['score'] = 101), /\/score must be <= 100/],
    ['an expectation on a pass', (r) => (r.verdicts[0]!['expected'] = 'x'), /\/verdicts\/0\/expected must be null/],
    ['evidence that is no number', (r) => (r.verdicts[0]!['evidence'] = ['1']), /\/verdicts\/0\/evidence\/0 must be integer/],
    ['a body that is no text', (r) => (r.wire[1]!['body'] = {}), /\/wire\/1\/body must be string/],
    ['a command that is no list', (r) => (r.target['command'] = 'node x'), /\/target\/command must be array/],
    ['another format', (r) => (r['format'] = 'x'), /\/format must be equal to constant \("mcpc-run-report"\)/],
    ['another version', (r) => (r['version'] = 2), /\/version/],
  ])('may not have %s', (_name, spoil, message) => {
    const report = sample();
    spoil(report);
    expect(() => validateReport(report, 'x.json')).toThrow(message);
  });

  it('says so when it is no JSON', () => {
    expect(() => parseReport('{', 'x.json')).toThrow(/x\.json is not JSON/);
  });

  it('names five errors and counts the rest', () => {
    expect(() => validateReport({}, 'x.json')).toThrow(/and \d+ more$/);
  });
});
