/** Paths that begin with a variable. */

/** A path that only its variables can complete. */
export function isVariable(text: string): boolean {
  return text.startsWith('${');
}

/** The path as `pathOf` completes it, or as it is when it begins with a variable. */
export function resolvedVariable(text: string, pathOf: (text: string) => string): string {
  return isVariable(text) ? text : pathOf(text);
}
