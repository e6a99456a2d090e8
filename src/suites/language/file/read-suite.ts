/** The text of a suite file to its cases, with everything that is wrong in it. */
import { append } from '../../../core/model/lists.ts';
import type { ServerBlock, SuiteCase } from '../model.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import { assertsNothing } from '../asserts-nothing.ts';
import type { FileNames } from './assert-form.ts';
import { timeoutOf } from '../duration-part.ts';
import { foreignForm } from './foreign-form.ts';
import { formOf, type ReadOptions } from './forms.ts';
import { readMatrix } from './matrix-part.ts';
import type { MatrixBlock } from './matrix-part.ts';
import { partOf } from '../part.ts';
import { readYaml } from '../yaml-source.ts';
import type { Problem } from '../yaml-source.ts';

export interface ReadSuite {
  cases: SuiteCase[];
  problems: Problem[];
  /** Matrices of its documents. */
  matrices: MatrixBlock[];
  /** Servers that its documents name; a case of mcp-assert has one of its own, by the name of the case. */
  servers: ReadonlyMap<string, ServerBlock>;
}

/** Largest file, in bytes. */
export const largestFile = 1024 * 1024;

/** The cases of a text. */
export function readSuiteText(text: string, names: FileNames, options: ReadOptions): ReadSuite {
  const { documents, problems } = readYaml(text);
  const cases: SuiteCase[] = [];
  const matrices: MatrixBlock[] = [];
  const servers = new Map<string, ServerBlock>();
  documents.forEach((document) => {
    // Nothing needs to follow the last `---`; unread parts are already reported.
    const nothing = document.value === null || document.value === undefined;
    if (nothing && (documents.length > 1 || problems.some(({ severity }) => severity === 'error'))) return;
    const foreign = foreignForm(document.value);
    if (foreign !== undefined) {
      problems.push({
        ...partOf(document).place,
        text: `this is ${foreign.what}, no suite that mcpc runs. ${foreign.remedy}`,
        severity: 'error',
      });
      return;
    }
    const file = partOf(document);
    const form = formOf(file);
    const wrong = form.check(document, file, options.strict);
    append(problems, wrong);
    if (wrong.some(({ severity }) => severity === 'error')) {
      // Faults in other places are still reported.
      for (const part of [file, file.at('defaults'), ...file.at('cases').items()])
        if (part.has('timeout')) timeoutOf(part.at('timeout'), problems);
      return;
    }
    if (file.has('version') && file.has('matrix')) matrices.push(readMatrix(file.at('matrix'), problems));
    const read = form.read(file, { names, first: cases.length + 1, options, problems });
    const own = read.cases;
    for (const [name, server] of read.servers) servers.set(name, server);
    append(
      cases,
      own.map((one) =>
        assertsNothing(one) ? { ...one, empty: options.emptyFails === true ? 'fails' : 'counted' } : one,
      ),
    );
    for (const { spec, place } of own) {
      if (spec !== undefined && !isKnownRevision(spec))
        problems.push({
          ...place,
          text: `spec: there is no revision "${spec}"; use one of ${revisions.join(', ')}`,
          severity: 'error',
        });
    }
  });
  return { cases, matrices, servers, problems: unique(problems) };
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
