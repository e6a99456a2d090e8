/**
 * The part of a server's stderr that explains its end: the line with an error, else its last lines. It must not print.
 */

/** Lines that are kept, and shown where none names an error. */
const tailLength = 6;

export interface StderrTail {
  add(line: string): void;
  /** The most informative lines, in order; empty if nothing was written. */
  telling(): readonly string[];
  clear(): void;
}

export function createStderrTail(): StderrTail {
  const lines: string[] = [];
  return {
    add(line) {
      if (isNpmFrame(line)) return;
      lines.push(line);
      if (lines.length <= tailLength) return;
      // The first line that names an error says more than what the runtime prints below it.
      const error = lines.findIndex(namesError);
      lines.splice(error === 0 ? 1 : 0, 1);
    },
    telling() {
      const error = lines.find(namesError);
      return error === undefined ? [...lines] : [error];
    },
    clear() {
      lines.length = 0;
    },
  };
}

/** `TypeError: …`, `ValueError: …`, `Error [ERR_X]: …`, and what npm says; not the line of the source that throws it. */
function namesError(line: string): boolean {
  return line.trimStart().split(' ')[0]!.split(':')[0]!.endsWith('Error') || wordsOfNpm(line).length > 1;
}

/** Lines of npm around its reasons: `npm error code E404` and `npm error 404`. */
function isNpmFrame(line: string): boolean {
  const words = wordsOfNpm(line);
  return words.length === 1 || words[0] === 'code';
}

/** The words behind `npm error`; none in other lines. */
function wordsOfNpm(line: string): string[] {
  const [npm, error, ...words] = line.trim().split(' ');
  return npm === 'npm' && (error === 'error' || error === 'ERR!') ? words : [];
}
