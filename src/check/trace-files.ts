/** Where the traces of a check of several revisions go. */
import path from 'node:path';

/** The trace of a further revision, next to the first one: `run.jsonl` and `run.2025-11-25.jsonl`. */
export function traceOfRevision(file: string, revision: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${revision}${ext}`);
}
