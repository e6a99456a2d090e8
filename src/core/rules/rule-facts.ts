/** Which facts a compiled rule reads: in its `given`, its conditions, its selection and its texts. */
import { messageFactOf } from '../facts/selections/source.ts';
import { selectorsOf } from '../facts/selections/selections.ts';
import type { CompiledRule, LeafCondition } from '../model/rules/rule.ts';
import type { CompiledSource, Selector } from '../model/rules/selection.ts';
import type { SubjectKind } from '../model/rules/subject-kind.ts';
import { conditionsOf, leavesOf, otherFact } from './shared-definitions.ts';

/** A fact by the kind of the subject that it is read from, named as in conditions: `subject.x` or `session.x`. */
export interface ReadFact {
  kind: SubjectKind;
  fact: string;
}

/** Names in templates: `{{x}}`, `{{#if x}}`, `{{{x.y}}}`. */
const named = /\{\{\{?[#^/]?(?:(?:if|unless|each|with) )?([A-Za-z][A-Za-z0-9]*)/g;

/** The facts that a rule reads, each once; a derived fact is represented by its source. */
export function factsReadBy(rule: CompiledRule): ReadFact[] {
  const { kind, selection, filter } = rule;
  const read: ReadFact[] = [
    ...ofFilter({ kind, filter }),
    ...conditionsOf(rule).flatMap((condition) =>
      leavesOf(condition, '').flatMap(({ leaf }) => ofLeaf(leaf).map((fact) => ({ kind, fact }))),
    ),
    ...(selection ? ofSelection(selection) : []),
    ...ofTexts(rule).map((name) => ({ kind, fact: `subject.${name}` })),
    ...Object.values(rule.textFacts ?? {}).map(({ of }) => ({ kind, fact: of })),
  ];
  return [...new Map(read.map((one) => [`${one.kind} ${one.fact}`, one])).values()];
}

function ofFilter({ kind, filter }: Selector): ReadFact[] {
  return Object.keys(filter).map((name) => ({ kind, fact: `subject.${name}` }));
}

function ofLeaf({ fact, derived, value }: LeafCondition): string[] {
  const other = otherFact(value);
  return [derived?.of ?? fact, ...(other ? [other.derived?.of ?? other.fact] : [])];
}

function ofSelection(selection: NonNullable<CompiledRule['selection']>): ReadFact[] {
  const at = ({ kind }: Selector, sources: readonly CompiledSource[]): ReadFact[] =>
    sources.map(({ fact }) => ({ kind, fact }));
  const message = ({ kind }: Selector): ReadFact[] =>
    selection.keepsMessages ? [{ kind, fact: messageFactOf(kind) ?? '' }].filter(({ fact }) => fact !== '') : [];
  const parts =
    selection.kind === 'group'
      ? [
          ...at(selection.of, [...selection.by, ...selection.values.map(([, source]) => source)]),
          ...message(selection.of),
        ]
      : [
          ...at(
            selection.first,
            selection.match.map(([first]) => first),
          ),
          ...at(
            selection.then,
            selection.match.map(([, then]) => then),
          ),
          ...message(selection.first),
          ...message(selection.then),
        ];
  return [...selectorsOf(selection).flatMap(ofFilter), ...parts];
}

function ofTexts({ message, fix, advice }: CompiledRule): string[] {
  return [message, fix, ...advice.map((one) => one.message)].flatMap((text) =>
    [...text.matchAll(named)].map(([, name]) => name!),
  );
}
