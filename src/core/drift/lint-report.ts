/** Report of `mcpc lint`: advice about what a server offers. Shapes only. */

export interface LintFinding {
  /** Name of the tool; `(server)` for the list of tools and the handshake, `(prompts)` and the like for other lists. */
  tool: string;
  /** `E101`, `W111`, or the id of a rule such as `tool-surface/text-tags`. */
  code: string;
  severity: 'error' | 'warning';
  message: string;
  /** `description`, `args.query.type` and the like. */
  field?: string;
}

export interface LintReport {
  server: string;
  /** Number of tools that the server lists. */
  tools: number;
  findings: LintFinding[];
  errors: number;
  warnings: number;
}

/** A suggestion for one finding; nothing is changed by it. */
export interface LintFix {
  tool: string;
  code: string;
  field: string;
  action: string;
  value: string;
  message: string;
}

/** What `--fix --json` prints. */
export interface LintFixes {
  server: string;
  tools: number;
  /** Number of findings. */
  findings: number;
  /** Number of findings with a suggestion. */
  fixable: number;
  fixes: LintFix[];
}
