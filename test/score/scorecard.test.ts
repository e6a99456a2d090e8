import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import schema from '../../rules/language/scoring.schema.json' with { type: 'json' };
import table from '../../rules/language/scoring.json' with { type: 'json' };
import type { Level, Severity } from '../../src/core/model/rules/requirement.ts';
import { statuses } from '../../src/core/model/reports/verdict.ts';
import type { Status } from '../../src/core/model/reports/verdict.ts';
import { gradeOf, roundScore, scoreVerdicts, weightOf } from '../../src/core/score/scorecard.ts';
import { checkScoring } from '../../src/core/score/scoring.ts';
import type { Scoring } from '../../src/core/score/scoring.ts';
import { verdictWith } from '../support/verdicts.ts';

const scoring: Scoring = {
  version: 1,
  levels: { MUST: 10, 'MUST NOT': 10, SHOULD: 3, 'SHOULD NOT': 3, MAY: 0 },
  severityCaps: { error: 10, warning: 3, info: 0 },
  areas: { lifecycle: 2 },
  bands: [
    { grade: 'A', min: 90 },
    { grade: 'B', min: 80 },
    { grade: 'F', min: 0 },
  ],
  violationCaps: [
    { violations: 1, grade: 'B' },
    { violations: 3, grade: 'F' },
  ],
  thin: { decided: 0.5, grade: 'B' },
};

type Row = [status: Status, level?: Level, severity?: Severity, area?: string];
const of = (...rows: Row[]) =>
  scoreVerdicts(
    rows.map(
      (
        [
          status,
          level = 'MUST',
          severity = level.startsWith('MUST') ? 'error' : level === 'MAY' ? 'info' : 'warning',
          area = 'ping',
        ],
        i,
      ) => verdictWith({ rule: `${area}/r${i}`, status, level, severity, area }),
    ),
    scoring,
  );
const times = (n: number, row: Row): Row[] => Array.from({ length: n }, () => row);

