/** The text of a suite file to its cases, with everything that is wrong in it. */
import { append } from '../../../core/model/lists.ts';
import type { SuiteCase } from '../model.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import { readAssertCase } from './assert-form.ts';
import type { FileNames } from './assert-form.ts';
import { checkDocument } from './check.ts';
import { timeoutOf } from './duration-part.ts';
import { readMatrix } from './matrix-part.ts';
import type { MatrixBlock } from './matrix-part.ts';
import { readNativeCases, sharedOf } from './native-form.ts';
import type { NativeShared } from './native-form.ts';
import { partOf } from './part.ts';
import type { Part } from './part.ts';
import { readYaml } from './yaml-source.ts';
import type { Problem } from './yaml-source.ts';

export interface ReadSuite {
  cases: SuiteCase[];
  problems: Problem[];
  /** What its documents say of matrices. */
  matrices: MatrixBlock[];
}

/** Largest file, in bytes. */
export const largestFile = 1024 * 1024;

export interface ReadOptions {
  /** Unknown members are errors. */
  strict: boolean;
  /** A file that another one imports, by its path from there; undefined when it cannot be read. */
  imported(path: string): { path: string; text: string } | undefined;
}

/** The cases of a text. */
export function readSuiteText(text: string, names: FileNames, options: ReadOptions): ReadSuite {
  const { documents, problems } = readYaml(text);
  const cases: SuiteCase[] = [];
  const matrices: MatrixBlock[] = [];
  documents.forEach((document) => {
    // What follows the last `---` may be nothing; what was not read is told already.
    const nothing = document.value === null || document.value === undefined;
    if (nothing && (documents.length > 1 || problems.some(({ severity }) => severity === 'error'))) return;
    const wrong = checkDocument(document, options.strict);
    append(problems, wrong);
    const file = partOf(document);
    if (wrong.some(({ severity }) => severity === 'error')) {
      // What is wrong elsewhere is told all the same.
      for (const part of [file, file.at('defaults'), ...file.at('cases').items()])
        if (part.has('timeout')) timeoutOf(part.at('timeout'), problems);
      return;
    }
    if (file.has('version') && file.has('matrix')) matrices.push(readMatrix(file.at('matrix'), problems));
    const own = file.has('version')
      ? readNativeCases(file, names, cases.length + 1, importsOf(file, options, problems), problems)
      : [readAssertCase(file, names, cases.length + 1, problems)];
    append(cases, own);
    for (const { spec, place } of own) {
      if (spec !== undefined && !isKnownRevision(spec))
        problems.push({
          ...place,
          text: `spec: there is no revision "${spec}"; use one of ${revisions.join(', ')}`,
          severity: 'error',
        });
    }
  });
  return { cases, matrices, problems: unique(problems) };
}

/** What other files bring in; those that they import themselves do not count. */
function importsOf(file: Part, { imported, strict }: ReadOptions, problems: Problem[]): NativeShared[] {
  return file
    .at('imports')
    .items()
    .flatMap((item) => {
      const name = item.text() ?? '';
      const found = imported(name);
      const read = found === undefined ? undefined : readYaml(found.text, found.path);
      const [document] = read?.documents ?? [];
      if (document === undefined)
        problems.push({ ...item.place, text: `imports: ${name} cannot be read`, severity: 'error' });
      const wrong = [...(read?.problems ?? []), ...(document === undefined ? [] : checkDocument(document, strict))];
      append(problems, wrong);
      if (document === undefined || wrong.some(({ severity }) => severity === 'error')) return [];
      const part = partOf(document);
      if (part.has('version')) return [sharedOf(part)];
      problems.push({
        ...item.place,
        text: `imports: ${name} is in the form of mcp-assert; only files with version: 1 have servers and defaults to import`,
        severity: 'error',
      });
      return [];
    });
}

/** An alias that is used twice is read twice. */
function unique(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ file = '', line, column, text }) => {
    const key = `${file}:${line}:${column}:${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
