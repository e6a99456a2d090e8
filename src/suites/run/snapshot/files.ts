/** Snapshot files: one next to each suite file, with the output of each step of its cases. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isMap, isScalar, parseDocument, Document } from 'yaml';
import { writeOutput } from '../../../files/output/output.ts';
import { usageError } from '../../../core/model/errors.ts';
import type { SuiteCase } from '../../language/model.ts';
import { asText } from '../../../core/model/json.ts';

/** By name of the case, then by name of the step. */
export type StoredCases = Map<string, Map<string, string>>;

const format = 'mcpc-snapshots';

/** `evals/tools.yaml` has its snapshots in `evals/tools.yaml.snap`. */
export function snapshotFileOf(suiteFile: string): string {
  return `${suiteFile}.snap`;
}

/**
 * Names under which cases are kept: their own; of several equal ones in a file `name (2)`. By id.
 * @param cases all of their files
 */
export function keptNames(cases: readonly SuiteCase[]): Map<string, string> {
  const times = new Map<string, number>();
  return new Map(
    cases.map(({ id, file, name }) => {
      const key = JSON.stringify([file, name]);
      const count = (times.get(key) ?? 0) + 1;
      times.set(key, count);
      return [id, count === 1 ? name : `${name} (${count})`];
    }),
  );
}

/**
 * Content of a file; empty when it does not exist.
 * @throws McpcError usage for an unreadable one
 */
export function readSnapshots(file: string): StoredCases {
  if (!existsSync(file)) return new Map();
  const wrong = (why: string, cause?: unknown): Error =>
    usageError(
      `${file} cannot be read as snapshots: ${why}.`,
      'Write it again: mcpc snapshot --update --overwrite.',
      cause,
    );
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong((error as Error).message, error);
  }
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: false, schema: 'failsafe' });
  const [broken] = document.errors;
  if (broken !== undefined) throw wrong(broken.message);
  if (document.get('format') !== format) throw wrong(`it does not begin with "format: ${format}"`);
  if (document.get('version') !== '1')
    throw wrong(`it is of version ${asText(document.get('version'))}, which this mcpc does not know`);
  const cases = document.get('cases');
  return new Map(
    entriesOf(cases).map(([name, steps]) => [
      name,
      new Map(
        entriesOf(steps).flatMap(([key, node]): [string, string][] =>
          isScalar(node) ? [[key, asText(node.value)]] : [],
        ),
      ),
    ]),
  );
}

function entriesOf(node: unknown): [string, unknown][] {
  return isMap(node)
    ? node.items.map(({ key, value }) => [isScalar(key) ? asText(key.value) : asText(key), value])
    : [];
}

/**
 * Writes a file, or removes one that would be empty.
 * @throws McpcError usage for a file of another kind
 */
export function writeSnapshots(file: string, cases: StoredCases, overwrite: boolean): void {
  const kept = new Map([...cases].filter(([, steps]) => steps.size > 0));
  if (kept.size === 0) {
    rmSync(file, { force: true });
    return;
  }
  const document = new Document(
    new Map<string, unknown>([
      ['format', format],
      ['version', 1],
      ['cases', kept],
    ]),
  );
  document.commentBefore =
    ' Answers that the server gave. "mcpc snapshot --update" writes this file; read its changes before they are committed.';
  writeOutput(
    { path: file, what: 'the snapshots', replaces: 'snapshots', overwrite },
    document.toString({ lineWidth: 0, blockQuote: 'literal' }),
  );
}
