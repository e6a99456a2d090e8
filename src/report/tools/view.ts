/** Data for templates of audits and fuzz runs: a state for each tool, findings, and cases for JUnit. */
import { oneLine } from '../text.ts';

export interface ToolFindingView {
  /** Class or label, as `invalid-accepted`. */
  label: string;
  detail: string;
  /** The arguments, as JSON; empty where they say nothing. */
  given: string;
  /** The received message, and lines about it. */
  wire: string;
}

export interface ToolView {
  anchor: string;
  name: string;
  about: string;
  /** Class of the templates of verdicts, for equal colours. */
  tone: 'violation' | 'warning' | 'not-exercised' | 'pass';
  symbol: string;
  label: string;
  open: boolean;
  detail: string;
  duration: string;
  findings: ToolFindingView[];
  violations: { level: string; rule: string; message: string; link: string | null }[];
}

export interface JunitCase {
  name: string;
  className: string;
  seconds: string;
  failed: boolean;
  skipped: boolean;
  message: string;
  detail: string;
}

export interface JunitSuite {
  name: string;
  tests: number;
  failures: number;
  skipped: number;
  seconds: string;
  cases: JunitCase[];
}

export interface ToolsView {
  /** Kind of the report: `audit` or `fuzz`. */
  kind: string;
  mcpc: string;
  headline: string;
  good: boolean;
  facts: string[];
  figures: { label: string; value: string }[];
  incomplete: string | null;
  groups: { tone: string; heading: string; count: number; tools: ToolView[] }[];
  violations: { level: string; rule: string; message: string; link: string | null }[];
  suites: JunitSuite[];
  madeAt: string;
  madeAtIso: string;
}

const headings: Record<ToolView['tone'], [heading: string, symbol: string]> = {
  violation: ['Failed', '✗'],
  warning: ['Warnings', '!'],
  'not-exercised': ['Not decided', '○'],
  pass: ['Healthy', '✓'],
};

/** The sign of a tone. */
export function symbolOf(tone: ToolView['tone']): string {
  return headings[tone][1];
}

/** The tools by tone, the worst first; tones without tools are left out. */
export function grouped(tools: readonly ToolView[]): ToolsView['groups'] {
  return (['violation', 'warning', 'not-exercised', 'pass'] as const).flatMap((tone) => {
    const own = tools.filter((one) => one.tone === tone);
    return own.length === 0 ? [] : [{ tone, heading: headings[tone][0], count: own.length, tools: own }];
  });
}

export function junitSuite(name: string, cases: JunitCase[]): JunitSuite {
  return {
    name: oneLine(name),
    tests: cases.length,
    failures: cases.filter(({ failed }) => failed).length,
    skipped: cases.filter(({ skipped }) => skipped).length,
    seconds: cases.reduce((sum, { seconds }) => sum + Number(seconds), 0).toFixed(3),
    cases,
  };
}
