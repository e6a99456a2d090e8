/** Patterns of suites, in the dialect RE2, which takes linear time whatever the text. */
import type { RE2JS } from 're2js';

export interface Pattern {
  matches(text: string): boolean;
  /** The first group at the first match, or the whole match without a group; undefined when it does not match. */
  first(text: string): string | undefined;
}

const patterns = new Map<string, Pattern | { problem: string }>();

let engine: typeof RE2JS | undefined;

/** Loads the engine of patterns, which takes a while and is seldom needed. */
export async function preparePatterns(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

/** A pattern of RE2, compiled once. `preparePatterns` has to have been awaited. */
export function compilePattern(source: string): Pattern | { problem: string } {
  let found = patterns.get(source);
  if (found === undefined) {
    try {
      const compiled = engine!.compile(source);
      found = {
        matches: (text) => compiled.matcher(text).find(),
        first(text) {
          const matcher = compiled.matcher(text);
          if (!matcher.find()) return undefined;
          return matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? undefined;
        },
      };
    } catch (error) {
      found = { problem: (error as Error).message };
    }
    patterns.set(source, found);
  }
  return found;
}
