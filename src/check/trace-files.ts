/** Where the traces of a check of several revisions go. */
import path from 'node:path';
import type { Revision } from '../core/model/rules/requirement.ts';
import { revisions } from '../core/spec/revisions.ts';

/** The trace of a further revision, next to the first one: `run.jsonl` and `run.2025-11-25.jsonl`. */
export function traceOfRevision(file: string, revision: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}.${revision}${ext}`);
}

/** The files that a check may write traces to: that of the first revision, and those of further ones. */
export function tracesOf(file: string, specs: 'each' | readonly Revision[] | undefined): string[] {
  if (specs === undefined) return [file];
  return [file, ...(specs === 'each' ? revisions : specs).map((revision) => traceOfRevision(file, revision))];
}
