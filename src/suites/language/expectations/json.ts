/** Expectations about the JSON in the text of an answer. */
import { jsonIn, lookUp, parseJson } from '../json-text.ts';
import { expectation, kinds, printed, quoted } from '../expectation.ts';
import type { Expectation } from '../expectation.ts';
import type { Finding, Subject } from '../subject.ts';
import { equalTo, listDifference } from './differences.ts';

/** Members of an object that count as its list of results. */
const listMembers = ['locations', 'items', 'results', 'references', 'symbols'];

export const jsonExpectations: readonly Expectation[] = [
  expectation({
    name: 'json_path',
    says: 'The JSON in the text has this value at each path, such as `$.a.b[0]`. Numbers and booleans equal their text.',
    option: kinds.values,
    test({ text }, wanted) {
      const paths = Object.keys(wanted).sort();
      if (paths.length === 0) return undefined;
      const json = jsonIn(text);
      if (json === undefined)
        return {
          words: `json_path: result is not valid JSON: ${quoted(text.slice(0, 200))}`,
          expected: 'JSON',
          actual: text,
        };
      for (const path of paths) {
        const found = lookUp(json.value, path);
        if ('problem' in found)
          return {
            words: `json_path ${quoted(path)}: ${found.problem}`,
            expected: printed(wanted[path]),
            actual: 'nothing',
            at: [path],
          };
        if (!equalTo(found.value, wanted[path]))
          return {
            words: `json_path ${quoted(path)}: want ${printed(wanted[path])}, got ${printed(found.value)}${diffOf(wanted[path], found.value)}`,
            expected: printed(wanted[path]),
            actual: printed(found.value),
            at: [path],
          };
      }
      return undefined;
    },
  }),
  expectation({
    name: 'min_results',
    says: `At least this many entries in a list, or in the first list among ${listMembers.join(', ')} of an object.`,
    option: kinds.count,
    test: (subject, least) =>
      counted(
        subject,
        'min_results',
        (count) => (count >= least ? undefined : `expected at least ${least} results, got ${count}`),
        `at least ${least}`,
      ),
  }),
  expectation({
    name: 'max_results',
    says: 'At most this many entries, counted in the same way.',
    option: kinds.count,
    test: (subject, most) =>
      counted(
        subject,
        'max_results',
        (count) => (count <= most ? undefined : `expected at most ${most} results, got ${count}`),
        `at most ${most}`,
      ),
  }),
  expectation({
    name: 'net_delta',
    says: 'The text is a JSON object whose number `net_delta` is this one, truncated to an integer.',
    option: kinds.integer,
    test({ text }, wanted) {
      let value: unknown;
      try {
        value = parseJson(text);
      } catch {
        return {
          words: `net_delta: result is not valid JSON: ${quoted(text.slice(0, 200))}`,
          expected: String(wanted),
          actual: text,
        };
      }
      const delta =
        typeof value === 'object' && value !== null && Object.hasOwn(value, 'net_delta')
          ? (value as Record<string, unknown>)['net_delta']
          : undefined;
      if (typeof delta !== 'number')
        return {
          words: 'net_delta: field not found or not a number',
          expected: String(wanted),
          actual: printed(delta),
        };
      return Math.trunc(delta) === wanted
        ? undefined
        : {
            words: `expected net_delta=${wanted}, got ${Math.trunc(delta)}`,
            expected: String(wanted),
            actual: String(delta),
          };
    },
  }),
];

/** Two lists, entry by entry, below the message; nothing for other values and for lists that one look compares. */
function diffOf(wanted: unknown, got: unknown): string {
  if (!Array.isArray(wanted) || !Array.isArray(got) || wanted.length + got.length < 4) return '';
  return `\n${listDifference(wanted, got, equalTo).join('\n')}`;
}

function counted(
  { text }: Subject,
  name: string,
  judge: (count: number) => string | undefined,
  expected: string,
): Finding | undefined {
  const json = jsonIn(text);
  const list = json === undefined ? undefined : listIn(json.value);
  if (list === undefined)
    return {
      words: `${name}: result is not an array, nor an object with one of ${listMembers.join(', ')}`,
      expected,
      actual: text,
    };
  const words = judge(list.length);
  return words === undefined ? undefined : { words, expected, actual: String(list.length) };
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const name = listMembers.find(
    (member) => Object.hasOwn(value, member) && Array.isArray((value as Record<string, unknown>)[member]),
  );
  return name === undefined ? undefined : ((value as Record<string, unknown>)[name] as unknown[]);
}
