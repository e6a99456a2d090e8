/** Which tools of a target were called, and which were not. Shapes only. */

/** The calls of one tool. */
export interface CalledTool {
  tool: string;
  times: number;
  /** The arguments as JSON text, cut when it is long, those that were sent most first. */
  arguments: { value: string; times: number }[];
  /** Calls with arguments that are not told, when there were many kinds. */
  more?: number;
}

export interface UncalledTool {
  tool: string;
  why: string;
  /** What would have it called; absent where nothing forbids it, or the user did. */
  allow?: string;
}

export interface ToolCalls {
  called: CalledTool[];
  notCalled: UncalledTool[];
  /** Names that were called and are no tools of the target, for all that it listed: such as those that a check makes up. Absent where there are none. */
  unlisted?: { tool: string; times: number }[];
  /** Tools and calls beyond those that are told here, when the target has very many. */
  more?: number;
}
