/** The text of a suite file to its cases, with everything that is wrong in it. */
import { append } from '../../model/lists.ts';
import type { SuiteCase } from '../model.ts';
import { isKnownRevision, revisions } from '../../spec/revisions.ts';
import { readAssertCase } from './assert-form.ts';
import type { FileNames } from './assert-form.ts';
import { checkDocument } from './check.ts';
import { partOf } from './part.ts';
import { readYaml } from './yaml-source.ts';
import type { Problem } from './yaml-source.ts';

export interface ReadSuite {
  cases: SuiteCase[];
  problems: Problem[];
}

/** Largest text of a file, in characters. */
export const largestFile = 1024 * 1024;

/** @param strict unknown members are errors */
export function readSuiteText(text: string, names: FileNames, strict: boolean): ReadSuite {
  if (text.length > largestFile) return { cases: [], problems: [{ line: 1, column: 1, text: `the file is larger than ${largestFile} characters`, severity: 'error' }] };
  const { documents, problems } = readYaml(text);
  const cases: SuiteCase[] = [];
  documents.forEach((document, index) => {
    // What follows the last `---` may be nothing.
    if ((document.value === null || document.value === undefined) && documents.length > 1) return;
    const part = partOf(document);
    const wrong = checkDocument(document, 'assert-file', strict);
    append(problems, wrong);
    if (wrong.some(({ severity }) => severity === 'error')) return;
    const one = readAssertCase(part, names, index, problems);
    if (one.spec !== undefined && !isKnownRevision(one.spec)) problems.push({ ...part.at('spec').place, text: `spec: there is no revision "${one.spec}"; use one of ${revisions.join(', ')}`, severity: 'error' });
    cases.push(one);
  });
  return { cases, problems: unique(problems) };
}

/** An alias that is used twice is read twice. */
function unique(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ line, column, text }) => {
    const key = `${line}:${column}:${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
