/** Which tools of a target were called, and which were not. Shapes only. */

/** The calls of one tool. */
export interface CalledTool {
  tool: string;
  times: number;
  /** The arguments as JSON text, cut when it is long, the most frequent first. */
  arguments: { value: string; times: number }[];
  /** Calls with arguments that are not listed, when there were many kinds. */
  more?: number;
}

export interface UncalledTool {
  tool: string;
  why: string;
  /** The flag or hint that would call it; absent if nothing forbids it, or the user did. */
  allow?: string;
}

export interface ToolCalls {
  called: CalledTool[];
  notCalled: UncalledTool[];
  /**
   * Called names that are not tools of the target, as far as it listed them: such as those that a check makes up.
   * Absent where there are none.
   */
  unlisted?: { tool: string; times: number }[];
  /** Tools and calls beyond the listed ones, when the target has very many. */
  more?: number;
}
