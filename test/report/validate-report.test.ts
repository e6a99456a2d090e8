import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import schema from '../../rules/language/run-report.schema.json' with { type: 'json' };
import { parseReport, validateReport } from '../../src/report/validate-report.ts';
import { summarise } from '../../src/fleet/run/summary.ts';
import { readServerReport } from '../../src/fleet/run/run-directory.ts';
import { updateBaseline, withBaseline } from '../../src/core/score/baseline.ts';
import { ofPart, runOf } from '../../src/core/model/reports/run-parts.ts';
import { reportFormats, renderReport } from '../../src/report/parts/render.ts';
import { sampleReport } from '../support/sample-report.ts';

interface Loose extends Record<string, unknown> {
  parts: (Record<string, unknown> & { verdicts: Record<string, unknown>[] })[];
  wire: Record<string, unknown>[];
  target: Record<string, unknown>;
}

const sample = () => JSON.parse(JSON.stringify(runOf(sampleReport()))) as Loose;
const kept = fileURLToPath(new URL('version-1/report.json', import.meta.url));

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

  it.each(schema.definitions.part.required)('needs %s in a part', (name) => {
    const report = sample();
    delete report.parts[0]![name];
    expect(() => validateReport(report, 'x.json')).toThrow(new RegExp(`/parts/0 .*'${name}'`));
  });

  it.each(schema.definitions.verdict.required)('needs %s in a verdict', (name) => {
    const report = sample();
    delete report.parts[0]!.verdicts[2]![name];
    expect(() => validateReport(report, 'x.json')).toThrow(new RegExp(`/verdicts/2 .*'${name}'`));
  });

  it.each<[string, (report: ReturnType<typeof sample>) => void, RegExp]>([
    [
      'an unknown status',
      (r) => (r.parts[0]!.verdicts[0]!['status'] = 'green'),
      /\/parts\/0\/verdicts\/0\/status must be equal to one of the allowed values \(\["fail"/,
    ],
    ['a score above 100', (r) => (r.parts[0]!['score'] = 101), /\/parts\/0\/score must be <= 100/],
    [
      'an expectation on a pass',
      (r) => (r.parts[0]!.verdicts[0]!['expected'] = 'x'),
      /\/verdicts\/0\/expected must be null/,
    ],
    [
      'evidence that is no number',
      (r) => (r.parts[0]!.verdicts[0]!['evidence'] = [1]),
      /\/verdicts\/0\/evidence\/0 must be object/,
    ],
    ['a body that is no text', (r) => (r.wire[1]!['body'] = {}), /\/wire\/1\/body must be string/],
    ['a command that is no list', (r) => (r.target['command'] = 'node x'), /\/target\/command must be array/],
    ['another format', (r) => (r['format'] = 'x'), /\/format must be equal to constant \("mcpc-run-report"\)/],
    ['another version', (r) => (r['version'] = 3), /\/version/],
    ['no part', (r) => (r.parts = []), /\/parts must NOT have fewer than 1 items/],
  ])('may not have %s', (_name, spoil, message) => {
    const report = sample();
    spoil(report);
    expect(() => validateReport(report, 'x.json')).toThrow(message);
  });

  it('says so when it is no JSON', () => {
    expect(() => parseReport('{', 'x.json')).toThrow(/x\.json is not JSON/);
  });

  it('names five errors and counts the rest', () => {
    expect(() => validateReport({ format: 'mcpc-run-report' }, 'x.json')).toThrow(/and \d+ more$/);
  });
});

describe('a report of version 1', () => {
  const old = JSON.parse(readFileSync(kept, 'utf8')) as {
    revision: string;
    score: number;
    verdicts: { rule: string; evidence: number[]; message: string }[];
    wire: unknown[];
  };

  it('is read as the version of today, with everything in its place', () => {
    const report = parseReport(readFileSync(kept, 'utf8'), kept);
    expect(report).toMatchObject({
      format: 'mcpc-run-report',
      version: 2,
      target: { name: 'example-server' },
      wire: old.wire,
      compliant: false,
    });
    expect(report).not.toHaveProperty('verdicts');
    const [part, ...none] = report.parts;
    expect(none).toEqual([]);
    expect(part).toMatchObject({
      revision: old.revision,
      score: old.score,
      grade: 'D',
      counts: { fail: 5 },
      baseline: { file: 'mcpc-baseline.json' },
    });
    for (const { rule, evidence, message } of old.verdicts) {
      const verdict = part!.verdicts.find((one) => one.rule === rule)!;
      expect(verdict.evidence.flatMap(({ events }) => events)).toEqual(evidence);
      if (evidence.length > 0) expect(verdict.evidence[0]).toMatchObject({ seen: message });
    }
    // What was brought up to date is valid, and stays as it is.
    expect(validateReport(JSON.parse(JSON.stringify(report)), 'again')).toEqual(report);
  });

  it.each(reportFormats)('renders as %s', (format) => {
    const text = renderReport(parseReport(readFileSync(kept, 'utf8'), kept), format, { color: false });
    expect(text).toContain(format.startsWith('badge') ? '53.1' : format === 'github' ? 'ping' : 'example-server');
  });

  it('is read from the directory of a fleet run, and by a baseline', () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'mcpc-version-1-'));
    try {
      mkdirSync(path.join(dir, 'servers/a'), { recursive: true });
      copyFileSync(kept, path.join(dir, 'servers/a/report.json'));
      const report = readServerReport(dir, 'servers/a/report.json');
      expect(report).toEqual(parseReport(readFileSync(kept, 'utf8'), kept));
      const entry = { name: 'a', id: 'a', tags: [] } as unknown as Parameters<typeof summarise>[1];
      expect(summarise(report, entry, [], 1)).toMatchObject({
        status: 'checked',
        compliant: false,
        score: old.score,
        revision: old.revision,
        decided: 9,
      });
      const failures = updateBaseline(report).failures.map(({ rule }) => rule);
      expect(failures).toEqual([
        'lifecycle/protocol-version-echoed',
        'ping/answer-empty-result',
        'stdio/stdout-messages-only',
      ]);
      const [part] = withBaseline(
        report,
        { format: 'mcpc-baseline', version: 1, revision: old.revision, failures: [{ rule: failures[0]! }] },
        'b.json',
      ).parts;
      expect(part!.baseline).toMatchObject({ file: 'b.json', known: [failures[0]] });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('is refused by its own schema', () => {
    expect(() => validateReport({ ...old, score: 'much' }, 'x.json')).toThrow(/\/score must be number,null/);
    expect(() => validateReport({ ...old, verdicts: [{ ...old.verdicts[0], evidence: [{}] }] }, 'x.json')).toThrow(
      /evidence\/0 must be integer/,
    );
  });
});

it('a run of one part reads the same flat and nested', () => {
  const one = sampleReport();
  expect(ofPart(runOf(one))).toEqual(one);
});