describe('score', () => {
  it.each<[string, Row[], number | null, string | null, boolean]>([
    ['no verdicts', [], null, null, true],
    ['all passed', [['pass'], ['pass', 'SHOULD']], 100, 'A', true],
    ['one MUST of two', [['pass'], ['fail']], 50, 'F', false],
    ['a SHOULD weighs 3 beside 10', [['pass'], ['fail', 'SHOULD']], 76.9, 'F', true],
    ['SHOULD NOT like SHOULD', [['pass'], ['fail', 'SHOULD NOT']], 76.9, 'F', true],
    ['MUST NOT like MUST', [['pass'], ['fail', 'MUST NOT']], 50, 'F', false],
    [
      'a MUST from prose weighs like a SHOULD and breaks nothing',
      [['pass'], ['fail', 'MUST', 'warning']],
      76.9,
      'F',
      true,
    ],
    ['the area factor counts', [['pass', 'MUST', 'error', 'lifecycle'], ['fail']], 66.7, 'F', false],
    ['MAY weighs nothing', [['pass'], ['fail', 'MAY']], 100, 'A', true],
    [
      'only MAY decided is no score',
      [
        ['pass', 'MAY'],
        ['fail', 'MAY'],
      ],
      null,
      null,
      true,
    ],
    ['undecided does not count', [['pass'], ['not-exercised'], ['not-applicable']], 100, 'A', true],
    ['too little was decided for the best grade', [['pass'], ...times(2, ['not-exercised'])], 100, 'B', true],
    ['nothing decided', [['not-exercised'], ['not-applicable']], null, null, true],
    ['an error of ours is not compliant, and caps the grade', [['pass'], ['error']], 100, 'B', false],
    ['one MUST of forty is capped below A', [...times(39, ['pass']), ['fail']], 97.5, 'B', false],
    ['one SHOULD of many is not capped', [...times(39, ['pass']), ['fail', 'SHOULD']], 99.2, 'A', true],
    ['two MUSTs of many are capped as one is', [...times(98, ['pass']), ...times(2, ['fail'])], 98, 'B', false],
    ['three MUSTs of many are capped lower', [...times(97, ['pass']), ...times(3, ['fail'])], 97, 'F', false],
    ['the cap never lifts', [['pass'], ['fail'], ['fail']], 33.3, 'F', false],
  ])('%s', (_name, rows, score, grade, compliant) => {
    expect(of(...rows)).toMatchObject({ score, grade, compliant });
  });

  it('counts a cause once in its caps', () => {
    const failed = (rule: string, cause?: string) =>
      verdictWith({
        rule,
        status: 'fail',
        level: 'MUST',
        severity: 'error',
        ...(cause === undefined ? {} : { cause }),
      });
    const passes = Array.from({ length: 97 }, (_, i) => verdictWith({ rule: `p${i}`, status: 'pass' }));
    const causes = [failed('a'), failed('b'), failed('c', 'a')];
    expect(scoreVerdicts([...passes, ...causes], scoring)).toMatchObject({
      grade: 'B',
      gradeLimits: [{ grade: 'B', why: '2 violated' }],
    });
  });

  it('leaves aside what is conditional when it asks how much was decided', () => {
    const open = (kind: 'conditional' | 'not-reached') =>
      Array.from({ length: 9 }, (_, i) => verdictWith({ rule: `${kind}${i}`, status: 'not-exercised', open: kind }));
    const pass = verdictWith({ rule: 'a', status: 'pass' });
    expect(scoreVerdicts([pass, ...open('conditional')], scoring)).toMatchObject({
      grade: 'A',
      applicable: 10,
      conditional: 9,
      notReached: 0,
    });
    expect(scoreVerdicts([pass, ...open('not-reached')], scoring)).toMatchObject({
      grade: 'B',
      conditional: 0,
      notReached: 9,
      gradeLimits: [{ grade: 'B', why: '10 % of what applies was decided, and an A needs 50 %' }],
    });
  });

  it('gives no best grade where tools are listed and none was called', () => {
    const card = scoreVerdicts([verdictWith({ status: 'pass' })], scoring, { calledNone: true });
    expect(card).toMatchObject({ score: 100, grade: 'B', gradeLimits: [{ grade: 'B', why: 'no tool was called' }] });
  });

  it('gives an extension an area with a score of its own, and changes nothing by it', () => {
    const extension = 'io.example/e';
    const core = [
      verdictWith({ rule: 'ping/a', status: 'pass', level: 'MUST', severity: 'error', area: 'ping' }),
      verdictWith({ rule: 'ping/b', status: 'fail', level: 'SHOULD', severity: 'warning', area: 'ping' }),
    ];
    const own = (status: Status, rule: string) =>
      verdictWith({ rule, status, level: 'MUST', severity: 'warning', area: 'ext-e', extension });
    const alone = scoreVerdicts(core, scoring);
    const { compliant, score, grade, areas } = scoreVerdicts(
      [...core, own('fail', 'ext-e/a'), own('pass', 'ext-e/b'), own('fail', 'ext-e/c'), own('error', 'ext-e/d')],
      scoring,
    );
    expect({ compliant, score, grade }).toEqual({ compliant: alone.compliant, score: alone.score, grade: alone.grade });
    expect(areas).toEqual([
      { area: 'ext-e', extension, score: 33.3, pass: 1, fail: 2, notExercised: 0, notApplicable: 0, error: 1 },
      ...alone.areas,
    ]);
    expect(scoreVerdicts([own('fail', 'ext-e/a')], scoring)).toMatchObject({
      compliant: true,
      score: null,
      grade: null,
    });
  });

  it('counts by status, area and level, in a fixed order', () => {
    const card = of(
      ['pass', 'SHOULD', 'warning', 'tools'],
      ['fail'],
      ['not-exercised', 'MUST NOT'],
      ['not-applicable'],
      ['error', 'SHOULD', 'warning', 'tools'],
    );
    expect(card.counts).toEqual({ pass: 1, fail: 1, 'not-exercised': 1, 'not-applicable': 1, error: 1 });
    expect(card).toMatchObject({ decided: 2, applicable: 4 });
    expect(card.areas).toEqual([
      { area: 'ping', score: 0, pass: 0, fail: 1, notExercised: 1, notApplicable: 1, error: 0 },
      { area: 'tools', score: 100, pass: 1, fail: 0, notExercised: 0, notApplicable: 0, error: 1 },
    ]);
    expect(card.levels).toEqual([
      { level: 'MUST', pass: 0, fail: 1, notExercised: 0, notApplicable: 1, error: 0 },
      { level: 'MUST NOT', pass: 0, fail: 0, notExercised: 1, notApplicable: 0, error: 0 },
      { level: 'SHOULD', pass: 1, fail: 0, notExercised: 0, notApplicable: 0, error: 1 },
    ]);
  });

  it('an area named like a member of every object has factor 1', () => {
    expect(weightOf(verdictWith({ area: 'constructor' }), scoring)).toBe(10);
  });

  it.each([
    [0, 0],
    [1e-9, 0.1],
    [0.0004, 0.1],
    [0.12345, 12.3],
    [0.1235, 12.4],
    [0.5, 50],
    [0.8745, 87.5],
    [0.9994, 99.9],
    [0.99999, 99.9],
    [1, 100],
  ])('a share of %d is a score of %d', (share, score) => {
    expect(roundScore(share)).toBe(score);
  });

  it.each([
    [100, 'A'],
    [90, 'A'],
    [89.9, 'B'],
    [79.9, 'F'],
    [0, 'F'],
  ])('the grade of %d is %s', (score, grade) => {
    expect(gradeOf(score, scoring.bands)).toBe(grade);
  });

  it('holds for any verdicts, in any order', () => {
    const verdict = fc.record({
      status: fc.constantFrom(...statuses),
      level: fc.constantFrom<Level>('MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'),
      severity: fc.constantFrom<Severity>('error', 'warning', 'info'),
      area: fc.constantFrom('ping', 'lifecycle', 'tools'),
    });
    fc.assert(
      fc.property(fc.array(verdict), (rows) => {
        const verdicts = rows.map((row, i) => verdictWith({ rule: `r${i}`, ...row }));
        const card = scoreVerdicts(verdicts, scoring);
        expect(scoreVerdicts([...verdicts].reverse(), scoring)).toEqual(card);
        expect(Object.values(card.counts).reduce((a, b) => a + b, 0)).toBe(verdicts.length);
        expect(card.areas.reduce((n, a) => n + a.pass + a.fail, 0)).toBe(card.decided);
        const failed = verdicts.some((v) => v.status === 'fail' && weightOf(v, scoring) > 0);
        if (card.score !== null) expect(card.score === 100).toBe(!failed);
        if (card.grade === 'A') expect(card.compliant).toBe(true);
        expect(card.score === null).toBe(card.grade === null);
      }),
    );
  });
});

