/** The quoting of a POSIX shell. */

/** Words as one command line. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** A word that a shell would take apart, in quotation marks. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
