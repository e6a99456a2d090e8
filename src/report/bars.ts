/** Shares of verdicts as bars, for the whole and by area, each also in words. Draws nothing. */
import { formatScore, oneLine } from './text.ts';
import { toneWords } from './tones.ts';
import type { Tone } from './tones.ts';
import type { VerdictView } from './verdict-view.ts';

export interface Segment {
  tone: Tone;
  label: string;
  count: number;
  /** Per cent of the bar, from its left end. */
  x: number;
  width: number;
}

export interface AreaView {
  area: string;
  score: string;
  total: number;
  /** All but what does not apply, or may not. */
  applicable: number;
  passed: number;
  violations: number;
  warnings: number;
  undecided: number;
  conditional: number;
  notApplicable: number;
  segments: Segment[];
  /** The bar in words. */
  summary: string;
}

/** An area with its bar; `score` is that of the report. */
export function areaView(area: string, score: number | null, views: readonly VerdictView[]): AreaView {
  const own = views.filter((verdict) => verdict.area === oneLine(area));
  const n = (...wanted: Tone[]): number => own.filter((verdict) => wanted.includes(verdict.tone)).length;
  const segments = segmentsOf(own);
  return {
    area: oneLine(area),
    score: formatScore(score),
    total: own.length,
    applicable: own.length - n('not-applicable', 'conditional'),
    passed: n('pass'),
    violations: n('violation'),
    warnings: n('warning', 'advice'),
    undecided: n('not-exercised', 'error'),
    conditional: n('conditional'),
    notApplicable: n('not-applicable'),
    segments,
    summary: describeSegments(segments),
  };
}

/** Shares of a bar: passes first, as a reader expects progress to grow from the left. */
export function segmentsOf(verdicts: readonly VerdictView[]): Segment[] {
  const order: readonly Tone[] = [
    'pass',
    'violation',
    'warning',
    'advice',
    'error',
    'not-exercised',
    'conditional',
    'not-applicable',
  ];
  const percent = (n: number): number => Math.round((10_000 * n) / verdicts.length) / 100;
  const segments: Segment[] = [];
  let before = 0;
  for (const tone of order) {
    const count = verdicts.filter((verdict) => verdict.tone === tone).length;
    if (count === 0) continue;
    const x = percent(before);
    before += count;
    const width = Math.round((percent(before) - x) * 100) / 100;
    segments.push({ tone, label: countedLabel(tone, count), count, x, width });
  }
  return segments;
}

/** A bar in words. */
export function describeSegments(segments: readonly Segment[]): string {
  return segments.map(({ count, label }) => `${count} ${label}`).join(', ');
}

function countedLabel(tone: Tone, count: number): string {
  return tone === 'warning' && count !== 1 ? 'warnings' : toneWords[tone].label.toLowerCase();
}
