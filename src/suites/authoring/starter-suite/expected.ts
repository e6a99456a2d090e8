/** Expectations of a starter case: stable values literally, the rest by type. Pure. */
import { isObject } from '../../../core/model/json.ts';
import { append } from '../../../core/model/lists.ts';
import { commentText } from '../../../check/authoring/listed-text.ts';
import type { Attempt } from './attempts.ts';
import type { Outcome } from './observe.ts';
import { commonPart, commonPattern, isPassing, type Common } from './stable.ts';

type Json = Record<string, unknown>;

export interface Expected {
  /** Further members of the step. */
  members: Json;
  /** Notes for the reader. */
  comments: string[];
  /** JSON paths of what differs from call to call. */
  volatile?: string[];
  /** Why the case cannot be expected to pass. */
  skip?: string;
}

/** Longest text that is written down as it is. */
const longestText = 4_000;
const mostPaths = 40;

/** Texts allowed in a file. */
export interface Writing {
  /** Takes out secrets; what it changes is never written down. */
  clean(text: string): string;
  /** Paths and names of this machine, which are another's nowhere else. */
  places: readonly string[];
  /** Values that are also never written: those of one run. */
  ofRun?(value: unknown): boolean;
}

export function expectedOf(attempt: Attempt, outcomes: readonly Outcome[], writing: Writing): Expected {
  const { clean } = writing;
  const silent = outcomes.find(({ kind }) => kind === 'none');
  if (silent?.kind === 'none') return { members: {}, comments: [], skip: `${silent.why} when this suite was written` };
  const kinds = new Set(outcomes.map((one) => (one.kind === 'result' ? `result ${one.isError}` : 'error')));
  if (kinds.size !== 1)
    return {
      members: {},
      comments: [],
      skip: 'it was answered now with a result and now with an error when this suite was written',
    };
  const [first] = outcomes;
  if (first?.kind === 'error') return refusal(attempt, outcomes, clean);
  const results = outcomes.filter((one) => one.kind === 'result');
  if (results[0]!.isError) {
    const reported =
      attempt.wrong === true
        ? []
        : [`TODO: the server says "${commentText(clean(results[0]!.text))}"; give arguments that work.`];
    return { members: { expect: { is_error: true } }, comments: reported };
  }
  const odd = attempt.wrong === true ? ['The server takes these arguments although its inputSchema does not.'] : [];
  const { expect, comments, volatile } = answered(attempt, results, writing);
  return {
    members: { expect },
    comments: [...odd, ...comments],
    ...(volatile.length === 0 ? {} : { volatile: [...new Set(volatile)].slice(0, mostPaths) }),
  };
}

function refusal(attempt: Attempt, outcomes: readonly Outcome[], clean: (text: string) => string): Expected {
  const [first] = outcomes as readonly { code: unknown; message: string }[];
  const same =
    outcomes.every((one) => one.kind === 'error' && one.code === first!.code) && Number.isInteger(first!.code);
  const reported =
    attempt.wrong === true
      ? []
      : [`TODO: the server answers "${commentText(clean(first!.message))}"; give arguments that work.`];
  return { members: { expect_error: same ? { code: first!.code } : true }, comments: reported };
}

type Result = Extract<Outcome, { kind: 'result' }>;

function answered(
  attempt: Attempt,
  results: readonly Result[],
  { clean, places, ofRun = () => false }: Writing,
): { expect: Json; comments: string[]; volatile: string[] } {
  const expect: Json = { ...(attempt.view === 'tool' ? { not_error: true } : {}) };
  const comments: string[] = [];
  const volatile: string[] = [];
  const keep = (value: unknown): boolean =>
    !ofRun(value) && (typeof value !== 'string' || (!isPassing(value, places) && clean(value) === value));
  // A result without content is judged by its members.
  const bare = attempt.view === 'json';
  const structured = results.map(({ result }) => (bare ? withoutMeta(result) : result['structuredContent']));
  const isStructured = structured.every(isObject);
  if (isStructured) {
    if (attempt.typed === true) expect['output_schema'] = true;
    const common = commonPart(structured, keep);
    // A name that begins with $ would be read as a path.
    const members = Object.entries((common.value ?? {}) as Json).filter(([name]) => !name.startsWith('$'));
    if (members.length > 0) expect['structured'] = Object.fromEntries(members);
    if (common.volatile.length > 0) comments.push(`Volatile: ${paths(common)}.`);
    append(
      volatile,
      common.volatile.map(({ path }) => written(path)),
    );
  }
  if (bare) return { expect, comments, volatile };
  const reported = textExpectation(
    results.map(({ text }) => text),
    keep,
    places,
  );
  Object.assign(expect, reported.expect);
  append(volatile, reported.volatile ?? []);
  if (!isStructured && reported.comment !== undefined) comments.push(reported.comment);
  const blocks = contentExpectation(results);
  if (blocks !== undefined) expect['content'] = blocks;
  return { expect, comments, volatile };
}