describe('rules/language/scoring.json', () => {
  it('obeys its schema and the rules beyond it', () => {
    const validate = new Ajv({ allErrors: true }).compile(schema);
    expect(validate(table), JSON.stringify(validate.errors)).toBe(true);
    expect(() => checkScoring(table as Scoring)).not.toThrow();
    expect(validate({ ...table, levels: { MUST: 10 } })).toBe(false);
  });

  it.each<[string, Partial<Scoring>, RegExp]>([
    [
      'bands that do not fall',
      {
        bands: [
          { grade: 'A', min: 50 },
          { grade: 'B', min: 50 },
          { grade: 'F', min: 0 },
        ],
      },
      /grade B must start below grade A/,
    ],
    [
      'no band down to 0',
      {
        bands: [
          { grade: 'A', min: 50 },
          { grade: 'B', min: 10 },
        ],
      },
      /must start at 0/,
    ],
    [
      'a grade twice',
      {
        bands: [
          { grade: 'B', min: 50 },
          { grade: 'B', min: 0 },
        ],
      },
      /stands twice/,
    ],
    ['a cap that is no grade', { violationCaps: [{ violations: 1, grade: 'Z' }] }, /grade below the best/],
    ['a cap at the best grade', { violationCaps: [{ violations: 1, grade: 'A' }] }, /grade below the best/],
    [
      'caps that do not fall',
      {
        violationCaps: [
          { violations: 1, grade: 'F' },
          { violations: 2, grade: 'B' },
        ],
      },
      /violationCaps\[1\]\.grade must be a grade below F/,
    ],
    [
      'caps for fewer and fewer violations',
      {
        violationCaps: [
          { violations: 2, grade: 'B' },
          { violations: 2, grade: 'F' },
        ],
      },
      /violationCaps\[1\]\.violations must be more than 2/,
    ],
    ['a best grade for what was hardly looked at', { thin: { decided: 0.5, grade: 'A' } }, /thin\.grade/],
  ])('refuses %s', (_name, more, message) => {
    expect(() => checkScoring({ ...scoring, ...more })).toThrow(message);
  });
});
