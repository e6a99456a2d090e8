/** Coverage of a server by suites. Shapes only. The first members are those that scripts around mcp-assert read. */

/** Things of one kind that a server lists. */
export interface KindCoverage {
  total: number;
  covered: number;
  /** Rounded down; 100 when there is nothing to cover. */
  percentage: number;
  /** Names, sorted, with the number of requests. */
  uses: { name: string; count: number }[];
  missing: string[];
}

export interface ToolCoverage {
  name: string;
  /** Optional arguments that were given, and that never were. */
  arguments: { covered: string[]; missing: string[] };
  /** Values of enumerations, as `unit=celsius`. */
  values: { covered: string[]; missing: string[] };
  /** Called with arguments that do not fit its schema; null when no such arguments are known. */
  refusal: boolean | null;
  /** Answered with an error although the arguments fit, or expected to. */
  error: boolean;
}

export interface CoverageReport {
  format: 'mcpc-coverage-report';
  version: 1;
  /** Tools. */
  total: number;
  covered: number;
  percentage: number;
  covered_tools: { name: string; assertions: number }[];
  uncovered_tools: string[];
  /** `files`: what the cases say; `run`: what was sent. */
  counted: 'files' | 'run';
  prompts: KindCoverage;
  resources: KindCoverage;
  templates: KindCoverage;
  completions: KindCoverage;
  tools: ToolCoverage[];
  /** Features of the client that came into play. */
  client: Record<'sampling' | 'elicitation' | 'roots' | 'logging' | 'progress', boolean>;
  /** Suggested cases, the most important first. */
  next: string[];
}
