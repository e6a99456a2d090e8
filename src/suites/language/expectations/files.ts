/** Expectations about files, as the harness saw them before and after the step. */
import { expectation, kinds, quoted } from '../expectation.ts';
import type { Expectation } from '../expectation.ts';
import type { Finding, SeenFile, Subject } from '../subject.ts';

export const fileExpectations: readonly Expectation[] = [
  expectation({
    name: 'file_contains',
    says: 'After the step each file contains its text.',
    option: kinds.textMap,
    files: (wanted) => Object.keys(wanted),
    test: (subject, wanted) =>
      first(Object.entries(wanted), ([path, text]) =>
        withText(
          subject,
          'file_contains',
          path,
          ({ content = '' }) =>
            content.includes(text) ? undefined : `file_contains: ${path} does not contain ${quoted(text)}`,
          text,
        ),
      ),
  }),
  expectation({
    name: 'file_not_contains',
    says: 'After the step each file exists and does not contain its text.',
    option: kinds.textMap,
    files: (unwanted) => Object.keys(unwanted),
    test: (subject, unwanted) =>
      first(Object.entries(unwanted), ([path, text]) =>
        withText(
          subject,
          'file_not_contains',
          path,
          ({ content = '' }) =>
            content.includes(text) ? `file_not_contains: ${path} contains ${quoted(text)}` : undefined,
          `no ${text}`,
        ),
      ),
  }),
  expectation({
    name: 'file_not_exists',
    says: 'After the step none of these files exists.',
    option: kinds.texts,
    files: (paths) => paths,
    test: (subject, paths) =>
      first(paths, (path) => {
        const after = subject.file(path, 'after');
        return after?.exists === false
          ? undefined
          : {
              words: `file_not_exists: expected ${path} not to exist`,
              expected: 'no such file',
              actual: 'it exists',
              seqs: seqsOf(after),
            };
      }),
  }),
];

export const unchangedExpectations: readonly Expectation[] = [
  expectation({
    name: 'file_unchanged',
    says: 'The step does not change these files, which exist before it.',
    option: kinds.texts,
    files: (paths) => paths,
    test: (subject, paths) =>
      first(paths, (path) => {
        const before = subject.file(path, 'before');
        const after = subject.file(path, 'after');
        const seqs = [...seqsOf(before), ...seqsOf(after)];
        if (before?.exists !== true || before.digest === undefined)
          return {
            words: `file_unchanged: cannot read ${path} before the call${why(before)}`,
            expected: 'a file',
            actual: 'none',
            seqs,
          };
        return after?.digest === before.digest
          ? undefined
          : {
              words: `file_unchanged: ${path} was modified`,
              expected: `SHA-256 ${before.digest}`,
              actual: after?.digest === undefined ? 'no file' : `SHA-256 ${after.digest}`,
              seqs,
            };
      }),
  }),
];

function first<T>(items: readonly T[], look: (item: T) => Finding | undefined): Finding | undefined {
  for (const [index, item] of items.entries()) {
    const found = look(item);
    if (found) return { ...found, at: [Array.isArray(item) ? String(item[0]) : index] };
  }
  return undefined;
}

function withText(
  subject: Subject,
  name: string,
  path: string,
  judge: (file: SeenFile) => string | undefined,
  expected: string,
): Finding | undefined {
  const after = subject.file(path, 'after');
  if (after?.content === undefined)
    return {
      words: `${name}: cannot read ${path}${why(after)}`,
      expected: 'a file',
      actual: after?.problem ?? 'no file',
      seqs: seqsOf(after),
    };
  const words = judge(after);
  return words === undefined ? undefined : { words, expected, actual: after.content, seqs: seqsOf(after) };
}

function why(file: SeenFile | undefined): string {
  return file?.problem === undefined ? '' : `: ${file.problem}`;
}

function seqsOf(file: SeenFile | undefined): number[] {
  return file === undefined ? [] : [file.seq];
}
