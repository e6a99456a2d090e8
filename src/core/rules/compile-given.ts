/** Compiles the `given` of a rule: a subject kind with its filter, or a selection over several subjects. */
import { factNames, factTable, isKnownFact } from '../facts/registry/registry.ts';
import { compilePath } from '../facts/values/json-path.ts';
import { selectionKey } from '../facts/selections/selections.ts';
import { messageFactOf } from '../facts/selections/source.ts';
import type { RuleFile } from '../model/rules/rule.ts';
import type {
  CompiledSelection,
  CompiledSource,
  GroupSelection,
  PairSelection,
  Selector,
  SubjectChoice,
  ValueSource,
} from '../model/rules/selection.ts';
import { suggestion } from '../model/suggestion.ts';
import type { Filter, SubjectKind } from '../model/rules/subject-kind.ts';
import { asText } from '../model/json.ts';

type Report = (path: string, message: string) => void;

export interface CompiledGiven {
  kind: SubjectKind;
  filter: Filter;
  selection?: CompiledSelection;
}

/** @param report called for each unknown fact and path; the result is useless then */
export function compileGiven(rule: RuleFile, report: Report): CompiledGiven {
  const { given } = rule;
  const [kind, value] = Object.entries(given)[0] as [SubjectKind, unknown];
  if (kind !== 'group' && kind !== 'pair') return checkedSelector(given as SubjectChoice, 'given', report);
  const base = {
    role: rule.role,
    keepsMessages: /"subject\.(?:first|last)"|\{\{[{#]?(?:if )?(?:first|last)\b/.test(
      JSON.stringify([rule.when, rule.expect, rule.advice, rule.message, rule.fix]),
    ),
  };
  const selection =
    kind === 'group'
      ? compileGroup(value as GroupSelection, base, report)
      : compilePair(value as PairSelection, base, report);
  return { kind, filter: { selection: selectionKey(selection) }, selection };
}

type Base = Pick<CompiledSelection, 'role' | 'keepsMessages'>;

function compileGroup(
  { of, by, within = 'session', values = {} }: GroupSelection,
  base: Base,
  report: Report,
): CompiledSelection {
  const selector = checkedSelector(of, 'given.group.of', report);
  const source = (value: ValueSource, place: string): CompiledSource =>
    checkedSource(value, selector.kind, place, report);
  return {
    kind: 'group',
    ...base,
    within,
    of: selector,
    by: by === undefined ? [] : [by].flat().map((one, index) => source(one, `given.group.by[${index}]`)),
    values: Object.entries(values).map(([name, one]) => [name, source(one, `given.group.values.${name}`)]),
  };
}

function compilePair(
  { first, then, match = [], until, within = 'session' }: PairSelection,
  base: Base,
  report: Report,
): CompiledSelection {
  const one = checkedSelector(first, 'given.pair.first', report);
  const other = checkedSelector(then, 'given.pair.then', report);
  return {
    kind: 'pair',
    ...base,
    within,
    first: one,
    then: other,
    match: match.map(([left, right], index) => [
      checkedSource(left, one.kind, `given.pair.match[${index}][0]`, report),
      checkedSource(right, other.kind, `given.pair.match[${index}][1]`, report),
    ]),
    ...(until ? { until: checkedSelector(until, 'given.pair.until', report) } : {}),
  };
}

function checkedSelector(choice: SubjectChoice, place: string, report: Report): Selector {
  const [kind, filter] = Object.entries(choice)[0] as [SubjectKind, Filter];
  for (const name of Object.keys(filter)) {
    if (!isKnownFact(kind, `subject.${name}`))
      report(
        `${place}.${kind}.${name}`,
        `${kind} subjects have no fact "${name}".${suggestion(name, Object.keys(factTable[kind].facts))}`,
      );
  }
  return { kind, filter };
}

function checkedSource(value: ValueSource, kind: SubjectKind, place: string, report: Report): CompiledSource {
  const { fact, path } = typeof value === 'string' ? { fact: messageFactOf(kind), path: value } : value;
  if (fact === undefined)
    report(place, `a ${kind} has no message of its own: name a fact, such as { "fact": "subject.…", "path": "$.…" }`);
  else if (!fact.startsWith('subject.') || !isKnownFact(kind, fact))
    report(place, `unknown fact "${fact}" for ${kind} subjects.${suggestion(fact, factNames(kind))}`);
  if (path !== undefined) {
    try {
      compilePath(path);
    } catch (error) {
      report(place, `the path ${path} cannot be read: ${error instanceof Error ? error.message : asText(error)}`);
    }
  }
  return { fact: fact ?? 'subject.message', path };
}
