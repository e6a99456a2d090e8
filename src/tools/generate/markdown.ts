/** Parts of the Markdown pages that generators write. */

/** A word in backquotes. */
export function code(word: string): string {
  return `\`${word}\``;
}

/** A table with a head and rows of cells; a bar in a cell is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
