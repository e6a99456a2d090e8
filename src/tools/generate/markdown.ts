/** Tables of Markdown pages, and the blocks of pages that are written from tables of the code. */

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * The page with the content of each block that a comment `generated: NAME` begins.
 * @param page its path, for messages
 * @throws RangeError for a block without content
 */
export function inBlocks(page: string, text: string, parts: Readonly<Record<string, string>>): string {
  return text.replace(
    /(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_whole, head: string, name: string, end: string) => {
      const part = parts[name];
      if (part === undefined) throw new RangeError(`${page}: nothing is generated for "${name}"`);
      return `${head}${part}\n${end}`;
    },
  );
}