function withoutMeta({ _meta: _left, ...result }: Json): Json {
  return result;
}

function textExpectation(
  texts: readonly string[],
  keep: (value: unknown) => boolean,
  places: readonly string[],
): { expect: Json; comment?: string; volatile?: string[] } {
  const [first = ''] = texts;
  const same = texts.every((text) => text === first);
  if (same && first.trim() === '') return { expect: {} };
  if (same && keep(first))
    return { expect: first.length <= longestText ? { equals: first } : { contains: landmarks(first) } };
  const values = texts.map(objectIn);
  if (values.every((one) => one !== undefined)) {
    const common = commonPart(values, keep);
    const leaves = leavesOf(common.value, '$').slice(0, mostPaths);
    return {
      expect: { ...(leaves.length === 0 ? {} : { json_path: Object.fromEntries(leaves) }), ...typesOf(common) },
      comment: `Volatile: ${paths(common)}.`,
      volatile: common.volatile.map(({ path }) => written(path)),
    };
  }
  // Placeholders are put into texts, not into patterns.
  const pattern = commonPattern(texts, keep, [...places, '{{fixture}}']);
  if (pattern !== undefined)
    return {
      expect: { matches_regex: [pattern] },
      comment: 'Volatile: parts of the text differ from call to call.',
      ...wholeText(same),
    };
  return {
    expect: texts.every((text) => text.trim() !== '') ? { not_empty: true } : {},
    comment: 'Volatile: the text differs from call to call.',
    ...wholeText(same),
  };
}

/** A text that differs; an equal one contains values that snapshots omit. */
function wholeText(same: boolean): { volatile?: string[] } {
  return same ? {} : { volatile: ['$'] };
}

/** A path as files name it. */
function written([root, ...names]: readonly string[]): string {
  return (
    root +
    names
      .map((name) =>
        /^\[\d+\]$/.test(name) ? name : /^[^.[\]*?'"@:]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`,
      )
      .join('')
  );
}

/** Some lines of a long text. */
function landmarks(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim().slice(0, 200))
    .filter((line) => line.length > 3);
  return [
    ...new Set([lines[0], lines[Math.floor(lines.length / 2)], lines.at(-1)].filter((line) => line !== undefined)),
  ];
}

function objectIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Values by path; names that a path cannot say are left out. */
function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, `${path}[${index}]`));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, one]) =>
      /^[^.[\]]+$/.test(name) ? leavesOf(one, `${path}.${name}`) : [],
    );
  return value === undefined || value === null ? [] : [[path, value]];
}

/** A JSON Schema that requires varying values by type; items of lists are left to the list. */
function typesOf({ volatile }: Common): { schema?: Json } {
  const schema: Json = {};
  for (const { path, type } of volatile) {
    let at = schema;
    for (const name of path.slice(1)) {
      if (name.startsWith('[')) break;
      at['type'] = 'object';
      at['required'] = [...new Set([...((at['required'] as string[] | undefined) ?? []), name])];
      const properties = ((at['properties'] as Json | undefined) ?? (at['properties'] = {})) as Json;
      at = (properties[name] ??= {}) as Json;
    }
    if (!path.some((name) => name.startsWith('[')) && type !== 'any') at['type'] = type;
  }
  return Object.keys(schema).length === 0 ? {} : { schema };
}

function paths({ volatile }: Common): string {
  const named = volatile.map(({ path }) => commentText(path.join('.').replaceAll('.[', '[')));
  return `${named.slice(0, 6).join(', ')}${named.length > 6 ? ` and ${named.length - 6} more` : ''}`;
}

/** Kinds of the blocks, where some are no text. */
function contentExpectation(results: readonly Result[]): Json[] | undefined {
  const all = results.map(({ result }) => {
    const content = result['content'] ?? result['contents'];
    return (Array.isArray(content) ? content : []).filter(isObject).map(
      (block): Json => ({
        ...(typeof block['type'] === 'string' ? { type: block['type'] } : {}),
        ...(typeof block['mimeType'] === 'string' ? { mime_type: block['mimeType'] } : {}),
      }),
    );
  });
  const [first = []] = all;
  const plain = first.every(
    (block) => (block['type'] === 'text' || block['type'] === undefined) && block['mime_type'] === undefined,
  );
  return plain || !all.every((blocks) => JSON.stringify(blocks) === JSON.stringify(first)) ? undefined : first;
}
