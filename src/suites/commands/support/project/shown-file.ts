/** A file that a set-up would write, as --dry-run prints it. */
import type { WrittenProject } from './write-project.ts';

export function shownFile({ path, content }: WrittenProject['files'][number]): string {
  if (typeof content !== 'string') return `==> ${path} (this mcpc, packed: ${content.bytes} bytes) <==\n\n`;
  return `==> ${path} <==\n${content}${content.endsWith('\n') ? '' : '\n'}\n`;
}
