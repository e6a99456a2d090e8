/** The SuiteReport: the one result of a run of suites, from which every format is rendered. Shapes only. */
import type { CoverageReport } from './coverage-report.ts';
import type { WireEntry } from './run-report.ts';

/**
 * `undecided`: for kept runs, and for the expectation `rule`, if the judged value was redacted. For calls of a
 * coprocess it is an error of the server, which only the calling test can judge. `empty`: the case asserts nothing.
 */
export type CaseStatus = 'pass' | 'fail' | 'skip' | 'undecided' | 'empty';

export interface SuiteFailure {
  /** The step, as `assert` or `setup[0]`; empty when the server could not be started. */
  step: string;
  /** The action, as `tools/call read_file`. */
  title: string;
  /** Name of the expectation; null when the step itself went wrong. */
  expectation: string | null;
  /** The fault, in the words that scripts match. */
  detail: string;
  expected: string | null;
  actual: string | null;
  /** Its place in the file. */
  line: number;
  column: number;
  /** The exchange that shows it; numbers count from the begin of the case. */
  evidence: WireEntry[];
}

/** A rule of the specification that the traffic of a case breaks. */
export interface SuiteViolation {
  rule: string;
  level: string;
  /** `error` counts against compliance, `warning` and `info` never do. */
  severity: string;
  message: string;
  /** Address of the clause. */
  link: string | null;
}

export interface SuiteTrial {
  trial: number;
  /** It failed and was run again (`--retries`): the next entry counts in its place. */
  repeated?: true;
  status: CaseStatus;
  durationMs: number;
  detail: string;
  failures: SuiteFailure[];
  /** Last lines of the server's stderr; only of trials that did not pass. */
  stderr: string[];
  /** Violations in the traffic; absent when it was not judged. */
  violations?: SuiteViolation[];
}

export interface SuiteCaseReport {
  /** File and number in it. */
  id: string;
  name: string;
  file: string;
  line: number;
  form: 'assert' | 'native';
  /** Key of the block, as `assert_prompts`; of the native form `cases`. */
  block: string;
  /** The tool, prompt or resource under test. */
  about: string | null;
  tags: string[];
  /** Of all trials: failed when one failed. */
  status: CaseStatus;
  /** Of all trials together. */
  durationMs: number;
  /** Of the first trial that did not pass; why it was skipped. */
  detail: string;
  /** It both passed and failed. */
  flaky: boolean;
  trials: SuiteTrial[];
  /** Of its trials, where there are several. */
  times?: SuiteTimes;
  /** The command that runs it alone. */
  rerun: string;
  language?: string;
}

/** Times of several trials, in milliseconds. */
export interface SuiteTimes {
  medianMs: number;
  p95Ms: number;
}

export interface SuiteCounts {
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  undecided: number;
  flaky: number;
  /** Cases that assert nothing; absent in older reports. */
  empty?: number;
}

export interface SuiteReport {
  format: 'mcpc-suite-report';
  version: 1;
  tool: { name: 'mcpc'; version: string };
  /** Paths of the suites as they were named. */
  suites: string[];
  startedAt: string;
  durationMs: number;
  counts: SuiteCounts;
  /**
   * With several trials: cases that passed at least once and every time, names of those with both results, and the
   * times of all trials.
   */
  reliability: {
    trials: number;
    cases: number;
    capable: number;
    reliable: number;
    flaky?: string[];
    times?: SuiteTimes;
  } | null;
  cases: SuiteCaseReport[];
  /** Of cases that passed in the baseline and do not any more; entries that are gone or pass now. */
  baseline: {
    file: string;
    regressions: { name: string; was: string; is: string }[];
    gone: string[];
    mended: string[];
  } | null;
  /** Coverage of the server by the run; absent when it was not counted. */
  coverage?: CoverageReport;
  /** Notes for the user that are not verdicts. */
  notices: string[];
  /** Why the run ended early; null when it did not. */
  incomplete: string | null;
}
