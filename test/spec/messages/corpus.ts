/** Reads the corpora of accepted and refused messages; judges nothing. */
import { readFileSync } from 'node:fs';
import { compareRevisions, eraOf, isKnownRevision, revisions } from '../../../src/core/spec/revisions.ts';
import type { Revision } from '../../../src/core/model/rules/requirement.ts';

export interface CorpusCase {
  line: number;
  revisions: Revision[];
  type: string;
  value: unknown;
  /** Paths of all findings that a refusal must name. */
  paths: string[];
  message?: string;
}

/** `all`, `stateful`, a revision, or a range of revisions with either end open, such as `2025-06-18..`. */
export function revisionsIn(text: string): Revision[] {
  if (text === 'all') return [...revisions];
  if (text === 'stateful') return revisions.filter((revision) => eraOf(revision) === 'stateful');
  const [first = '', last = first] = text.split('..');
  for (const end of [first, last])
    if (end !== '' && !isKnownRevision(end)) throw new RangeError(`unknown revision ${end}`);
  return revisions.filter(
    (revision) =>
      (first === '' || compareRevisions(revision, first as Revision) >= 0) &&
      (last === '' || compareRevisions(revision, last as Revision) <= 0),
  );
}

export function readCorpus(name: 'accept' | 'reject'): CorpusCase[] {
  const text = readFileSync(new URL(`./corpus/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const { revisions: range, type, value, path = [], message } = JSON.parse(line);
      return {
        line: index + 1,
        revisions: revisionsIn(range),
        type,
        value,
        paths: [path].flat(),
        ...(message === undefined ? {} : { message }),
      };
    });
}
