/**
 * Names of subject kinds and facts that rule files used until 0.1.0. A file that has them still loads, for one minor
 * version: its text is rewritten before it is read. Only names are changed in place, so that the same edits serve
 * `rules lint --fix`.
 */
import { readFileSync } from 'node:fs';
import { parseTree, type Node } from 'jsonc-parser';

/** Subject kinds, old to new. */
export const renamedKinds: Readonly<Record<string, string>> = {
  aftermath: 'followUp',
  question: 'serverRequest',
  walk: 'pagination',
  target: 'trace',
  line: 'stdoutLine',
};

/** Facts of subjects, old to new; no name has another meaning in another kind. */
export const renamedFacts: Readonly<Record<string, string>> = {
  spelled: 'nameMatch',
  misfits: 'wronglyTypedArguments',
  misfitUsed: 'wrongArgumentEchoed',
  resumedInVain: 'resumptionRefused',
  cutBy: 'streamClosedBy',
  tokenShared: 'progressTokenInUse',
  hastyPolls: 'pollsBelowInterval',
  overtaken: 'laterRequestsAnsweredFirst',
  likePlain: 'matchesNonTaskResult',
  afterUnreadable: 'afterUnparseableInput',
  idUse: 'elicitationIdReuse',
};

export interface Renaming {
  /** The text with the new names; all else is as it was, layout included. */
  text: string;
  /** Renamed names, old to new, in the order of their first place. */
  renamed: ReadonlyMap<string, string>;
}

const anyOldName = new RegExp(
  String.raw`\b(?:${[...Object.keys(renamedKinds), ...Object.keys(renamedFacts)].join('|')})\b`,
);

/** @param text a rule file or a file of derived facts; what is no JSON stays as it is */
export function withNewNames(text: string): Renaming {
  const edits: { offset: number; length: number; now: string }[] = [];
  const renamed = new Map<string, string>();
  const root = anyOldName.test(text) ? parseTree(text) : undefined;

  /** Replaces a part of the source of a string; `at` counts from its opening quote. */
  const edit = (node: Node, at: number, old: string, now: string): void => {
    edits.push({ offset: node.offset + at, length: old.length, now });
    renamed.set(old, now);
  };
  const source = (node: Node): string => text.slice(node.offset, node.offset + node.length);

  const rename = (node: Node | undefined, names: Readonly<Record<string, string>>, before = ''): void => {
    const word = /^[\w]+/.exec(source(node!).slice(1 + before.length))?.[0];
    if (word !== undefined && Object.hasOwn(names, word)) edit(node!, 1 + before.length, word, names[word]!);
  };

  /** `{ "kind": { "fact": value } }`, as in `given`, `of`, `first`, `then` and `until`. */
  const choice = (node: Node | undefined): void => {
    for (const { children: [name, value] = [] } of node?.type === 'object' ? (node.children ?? []) : []) {
      const kind = String(name?.value);
      if (kind === 'group' || kind === 'pair') {
        visit(value);
        continue;
      }
      rename(name, renamedKinds);
      for (const filter of value?.type === 'object' ? (value.children ?? []) : [])
        rename(filter.children?.[0], renamedFacts);
    }
  };

  const property = (name: string, value: Node): void => {
    const isText = value.type === 'string';
    if (name === 'given' || (!isText && ['of', 'first', 'then', 'until'].includes(name))) choice(value);
    else if (name === 'fact' && isText && String(value.value).startsWith('subject.'))
      rename(value, renamedFacts, 'subject.');
    else if (name === 'of' && isText) derivedFrom(value);
    else if ((name === 'message' || name === 'fix' || name === 'title') && isText) template(value);
    // Examples hold messages, which have no names of ours.
    else if (name !== 'examples') visit(value);
  };

  /** `kind.fact` of a derived fact. */
  const derivedFrom = (node: Node): void => {
    rename(node, renamedKinds);
    const dot = String(node.value).indexOf('.');
    if (dot !== -1) rename(node, renamedFacts, String(node.value).slice(0, dot + 1));
  };

  /** Facts stand in a Handlebars text as `{{name}}`, `{{#if name}}` or `{{name.part}}`. */
  const template = (node: Node): void => {
    for (const { 0: expression, index } of source(node).matchAll(/\{\{[^{}]*\}\}/g)) {
      for (const { 0: word, index: at } of expression.matchAll(/(?<![\w.])\w+/g))
        if (Object.hasOwn(renamedFacts, word)) edit(node, index + at, word, renamedFacts[word]!);
    }
  };

  const visit = (node: Node | undefined): void => {
    if (node?.type === 'array') for (const child of node.children ?? []) visit(child);
    if (node?.type !== 'object') return;
    for (const { children: [name, value] = [] } of node.children ?? []) if (value) property(String(name?.value), value);
  };

  visit(root);
  if (edits.length === 0) return { text, renamed };
  let at = 0;
  const parts = edits
    .toSorted((one, other) => one.offset - other.offset)
    .flatMap(({ offset, length, now }) => {
      const before = text.slice(at, offset);
      at = offset + length;
      return [before, now];
    });
  return { text: [...parts, text.slice(at)].join(''), renamed };
}

/** One warning for each of the files that has old names. An unreadable file is reported when it is loaded. */
export function oldNameWarnings(files: readonly string[]): string[] {
  return [...new Set(files)].flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      return [];
    }
    const { renamed } = withNewNames(text);
    const names = [...renamed].map(([old, now]) => `${old} is now ${now}`).join(', ');
    return renamed.size === 0
      ? []
      : [
          `${file} has names that the next minor version no longer knows: ${names}. "mcpc rules lint --fix" writes the new ones.`,
        ];
  });
}
