/**
 * Information from a user about a target that cannot be discovered. Shapes only; the file is
 * rules/language/hints.schema.json.
 */

export interface ToolHint {
  /** Arguments for every call that is meant to succeed. */
  arguments?: Record<string, unknown>;
  /** `never`: the tool is left alone; `allowed`: it may be called although it looks as if it did damage. */
  call?: 'never' | 'allowed';
  slow?: boolean;
  /** Resource that shows how far a slow call is. */
  seenIn?: string;
  progress?: boolean;
  logs?: boolean;
  fails?: boolean;
  /** Questions that a call makes the server ask its client. */
  asks?: ('sampling' | 'elicitation' | 'roots')[];
  /** Contents that forms are accepted with which a call asks for, by input key (2026-07-28). */
  answers?: Record<string, Record<string, unknown>>;
  /** Lists that a call changes. */
  changesLists?: ('tools' | 'prompts' | 'resources')[];
  /** Resource that a call changes. */
  changesResource?: string;
}

export interface PromptHint {
  arguments?: Record<string, string>;
  call?: 'never';
}

export interface CompletionHint {
  prompt?: string;
  template?: string;
  argument: string;
  value: string;
}

export interface Hints {
  /** Where they come from, for messages. */
  file: string;
  tools: Record<string, ToolHint>;
  prompts: Record<string, PromptHint>;
  resources: { read: string[]; never: string[] };
  /** Values of the variables, by template. */
  templates: Record<string, Record<string, string>>;
  completions: CompletionHint[];
  /** Contents that forms are accepted with, by input key, whatever asks for them. */
  answers?: Record<string, Record<string, unknown>>;
}
