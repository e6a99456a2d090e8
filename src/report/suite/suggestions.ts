/** Suggestions of `--fix`, for a terminal. */
import pc from 'picocolors';
import { oneLine, visible } from '../text.ts';

interface Position {
  line: number;
  column: number;
}

/** A block of a diff for each suggestion; a sentence where there is none. */
export function suggestionText(
  suggestions: readonly { name: string; file: string; line: number; was: Position; is: Position | undefined }[],
  { color }: { color?: boolean },
): string {
  const c = pc.createColors(color ?? pc.isColorSupported);
  const member = ({ line, column }: Position, sign: '-' | '+'): string[] =>
    [`  ${sign}   line: ${line}`, `  ${sign}   column: ${column}`].map(sign === '+' ? c.green : c.red);
  const blocks = suggestions.map(({ name, file, line, was, is }) =>
    [
      `  ${oneLine(name)}`,
      `  ${c.dim(`at ${visible(file)}:${line}`)}`,
      ...(is === undefined ? ['  no position nearby passes'] : [...member(was, '-'), ...member(is, '+')]),
    ].join('\n'),
  );
  return `\n--fix suggestions:\n${blocks.length === 0 ? '  none: no case fails for its position' : blocks.join('\n\n')}\n`;
}
