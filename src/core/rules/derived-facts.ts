/** Checks files of derived facts against the facts that there are, and finds what a name in a condition stands for. */
import { factTable, isKnownFact, sessionFactTable } from '../facts/registry/registry.ts';
import type { DerivedFact, DerivedFactEntry } from '../model/rules/derived-fact.ts';
import { subjectKinds, type SubjectKind } from '../model/rules/subject-kind.ts';
import { suggestion } from '../model/suggestion.ts';
import type { RuleProblem } from './rule-problem.ts';

export interface DerivedFactFile {
  /** Path for messages. */
  file: string;
  facts: DerivedFactEntry[];
  /** A user's own file, whose names begin with `house.`. */
  house: boolean;
}

export interface DerivedFacts {
  /**
   * Definition of the fact, by its name in a condition on a subject of the kind; undefined for facts of code and
   * unknown ones.
   */
  find(kind: SubjectKind, fact: string): DerivedFact | undefined;
  entries: readonly DerivedFactEntry[];
}

interface Found {
  entry: DerivedFactEntry;
  /** Subject kind; undefined for facts of the connection. */
  kind: SubjectKind | undefined;
  fact: DerivedFact;
}

/** @param problems what is wrong is added to it, everything at once */
export function resolveDerivedFacts(files: readonly DerivedFactFile[], problems: RuleProblem[]): DerivedFacts {
  const byName = new Map<string, { entry: DerivedFactEntry; file: string; path: string }>();
  for (const { file, facts, house } of files) {
    for (const [index, entry] of facts.entries()) {
      const path = `facts[${index}].name`;
      const report = (message: string): void => void problems.push({ file, path, message });
      const [scope, name] = entry.name.split('.') as [string, string];
      if (house !== (scope === 'house'))
        report(
          house
            ? 'names in a file of your own begin with "house."'
            : 'only a file of your own may use names with "house."',
        );
      else if (!house && !isScope(scope))
        report(`there is no subject kind "${scope}"${suggestion(scope, [...subjectKinds, 'session'])}`);
      else if (!house && codeFact(scope, name)) report(`code gives a fact ${entry.name} already`);
      else if (byName.has(entry.name)) report(`${entry.name} is also in ${byName.get(entry.name)!.file}`);
      else byName.set(entry.name, { entry, file, path: `facts[${index}].of` });
    }
  }
  const found = new Map<string, Found>();
  for (const [name, { entry, file, path }] of byName) {
    const fact = follow(name, byName, (message) => problems.push({ file, path, message }));
    if (fact) found.set(name, { entry, ...fact });
  }
  return {
    entries: [...byName.values()].map(({ entry }) => entry),
    find(kind, fact) {
      const [scope, name] = fact.split('.') as [string, string | undefined];
      const key = scope === 'subject' ? `${kind}.${name}` : fact;
      const one = found.get(key);
      return one && (one.kind === undefined ? hasSession(kind) : one.kind === kind && scope !== 'session')
        ? one.fact
        : undefined;
    },
  };
}

/**
 * Derived facts of mcpc that follow from facts of a connection, which conditions name `session.<fact>`; others of that
 * name are facts of session subjects.
 */
export function ofConnection(facts: readonly DerivedFactEntry[]): DerivedFactEntry[] {
  const { find } = resolveDerivedFacts([{ file: 'facts.json', facts: [...facts], house: false }], []);
  return facts.filter(({ name }) => name.startsWith('session.') && find('message', name) !== undefined);
}

type ByName = ReadonlyMap<string, { entry: DerivedFactEntry }>;

/** Follows a name down to a fact of code. @returns undefined after a report */
function follow(
  start: string,
  byName: ByName,
  report: (message: string) => void,
): { kind: SubjectKind | undefined; fact: DerivedFact } | undefined {
  const steps: DerivedFact['steps'] = [];
  const seen = new Set<string>();
  let name = start;
  for (;;) {
    if (seen.has(name)) {
      report(`${[...seen, name].join(' -> ')} goes round in a circle`);
      return undefined;
    }
    seen.add(name);
    const next = byName.get(name);
    if (!next) break;
    const { path, do: what, read, code } = next.entry;
    steps.unshift({ path, do: what, read, code });
    name = next.entry.of;
  }
  const [scope, fact] = name.split('.') as [string, string];
  if (name === 'group.values') {
    report(
      'group.values holds a list for each name that a rule collects, so a fact of all of them is absent: read subject.values.<name> in the condition, with an operator on lists',
    );
    return undefined;
  }
  if (!codeFact(scope, fact)) {
    report(`there is no fact ${name}${suggestion(name, [...factNames(), ...byName.keys()])}`);
    return undefined;
  }
  return scope === 'session' && fact in sessionFactTable
    ? { kind: undefined, fact: { of: name, steps } }
    : { kind: scope as SubjectKind, fact: { of: `subject.${fact}`, steps } };
}

function isScope(scope: string): boolean {
  return scope === 'session' || (subjectKinds as readonly string[]).includes(scope);
}

function codeFact(scope: string, name: string): boolean {
  if (scope === 'session' && Object.hasOwn(sessionFactTable, name)) return true;
  return Object.hasOwn(factTable, scope) && Object.hasOwn(factTable[scope as SubjectKind].facts, name);
}

function hasSession(kind: SubjectKind): boolean {
  return isKnownFact(kind, 'session.era');
}

function factNames(): string[] {
  return [
    ...Object.entries(factTable).flatMap(([kind, { facts }]) => Object.keys(facts).map((name) => `${kind}.${name}`)),
    ...Object.keys(sessionFactTable).map((name) => `session.${name}`),
  ];
}
