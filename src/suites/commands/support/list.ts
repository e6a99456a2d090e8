/** Output of `run --list`: the selected cases, in starting order. */
import type { SuiteCase } from '../../run/run-suite.ts';
import { skipReason } from '../../language/skip.ts';
import { oneLine, visible } from '../../../report/text.ts';

/** A line for each case, and their number; or the same as a JSON array. */
export function listedCases(cases: readonly SuiteCase[], json: boolean): { text: string; count: number } {
  const listed = cases.map((one) => ({
    name: one.name,
    file: one.file,
    line: one.place.line,
    tags: one.tags,
    skip: skipReason(one, process.env) ?? null,
  }));
  if (json) return { text: `${JSON.stringify(listed, null, 2)}\n`, count: listed.length };
  const lines = listed.map(
    ({ name, file, line, tags, skip }) =>
      `${visible(file)}:${line}  ${oneLine(name)}${tags.length === 0 ? '' : `  [${tags.map(oneLine).join(', ')}]`}${skip === null ? '' : '  (skipped)'}`,
  );
  return {
    text: `${[...lines, `${cases.length} ${cases.length === 1 ? 'case' : 'cases'}`].join('\n')}\n`,
    count: cases.length,
  };
}
